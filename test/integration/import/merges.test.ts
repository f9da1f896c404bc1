import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { exportLines, beginExport } from "../../../indexer/commands/export.ts";
import { importPlaces } from "../../../indexer/import/import-places.ts";
import { buildReport, formatReport } from "../../../indexer/import/import-report.ts";
import { UNCOORDINATED } from "../../../indexer/session/coordination.ts";
import { createSyncTally } from "../../../indexer/sync/sync-report.ts";
import { syncPlaces } from "../../../indexer/sync/sync-places.ts";
import { createTally } from "../../../indexer/clean/import-tally.ts";
import { mergeBuild } from "../../../indexer/merge/merge-build.ts";
import { createMergeTally } from "../../../indexer/merge/merge-tally.ts";
import { closeSources, openSources } from "../../../indexer/sources/open-sources.ts";
import { cachePlaces } from "../../../src/meilisearch/cached-places.ts";
import { openPlaceIndex } from "../../../src/partitions/open-place-index.ts";
import type { Topology } from "../../../src/partitions/topology.ts";
import { openIndexAdmin } from "../../../indexer/index/index-admin.ts";
import { openLiveIndex } from "../../../indexer/index/live-index.ts";
import { startIndexBuild } from "../../../indexer/index/start-build.ts";
import { buildPlace } from "../../support/build-place.ts";
import { createTestPrefix, removeTestIndex, testTopology } from "../../support/test-index.ts";

const folder = mkdtempSync(join(tmpdir(), "hereabouts-merges-"));
afterAll(() => rmSync(folder, { recursive: true }));

let engine: Topology;
beforeEach(() => {
  engine = testTopology(createTestPrefix());
});
afterEach(() => removeTestIndex(engine.prefix));

const dataIdOf = (id: number): string => `0x1:0x${id.toString(16)}`;

interface Facts {
  readonly source: string;
  readonly title: string;
  readonly phone?: string;
  readonly street?: string;
  readonly latitude?: number;
}

const record = (id: number, { source, title, phone = "", street = "", latitude = 10.7769 }: Facts): string =>
  JSON.stringify({
    data_id: dataIdOf(id),
    title,
    source,
    source_id: String(id),
    type: "PHO",
    contacts: { phone },
    location: { latitude, longitude: 106.7009, address: { street } },
  });

/** One place that both have, and one that only one has. */
const CITY = [
  record(1, { source: "city", title: "Phở Sáng", phone: "+84 28 3822 1234", street: "12 Lê Lợi" }),
  record(2, { source: "city", title: "Phở Chiều", latitude: 10.78 }),
];
const SURVEY = [
  record(11, { source: "survey", title: "PHO SANG", latitude: 10.7771 }),
  record(12, { source: "survey", title: "Phở Tối", latitude: 10.79 }),
];

async function run(files: readonly (readonly string[])[], wantsMerge = true) {
  const tally = createTally();
  const paths = files.map((lines, index) => {
    const path = join(folder, `${engine.prefix}-${index}.jsonl`);
    writeFileSync(path, lines.join("\n"));
    return path;
  });
  const { signal } = new AbortController();
  const sources = await openSources(paths, { signal, stdin: Readable.from([]) });
  try {
    const indexed = await importPlaces(sources, {
      index: engine,
      tally,
      maxRejectsPercent: 1,
      mergeFolder: wantsMerge ? folder : undefined,
      today: Temporal.PlainDate.from("2026-11-20"),
      interruption: { signal, finishUndisturbed: () => {} },
      progress: { begin: () => {}, say: () => {}, stop: () => {} },
    });
    return buildReport({ outcome: "imported", sources, tally, indexed, durationMs: 1 });
  } finally {
    closeSources(sources);
  }
}

async function sync(lines: readonly string[], keepsMerged: boolean) {
  const path = join(folder, `${engine.prefix}-sync.jsonl`);
  writeFileSync(path, lines.join("\n"));
  const { signal } = new AbortController();
  const sources = await openSources([path], { signal, stdin: Readable.from([]) });
  const tallies = { tally: createTally(), sync: createSyncTally() };
  try {
    await syncPlaces(sources, {
      ...tallies,
      index: engine,
      coordination: UNCOORDINATED,
      redisUrl: undefined,
      maxRejectsPercent: 1,
      force: false,
      dryRun: false,
      keepsMerged,
      folder,
      signal,
      progress: { begin: () => {}, say: () => {}, stop: () => {} },
      onRead: () => {},
      today: Temporal.PlainDate.from("2026-11-20"),
    });
  } finally {
    closeSources(sources);
  }
  return tallies.sync;
}

/** The title that a data id answers with. */
async function titleOf(id: number): Promise<string | undefined> {
  const index = openPlaceIndex(engine);
  const place = await index.getPlace(dataIdOf(id));
  await index.close();
  return place?.title;
}

async function withLive<T>(use: (live: ReturnType<typeof openLiveIndex>) => Promise<T>): Promise<T> {
  const live = openLiveIndex(engine);
  try {
    return await use(live);
  } finally {
    await live.close();
  }
}

async function remove(...ids: number[]): Promise<void> {
  const removed = ids.map((id) => dataIdOf(id).slice("0x1:".length));
  await withLive(async (live) => (await live.write({ places: [], removed }))());
}

describe("two sources that have a place in common", () => {
  test("are merged into one place, and the report gives the reason", async () => {
    const report = await run([CITY, SURVEY]);
    expect(report).toMatchObject({
      read: 4,
      indexed: 3,
      duplicates: 0,
      merged: {
        total: 1,
        reasons: [{ reason: "name", count: 1 }],
        pairs: [
          {
            kept: { data_id: dataIdOf(1), source: "city", title: "Phở Sáng" },
            merged: { data_id: dataIdOf(11), source: "survey", title: "PHO SANG" },
            reason: "name",
            distance_meters: 22,
          },
        ],
      },
    });
    expect(formatReport(report)).toContain("PHO SANG (survey) into Phở Sáng (city): 22 m, name");
  });

  test("stay separate without --merge", async () => {
    expect(await run([CITY, SURVEY], false)).toMatchObject({ indexed: 4, merged: { total: 0 } });
    expect([await titleOf(1), await titleOf(11)]).toEqual(["Phở Sáng", "PHO SANG"]);
  });

  test("the replaced id leads to the place, also for callers who stored it", async () => {
    await run([CITY, SURVEY]);
    expect([await titleOf(1), await titleOf(11), await titleOf(12)]).toEqual([
      "Phở Sáng",
      "Phở Sáng",
      "Phở Tối",
    ]);
    const index = cachePlaces(openPlaceIndex(engine));
    const answers = [await index.getPlace(dataIdOf(11)), await index.getPlace(dataIdOf(11))];
    expect(answers.map((place) => place?.data_id)).toEqual([dataIdOf(1), dataIdOf(1)]);
    await index.close();
  });

  test("the replaced id is neither found nor counted", async () => {
    await run([CITY, SURVEY]);
    const index = openPlaceIndex(engine);
    const lookup = { words: "pho sang", filter: {}, limit: 10 };
    const [answer] = await index.findPlaces([lookup], AbortSignal.timeout(5_000));
    expect(answer?.places.map(({ id }) => id)).toContain("0x1");
    expect(answer?.places.map(({ id }) => id)).not.toContain("0xb");
    expect(await index.readState()).toMatchObject({ state: "ready", places: 3 });
    expect(await index.readCensus()).toMatchObject({ places: 3 });
    // A search that found it just before it lost leaves it out of its page.
    const { location } = answer!.places[0]!;
    const found = ["0x1", "0xb"].map((id) => ({ id, location }));
    const summaries = await index.readSummaries(found, AbortSignal.timeout(5_000));
    expect([...summaries.keys()]).toEqual(["0x1"]);
    await index.close();
    await withLive(async (live) => {
      expect(await live.count()).toBe(3);
      expect((await Array.fromAsync(live.readHashes())).flat()).toHaveLength(3);
      expect((await Array.fromAsync(live.readSources())).flat().map(({ source }) => source)).toHaveLength(3);
      expect(await live.readSourcesOf(["0x1", "0xb"])).toEqual([{ id: "0x1", source: "city" }]);
    });
  });

  test("an export has the place once, with the data of both", async () => {
    await run([
      [record(1, { source: "city", title: "Phở Sáng", street: "12 Lê Lợi" })],
      [
        record(11, {
          source: "survey",
          title: "Pho Sang Sài Gòn",
          phone: "+84 28 3822 1234",
          latitude: 10.7771,
        }),
      ],
    ]);
    const admin = openIndexAdmin(engine);
    const exported = await beginExport(admin, "live");
    const lines = (await Array.fromAsync(exportLines(admin, "live", exported))).join("").trim().split("\n");
    expect(await admin.samplePlaces("live", 10)).toHaveLength(1);
    expect(await admin.readIndex("live")).toMatchObject({ places: 1, redirects: 1 });
    await admin.close();
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({
        data_id: dataIdOf(1),
        title: "Phở Sáng",
        alternate_names: ["Pho Sang Sài Gòn"],
        contacts: { phone: "+84 28 3822 1234", website: "" },
      }),
    ]);
  });

  test("an import with merging may replace one without, and vice versa", async () => {
    const many = Array.from({ length: 30 }, (_, index) => index);
    const pairOf = (source: string, offset: number) =>
      many.map((id) =>
        record(offset + id, {
          source,
          title: `Phở ${source === "city" ? "Bò" : "BO"} Tám`,
          latitude: 10 + id / 10,
        }),
      );
    const files = [pairOf("city", 100), pairOf("survey", 200)];
    expect(await run(files, false)).toMatchObject({ indexed: 60 });
    expect(await run(files)).toMatchObject({ indexed: 30, merged: { total: 30 } });
    expect(await run(files, false)).toMatchObject({ indexed: 60 });
  });
});

describe("after a merge", () => {
  beforeEach(async () => {
    await run([CITY, SURVEY]);
  });

  test("deleting the replaced id keeps the place", async () => {
    await remove(11);
    expect([await titleOf(1), await titleOf(11)]).toEqual(["Phở Sáng", undefined]);
  });

  test("deleting the place makes the replaced id unknown", async () => {
    await remove(1);
    expect([await titleOf(1), await titleOf(11)]).toEqual([undefined, undefined]);
    expect(await withLive((live) => live.count())).toBe(2);
  });

  test("a sync is refused unless merging is turned off", async () => {
    await expect(sync([...CITY, ...SURVEY], true)).rejects.toThrow("has merged 1 records");
    expect(await sync([...CITY, ...SURVEY], false)).toMatchObject({ new: 1, written: 1, same: 3 });
    expect([await titleOf(1), await titleOf(11)]).toEqual(["Phở Sáng", "PHO SANG"]);
    expect(await sync([...CITY, ...SURVEY], true)).toMatchObject({ same: 4, written: 0 });
  });

  test("repeating an interrupted merge changes nothing", async () => {
    const place = (id: number, source: string) =>
      buildPlace({ data_id: dataIdOf(id), source, title: "Phở Sáng", type: "PHO" });
    const build = await startIndexBuild(engine);
    await build.add([place(1, "city"), place(11, "survey")]);
    await build.finish();
    for (const expected of [1, 0]) {
      const merges = createMergeTally();
      const { signal } = new AbortController();
      await mergeBuild(build, { sources: ["city", "survey"], merges, folder, signal });
      expect(merges.total).toBe(expected);
      expect(await build.finish()).toEqual({ places: 1, redirects: 1 });
    }
    await build.discard();
  });

  test("a rebuild includes changes applied to either record", async () => {
    const build = await startIndexBuild(engine);
    const [winner] = await withLive((live) => live.readPlacesById(["0x1"]));
    await build.add([winner!, { ...winner!, data_id: dataIdOf(11), title: "Own" }]);
    await build.finish();
    await build.replace({ places: [], redirects: [{ from: dataIdOf(11), to: dataIdOf(1) }] });
    await build.finish();
    // Noted, but still a redirect in the live index.
    await build.copyFromLive(["0x1", "0xb", "0xff"]);
    await build.finish();
    await build.swap();
    expect([await titleOf(1), await titleOf(11)]).toEqual(["Phở Sáng", "Phở Sáng"]);
  });
});
