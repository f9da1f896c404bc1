import { beforeAll, describe, expect, test } from "vitest";
import type { Change } from "../../../indexer/changes/change-queue.ts";
import { openPlaceIndex } from "../../../src/partitions/open-place-index.ts";
import { dataIdIdentity } from "../../../src/place/document/data-id.ts";
import type { PlaceDocument } from "../../../src/place/document/place-document.ts";
import { openLiveIndex } from "../../../indexer/index/live-index.ts";
import { buildPlace } from "../../support/build-place.ts";
import { toChange, writeBatches, writeLive } from "../../support/live-changes.ts";
import { startThreeEngines, type ThreeEngines } from "../../support/three-engines.ts";
import { importRecords, readEverything, readStates, records } from "./import-files.ts";

let engines: ThreeEngines;
beforeAll(async () => {
  // Each import creates an index for every replica: three partitions are half the work of six.
  engines = await startThreeEngines({ partitions: 3 });
  return () => engines[Symbol.asyncDispose]();
});

let number = 0;
let topology: ThreeEngines["topology"];
/** An index for the tests that follow, of which each takes it as the one before has left it. */
async function importOwn(): Promise<void> {
  topology = { ...engines.topology, prefix: `own${(number += 1)}` };
  await importRecords(topology, [records(60)]);
}

const write = (...changes: Change[]) => writeLive(topology, ...changes);

const statesNow = async (): Promise<string[]> => (await readStates(topology)).flatMap(({ states }) => states);

const atLatitude = (place: PlaceDocument, latitude: number): PlaceDocument => ({
  ...place,
  location: { ...place.location, latitude },
});

describe("while an engine is down", () => {
  beforeAll(importOwn);

  test("changes go to the other replicas, and its own are behind when it is back", async () => {
    const before = await readEverything(topology);
    await engines.servers[0]!.kill();
    try {
      await write(...before.map((place) => toChange({ ...place, title: "Tên mới" })));
      expect(new Set((await readEverything(topology)).map(({ title }) => title))).toEqual(
        new Set(["Tên mới"]),
      );
    } finally {
      await engines.servers[0]!.revive();
    }
    expect((await statesNow()).filter((state) => state === "behind")).toHaveLength(2);
    expect(new Set((await readEverything(topology)).map(({ title }) => title))).toEqual(new Set(["Tên mới"]));
    await write(toChange({ ...before[0]!, title: "Tên sau" }));
    expect((await statesNow()).filter((state) => state === "behind")).toHaveLength(2);
  });

  test("a partition without any replica refuses changes, and says which engines to start", async () => {
    await engines.servers[0]!.kill();
    await engines.servers[1]!.kill();
    try {
      await expect(readEverything(topology)).rejects.toThrow(/Partition 0 cannot be read: http.* and http/);
    } finally {
      await engines.servers[0]!.revive();
      await engines.servers[1]!.revive();
    }
  });
});

describe("changes to an index of several engines", () => {
  beforeAll(importOwn);

  test("a place that moves to another partition keeps its id and is there once", async () => {
    const before = await readEverything(topology);
    const [first] = before;
    await write(toChange(atLatitude(first!, 14.9)));
    const places = await readEverything(topology);
    expect(places).toHaveLength(before.length);
    const moved = places.filter(({ data_id: dataId }) => dataId === first!.data_id);
    expect(moved.map(({ location }) => location.latitude)).toEqual([14.9]);
    const index = openPlaceIndex(topology);
    expect((await index.getPlace(first!.data_id))?.location.latitude).toBe(14.9);
    await index.close();
    expect(new Set(await statesNow())).toEqual(new Set(["current"]));
  });

  test("a place that moves again while it is on its way is there once", async () => {
    const before = await readEverything(topology);
    const moves = [14.8, 9, 12].map((latitude) => [toChange(atLatitude(before[1]!, latitude))]);
    expect(await writeBatches(topology, moves)).toHaveLength(3);
    const places = await readEverything(topology);
    expect(places).toHaveLength(before.length);
    const moved = places.filter(({ data_id: dataId }) => dataId === before[1]!.data_id);
    expect(moved.map(({ location }) => location.latitude)).toEqual([12]);
  });

  test("places are deleted wherever they are, and unknown ones are named", async () => {
    const before = await readEverything(topology);
    const removed = [before[0]!, before[30]!, before.at(-1)!].map(({ data_id: dataId }): Change => {
      const identity = dataIdIdentity(dataId);
      return { identity, deleted: identity, bytes: 0 };
    });
    const unknown: Change = { identity: "0xabc", deleted: "0xabc", bytes: 0 };
    expect(await write(...removed, unknown)).toEqual({ applied: 0, deleted: 3, unknown: ["0xabc"] });
    expect(await readEverything(topology)).toHaveLength(before.length - 3);
    expect(new Set(await statesNow())).toEqual(new Set(["current"]));
  });

  test("a name that no partition had before is found at once", async () => {
    const place = buildPlace({ title: "Zanzibar Xylophone", location: { latitude: 11 } });
    await write(toChange(place));
    const index = openPlaceIndex(topology);
    const signal = AbortSignal.timeout(5_000);
    const lookup = { filter: { names: ["zanzibarxylophone"] }, limit: 5 };
    const [found] = await index.findPlaces([lookup], signal);
    expect(found?.places.map(({ title }) => title)).toEqual(["Zanzibar Xylophone"]);
    await index.close();
  });

  test("words that were added reach every partition, also while an engine is down, and the next import keeps them", async () => {
    const rows = "kind,COFFEE,vi,tiệm nước đen";
    const live = openLiveIndex(topology);
    await engines.servers[0]!.kill();
    try {
      await live.writeWords(rows);
      expect(await live.readWords()).toBe(rows);
    } finally {
      await engines.servers[0]!.revive();
      await live.close();
    }
    await importRecords(topology, [records(60)]);
    const index = openPlaceIndex(topology);
    expect(await index.readWords()).toBe(rows);
    expect(await readEverything(topology)).toHaveLength(60);
    await index.close();
  });
});
