import { describe, expect, inject, onTestFinished, test } from "vitest";
import { openPlaceIndex } from "../../../src/partitions/open-place-index.ts";
import type { PlaceDocument } from "../../../src/place/document/place-document.ts";
import { cellsOf } from "../../../src/place/geometry/cells.ts";
import { connectEngine } from "../../../src/meilisearch/connection.ts";
import { INDEX_VERSION, toIndexedPlace } from "../../../src/meilisearch/index-form.ts";
import { toManifestDocument } from "../../../src/meilisearch/manifest.ts";
import type { PlaceIndex } from "../../../src/meilisearch/place-index.ts";
import { oneEngine, type Topology } from "../../../src/partitions/topology.ts";
import { openIndexAdmin } from "../../../indexer/index/index-admin.ts";
import { openLiveIndex } from "../../../indexer/index/live-index.ts";
import { readMap } from "../../../indexer/index/store-map.ts";
import { importInto, putDocuments, putMap } from "../../support/divided-index.ts";
import { createEmptyIndex, startIndexBuild } from "../../../indexer/index/start-build.ts";
import { buildPlace } from "../../support/build-place.ts";
import { createTestPrefix, removeTestIndex, testTopology, uidOf } from "../../support/test-index.ts";
import { askEngine } from "../import/live-documents.ts";

function setUp() {
  const prefix = createTestPrefix();
  const topology = testTopology(prefix);
  const index = openPlaceIndex(topology);
  onTestFinished(async () => {
    await index.close();
    await removeTestIndex(prefix);
  });
  return { topology, index };
}

const oldPlace = buildPlace({ data_id: "0x1:0xa1", title: "Quán Cũ" });
const newPlace = buildPlace({ data_id: "0x1:0xb2", title: "Quán Mới" });

/** A place as the index returns it, with the time of its indexing. */
const stored = (place: PlaceDocument) => ({ ...place, indexed_at: expect.any(Number) as number });

const importPlaces = (topology: Topology, places = [oldPlace]): Promise<void> => importInto(topology, places);

/** Waits until the index has noticed that another is live. */
const notice = (index: PlaceIndex): Promise<unknown> => index.readState();

describe("a build", () => {
  test("is invisible before the swap and complete after it", async () => {
    const { topology, index } = setUp();
    await importPlaces(topology);
    const build = await startIndexBuild(topology);
    await build.add([newPlace]);
    expect(await build.finish()).toMatchObject({ places: 1 });
    expect(await index.getPlace(newPlace.data_id)).toBeUndefined();
    expect(await index.getPlace(oldPlace.data_id)).toEqual(stored(oldPlace));
    await build.swap();
    await notice(index);
    expect(await index.getPlace(newPlace.data_id)).toEqual(stored(newPlace));
    expect(await index.getPlace(oldPlace.data_id)).toBeUndefined();
  });

  test("is written to as rarely as possible", async () => {
    const { topology } = setUp();
    const build = await startIndexBuild(topology);
    await build.add([oldPlace]);
    await build.finish();
    await build.add([newPlace]);
    for (let times = 0; times < 3; times += 1) expect(await build.finish()).toMatchObject({ places: 2 });
    await build.completeForSearch();
    expect(await build.finish()).toMatchObject({ places: 2 });
    await build.swap();
    const path = `tasks?indexUids=${await uidOf(topology)}&reverse=true`;
    const tasks = await askEngine<{ results: { type: string }[] }>(topology.engines[0]!, path);
    expect(tasks?.results.map(({ type }) => type)).toEqual([
      "settingsUpdate",
      // Two requests of places, and the words that go together.
      ...Array.from({ length: 3 }, () => "documentAdditionOrUpdate"),
      "settingsUpdate",
      "documentAdditionOrUpdate",
    ]);
  });

  test("knows the data ids of the live index by their identities", async () => {
    const { topology } = setUp();
    const first = await startIndexBuild(topology);
    expect(await first.knownDataIds(["0xa1"])).toEqual(new Map());
    await first.add([oldPlace]);
    await first.finish();
    await first.swap();
    const build = await startIndexBuild(topology);
    expect(await build.knownDataIds(["0xa1", "0xff"])).toEqual(new Map([["0xa1", "0x1:0xa1"]]));
    await build.discard();
  });
});

describe("the state of the index", () => {
  test("is missing before the first import", async () => {
    const { index } = setUp();
    expect(await index.readState()).toEqual({ state: "missing" });
  });

  test("is unreachable when the engine is unreachable", async () => {
    const index = openPlaceIndex(oneEngine({ url: "http://127.0.0.1:1", key: undefined }));
    expect(await index.readState()).toEqual({ state: "unreachable" });
    await index.close();
  });
});

describe("the census", () => {
  test("counts places by cell and by type and names their time zones", async () => {
    const { topology, index } = setUp();
    await importPlaces(topology, [oldPlace, newPlace]);
    const { places, density, types, timezones } = await index.readCensus();
    expect(places).toBe(2);
    expect(timezones).toEqual(["Asia/Ho_Chi_Minh"]);
    expect([...types.values()]).toEqual([2]);
    expect(cellsOf(oldPlace.location).map((cell) => density.placesIn(cell))).toEqual([2, 2, 2, 2, 2, 2]);
  });

  test("has the pairs of words that many places have side by side, as the import counted them", async () => {
    const { topology, index } = setUp();
    const places = Array.from({ length: 250 }, (_, at) =>
      buildPlace({ title: `Công ty ${at}`, data_id: `0x1:0x${(at + 1).toString(16)}` }),
    );
    await importPlaces(topology, places);
    const { words, places: counted } = await index.readCensus();
    expect(counted, "the counts are no place").toBe(250);
    expect(words.pairs).toEqual({ inNames: { "cong ty": 250 }, inAddresses: {} });
  });
});

describe("an index of another version", () => {
  /** Says in the map that another version of the program built what is live. */
  async function changeVersion(topology: Topology): Promise<void> {
    const map = (await readMap(topology))!;
    const live = { ...map.live, index_version: "0.0" };
    await putMap(topology, { ...map, sequence: map.sequence + 1, live });
  }

  test("is not read until it has been rebuilt", async () => {
    const { topology, index } = setUp();
    await importPlaces(topology);
    await changeVersion(topology);
    expect(await index.readState()).toMatchObject({ state: "wrong_version", found: "0.0" });
    await expect(index.getPlace(oldPlace.data_id)).rejects.toMatchObject({ code: "engine_unavailable" });
    await importPlaces(topology);
    await notice(index);
    expect(await index.getPlace(oldPlace.data_id)).toEqual(stored(oldPlace));
  });

  test("does not disturb servers of this version, which go on with the index before it", async () => {
    const { topology, index } = setUp();
    await importPlaces(topology, [oldPlace]);
    await importPlaces(topology, [newPlace]);
    await changeVersion(topology);
    expect(await index.readState()).toMatchObject({ state: "ready", places: 1 });
    expect(await index.getPlace(oldPlace.data_id)).toEqual(stored(oldPlace));
  });
});

describe("an index from before there was a map", () => {
  /** What the program made before version 0.2: one index, known by its name. */
  async function makeUnnamed(topology: Topology, places: readonly PlaceDocument[]): Promise<void> {
    const engine = topology.engines[0]!;
    const connection = { ...connectEngine(engine), uid: topology.prefix };
    await createEmptyIndex(connection);
    await connection.close();
    const manifest = toManifestDocument({ version: INDEX_VERSION, built_at: "2026-11-01T00:00:00.000Z" });
    await putDocuments(engine, topology.prefix, [...places.map(toIndexedPlace), manifest]);
  }

  test("is read, takes changes, becomes the previous one with the next import, and goes with the one after", async () => {
    const { topology, index } = setUp();
    await makeUnnamed(topology, [oldPlace]);
    expect(await index.readState()).toMatchObject({ state: "ready", places: 1 });
    const live = openLiveIndex(topology);
    onTestFinished(() => live.close());
    await (
      await live.write({ places: [newPlace], removed: [] })
    )();
    expect(await index.getPlace(newPlace.data_id)).toEqual(stored(newPlace));
    await importPlaces(topology, [newPlace]);
    await notice(index);
    expect(await index.getPlace(oldPlace.data_id)).toBeUndefined();
    const admin = openIndexAdmin(topology);
    onTestFinished(() => admin.close());
    await admin.swapWithPrevious();
    await notice(index);
    expect(await index.getPlace(oldPlace.data_id)).toEqual(stored(oldPlace));
    await importPlaces(topology, [newPlace]);
    await importPlaces(topology, [newPlace]);
    const { url, key } = topology.engines[0]!;
    const headers = { authorization: `Bearer ${key}` };
    expect((await fetch(`${url}/indexes/${topology.prefix}`, { headers })).status).toBe(404);
    await notice(index);
    expect(await index.getPlace(newPlace.data_id)).toEqual(stored(newPlace));
  });
});

describe("indexes that are not ours", () => {
  const send = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${inject("meilisearchUrl")}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${inject("meilisearchKey")}`, "content-type": "application/json" },
    });

  /** Another program's index with one document. */
  async function createForeign(uid: string): Promise<void> {
    await send(`/indexes/${uid}/documents`, { method: "POST", body: '[{"id":"manifest","theirs":true}]' });
    await expect.poll(async () => (await send(`/indexes/${uid}/documents/manifest`)).status).toBe(200);
  }

  const readTheirs = async (uid: string): Promise<unknown> =>
    (await send(`/indexes/${uid}/documents/manifest`)).json();

  test("with names like ours outlive imports", async () => {
    const { topology } = setUp();
    const uids = [
      "",
      "_next",
      "_previous",
      "_new",
      "_old",
      "_backup_1",
      "_next_1",
      "_previous_0",
      "_live",
    ].map((ending) => `${topology.prefix}${ending}`);
    onTestFinished(async () => {
      for (const uid of uids) await send(`/indexes/${uid}`, { method: "DELETE" });
    });
    for (const uid of uids) await createForeign(uid);
    for (const places of [[oldPlace], [newPlace], [oldPlace]]) await importPlaces(topology, places);
    for (const uid of uids) expect(await readTheirs(uid)).toMatchObject({ theirs: true });
  });
});
