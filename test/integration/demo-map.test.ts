import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDemoMapFinder, demoMapPath, layDemoMap } from "../../src/server/demo.ts";
import { readMapTiles } from "../../src/assets/map-tiles.ts";
import type { IndexState } from "../../src/meilisearch/place-index.ts";

const dataDir = mkdtempSync(join(tmpdir(), "demo-map-"));
afterAll(() => rmSync(dataDir, { recursive: true }));

const BUILT_AT = "2026-11-22T00:11:18.432Z";

beforeAll(() => layDemoMap(dataDir, BUILT_AT));

const finderFor = (state: IndexState): ReturnType<typeof createDemoMapFinder> =>
  createDemoMapFinder({ readState: () => Promise.resolve(state) }, dataDir);

test("there is no map without an index, and none under the places of another import", async () => {
  expect(await finderFor({ state: "missing" })()).toBeUndefined();
  expect(await finderFor({ state: "unreachable" })()).toBeUndefined();
  expect(await finderFor({ state: "ready", places: 100, builtAt: "2026-12-01T00:00:00Z" })()).toBeUndefined();
});

test("the streets of the demo lie under its places", async () => {
  const found = await finderFor({ state: "ready", places: 100, builtAt: BUILT_AT })();
  expect(found).toEqual({
    path: demoMapPath(dataDir, BUILT_AT),
    maxZoom: 14,
    attribution: "© OpenStreetMap contributors",
    isOverlay: true,
  });
});

test("a broken map of the demo is left out, and the demo goes on", async () => {
  const builtAt = "2026-11-23T00:00:00Z";
  writeFileSync(demoMapPath(dataDir, builtAt), "broken");
  await expect(readMapTiles(demoMapPath(dataDir, builtAt))).rejects.toThrow(/not a PMTiles file/);
  expect(await finderFor({ state: "ready", places: 100, builtAt })()).toBeUndefined();
});

test("the map of the demo is small", () => {
  expect(statSync(demoMapPath(dataDir, BUILT_AT)).size).toBeLessThan(3_000_000);
});
