import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPlaceIndex } from "../../../src/partitions/open-place-index.ts";
import type { PlaceIndex } from "../../../src/meilisearch/place-index.ts";
import { createPlaceSearch } from "../../../src/search/search-places.ts";
import { startTestApp, type TestApp } from "../../support/test-app.ts";
import { useOwnEngines } from "./own-engines.ts";
import { runIndex } from "./run-index.ts";

const own = useOwnEngines("words");
const AT = "lat=10.769&lng=106.68";
const PLACES = `id,name,type,lat,lng
1,Cheo Leo,COFFEE,10.7690,106.6800
2,Phở Hòa,PHO,10.7694,106.6804
`;

/** Two servers, as behind a load balancer. */
let servers: readonly { readonly app: TestApp; readonly index: PlaceIndex }[] = [];
let places = "";

const run = (...args: readonly string[]) => runIndex(args, own.env);

beforeAll(async () => {
  places = join(own.folder, "places.csv");
  writeFileSync(places, PLACES);
  const imported = await run("import", places);
  if (imported.exitCode !== 0) throw new Error(imported.stderr);
  servers = await Promise.all(
    [1, 2].map(async () => {
      const index = openPlaceIndex(own.engines.index);
      return {
        index,
        app: await startTestApp({ index, search: createPlaceSearch(index, { deadlineMs: 10_000 }) }),
      };
    }),
  );
});

afterAll(async () => {
  for (const { app, index } of servers) {
    await app[Symbol.asyncDispose]();
    await index.close();
  }
});

/** Whether each server finds the café first by these words. */
const findOnAll = (words: string): Promise<boolean[]> =>
  Promise.all(
    servers.map(async ({ app }) => {
      const { body } = await app.askRetryingTimeouts(
        `/api/maps/search?${AT}&limit=1&q=${encodeURIComponent(words)}`,
      );
      return (body as { local_result?: { title: string }[] }).local_result?.[0]?.title === "Cheo Leo";
    }),
  );

/** Five seconds are promised; a busy machine may need more. */
const PROMISED = { timeout: 15_000, interval: 200 };
const FOUND = [true, true];
const NOTHING = [false, false];

test("words are refused that a vocabulary file could not have", async () => {
  for (const [args, message] of [
    [["kind", "COFEE", "tiệm nước đen"], 'meaning "COFEE" is no kind; nearest: COFFEE (Quán cà phê)'],
    [["knd", "COFFEE", "tiệm nước đen"], "role is none of near, landmark"],
    [["kind", "COFFEE", "tiệm; nước đen"], "Words are texts without semicolons"],
    [["area", "d9999", "quận nhứt"], 'meaning "d9999" is the id of no area'],
  ] as const) {
    const { exitCode, stderr } = await run("words", "add", ...args);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(message);
  }
  expect(await findOnAll("tiệm nước đen")).toEqual(NOTHING);
});

test("words that were added are understood on all servers, listed, and removed again", async () => {
  expect(await run("words", "add", "kind", "COFFEE", "tiệm nước đen", "cf cóc")).toMatchObject({
    exitCode: 0,
  });
  await expect.poll(() => findOnAll("tiệm nước đen"), PROMISED).toEqual(FOUND);
  expect(await findOnAll("cf coc")).toEqual(FOUND);
  expect((await run("words", "list")).stdout).toBe(
    "role,meaning,language,words\nkind,COFFEE,vi,tiệm nước đen; cf cóc\n",
  );
  expect(await run("words", "remove", "kind", "COFFEE", "tiệm nước đen")).toMatchObject({ exitCode: 0 });
  await expect.poll(() => findOnAll("tiệm nước đen"), PROMISED).toEqual(NOTHING);
  expect(await findOnAll("cf coc")).toEqual(FOUND);
  const again = await run("words", "remove", "kind", "COFFEE", "tiệm nước đen");
  expect(again).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("No such words") as string });
});

test("the next import keeps them, they are no places, and a rollback undoes what came after the import", async () => {
  expect(await run("import", places)).toMatchObject({ exitCode: 0 });
  await run("words", "add", "kind", "COFFEE", "quán giọt đắng");
  await expect.poll(() => findOnAll("quán giọt đắng"), PROMISED).toEqual(FOUND);
  expect(await findOnAll("cf coc")).toEqual(FOUND);
  expect(await servers[0]!.index.readState()).toMatchObject({ state: "ready", places: 2 });
  expect(await run("rollback")).toMatchObject({ exitCode: 0 });
  await expect.poll(() => findOnAll("quán giọt đắng"), PROMISED).toEqual(NOTHING);
  expect(await findOnAll("cf coc")).toEqual(FOUND);
});
