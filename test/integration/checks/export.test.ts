import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { beginExport, exportLines } from "../../../indexer/commands/export.ts";
import { importPlaces } from "../../../indexer/import/import-places.ts";
import { createTally } from "../../../indexer/clean/import-tally.ts";
import { streamAtomically } from "../../../src/cli/atomic-file.ts";
import { closeSources, openSources } from "../../../indexer/sources/open-sources.ts";
import { connectEngine } from "../../../src/meilisearch/connection.ts";
import { openIndexAdmin, type IndexRole } from "../../../indexer/index/index-admin.ts";
import { IndexChangedError, streamPlaces } from "../../../indexer/index/read-index.ts";
import { importInto } from "../../support/divided-index.ts";
import { dataIdIdentity } from "../../../src/place/document/data-id.ts";
import type { PlaceDocument } from "../../../src/place/document/place-document.ts";
import { buildPlace } from "../../support/build-place.ts";
import { changeEngine } from "../../support/change-engine.ts";
import { CAFE } from "../../support/sample-places.ts";
import { createTestIndex, testTopology, uidOf } from "../../support/test-index.ts";

const folder = mkdtempSync(join(tmpdir(), "hereabouts-export-"));
afterAll(() => rmSync(folder, { recursive: true }));

const { signal } = new AbortController();

async function setUp(places: readonly PlaceDocument[]) {
  const live = await createTestIndex(places);
  const engine = testTopology(live.prefix);
  const admin = openIndexAdmin(engine);
  onTestFinished(async () => {
    await admin.close();
    await live[Symbol.asyncDispose]();
  });
  return { engine, admin };
}

const manyPlaces = (count: number): PlaceDocument[] => Array.from({ length: count }, () => buildPlace());

async function readAll(admin: ReturnType<typeof openIndexAdmin>, role: IndexRole): Promise<PlaceDocument[]> {
  const places: PlaceDocument[] = [];
  for await (const page of admin.streamPlaces(role)) places.push(...page);
  return places.toSorted((one, other) => (one.data_id < other.data_id ? -1 : 1));
}

test("importing an exported file gives an equal index, and the previous one can be exported too", async () => {
  const { engine, admin } = await setUp([CAFE, ...manyPlaces(600)]);
  const path = join(folder, "places.jsonl");
  const importFile = async (): Promise<void> => {
    const sources = await openSources([path], { signal, stdin: Readable.from([]) });
    const today = Temporal.PlainDate.from("2026-11-20");
    const interruption = { signal, finishUndisturbed: () => {} };
    const progress = { begin: () => {}, say: () => {}, stop: () => {} };
    const tally = createTally();
    await importPlaces(sources, {
      index: engine,
      tally,
      maxRejectsPercent: 0,
      today,
      interruption,
      progress,
    });
    expect(tally.notes.size).toBe(0);
    closeSources(sources);
  };
  const exportFile = async (role: IndexRole): Promise<string[]> => {
    const exported = await beginExport(admin, role);
    await streamAtomically(path, exportLines(admin, role, exported), signal);
    expect(exported.places).toBe(601);
    return readFileSync(path, "utf8").trimEnd().split("\n").toSorted();
  };
  // The first import completes what test places lack.
  await exportFile("live");
  await importFile();
  const before = await readAll(admin, "live");
  const lines = await exportFile("live");
  await importFile();
  expect(await readAll(admin, "live")).toEqual(before);
  expect(await exportFile("live")).toEqual(lines);
  expect(await exportFile("previous")).toEqual(lines);
});

test("a missing index cannot be exported", async () => {
  const { admin } = await setUp([buildPlace()]);
  await expect(beginExport(admin, "next")).rejects.toThrow("There is no next index to export");
  await expect(beginExport(admin, "previous")).rejects.toThrow("There is no previous index to export");
});

describe("an index that changes during the export", () => {
  /** Reads pages of a hundred, and lets something happen after the second. */
  async function readWith(
    places: readonly PlaceDocument[],
    meanwhile: (uid: string, page: readonly string[]) => Promise<void>,
  ) {
    const { engine } = await setUp(places);
    const uid = await uidOf(engine);
    const connection = { ...connectEngine(engine.engines[0]!), uid };
    const ids: string[] = [];
    let pages = 0;
    try {
      for await (const page of streamPlaces(connection, 100)) {
        const pageIds = page.map(({ data_id: dataId }) => dataId);
        pages += 1;
        if (pages === 2) await meanwhile(uid, pageIds);
        ids.push(...pageIds);
      }
      return ids;
    } finally {
      await connection.close();
    }
  }

  const deletePlaces = (uid: string, dataIds: readonly string[]): Promise<void> =>
    changeEngine("POST", `/indexes/${uid}/documents/delete-batch`, dataIds.map(dataIdIdentity));

  test("loses no place when earlier places are deleted", async () => {
    const places = manyPlaces(400);
    const ids = await readWith(places, (uid, page) => deletePlaces(uid, page.slice(0, 70)));
    expect(ids.toSorted()).toEqual(places.map(({ data_id: dataId }) => dataId).toSorted());
  });

  test("fails when too many places are deleted", async () => {
    const reading = readWith(manyPlaces(300), deletePlaces);
    await expect(reading).rejects.toThrow(IndexChangedError);
  });

  test("fails when later imports have removed it", async () => {
    const places = manyPlaces(400);
    const reading = readWith(places, async (uid) => {
      const topology = testTopology(uid.slice(0, uid.indexOf("_", "test_".length)));
      await importInto(topology, places);
      await importInto(topology, places);
    });
    await expect(reading).rejects.toThrow("Later imports removed the index while it was read");
  });
});
