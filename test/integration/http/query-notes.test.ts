import { expect, test } from "vitest";
import { buildPlace } from "../../support/build-place.ts";
import { createMemoryIndex } from "../../support/memory-index.ts";
import { startTestApp } from "../../support/test-app.ts";
import type { Searched } from "../../../src/telemetry/query-notes.ts";

test("first pages of searches are noted; other operations, other pages and refused requests are not", async () => {
  const noted: Searched[] = [];
  const index = createMemoryIndex([buildPlace({ title: "Phở Hòa" })]);
  await using app = await startTestApp({ index, noteSearch: (searched) => void noted.push(searched) });
  await app.ask("/api/maps/search?q=Phở");
  await app.ask("/api/maps/search?q=xyzzy");
  await app.ask("/photon/api?q=Hòa");
  for (const target of [
    "search?q=Phở&offset=10",
    "search?q=Phở&lat=1000",
    "nearby?lat=10&lng=106",
    "autocomplete?q=ph",
  ])
    await app.ask(`/api/maps/${target}`);
  await app.ask("/api/maps/search?q=Phở", { headers: { "x-api-key": "not a key" } });
  expect(noted.map(({ query, foundNothing }) => [query, foundNothing])).toEqual([
    ["Phở", false],
    ["xyzzy", true],
    ["Hòa", false],
  ]);
  for (const { caller } of noted) expect(caller).not.toContain(app.key);
});
