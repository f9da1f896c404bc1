import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { UNCOORDINATED, type Coordination } from "../../../indexer/session/coordination.ts";
import { buildPartition } from "../../support/divided-index.ts";
import { createReplicas, type CaughtUp, type ReplicaState } from "../../../indexer/index/catch-up.ts";
import { readMap, writePartitionMap } from "../../../indexer/index/store-map.ts";
import { connectEngine } from "../../../src/meilisearch/connection.ts";
import { INDEX_VERSION, toIndexedPlace } from "../../../src/meilisearch/index-form.ts";
import { toRedirectDocument } from "../../../src/meilisearch/manifest.ts";
import { readMapOf } from "../../../src/partitions/stored-map.ts";
import { enginesOfPartition } from "../../../src/partitions/topology.ts";
import { toAddedNamesDocument } from "../../../src/partitions/name-filter.ts";
import { toChangedDocument, toWritesDocument } from "../../../src/partitions/writes.ts";
import { buildPlace } from "../../support/build-place.ts";
import { startThreeEngines, type ThreeEngines } from "../../support/three-engines.ts";

const PARTITIONS = [0, 1, 2] as const;
const uidOf = (partition: number): string => `places_g1_${partition}`;

const placeOf = (partition: number, number: number, title = "Phở Thìn") =>
  buildPlace({ data_id: `0x${partition + 1}:0x${(number + 1).toString(16)}`, title });

let three: ThreeEngines;

beforeAll(async () => {
  three = await startThreeEngines({ partitions: 3 });
  const { topology } = three;
  for (const partition of PARTITIONS) {
    const [first] = enginesOfPartition(topology, partition);
    const places = Array.from({ length: 60 }, (_, number) => placeOf(partition, number));
    await buildPartition(first!, uidOf(partition), places);
    await write(first!.name, partition, [toWritesDocument({ count: 1 })]);
  }
  const partitions = PARTITIONS.map((partition) => ({
    first_cell: partition * 1_000_000,
    engines: enginesOfPartition(topology, partition).map(({ name }) => name),
  }));
  const live = {
    generation: "g1",
    index_version: INDEX_VERSION,
    built_at: "2026-11-18T03:00:00Z",
    partitions,
  };
  await writePartitionMap(topology, { sequence: 1, live });
});

afterAll(() => three[Symbol.asyncDispose]());

const engineOf = (name: string) => three.topology.engines.find((engine) => engine.name === name)!;

type EngineIndex = ReturnType<ReturnType<typeof connectEngine>["client"]["index"]>;

const withIndex = <T>(name: string, partition: number, run: (index: EngineIndex) => Promise<T>): Promise<T> =>
  withIndexNamed(name, uidOf(partition), run);

async function withIndexNamed<T>(
  name: string,
  uid: string,
  run: (index: EngineIndex) => Promise<T>,
): Promise<T> {
  const connection = connectEngine(engineOf(name));
  try {
    return await run(connection.client.index(uid));
  } finally {
    await connection.close();
  }
}

const write = (name: string, partition: number, documents: readonly object[]): Promise<unknown> =>
  withIndex(name, partition, async (index) =>
    index.addDocuments(documents as Record<string, unknown>[], { primaryKey: "id" }).waitTask(),
  );

const remove = (name: string, partition: number, ids: string[]): Promise<unknown> =>
  withIndex(name, partition, async (index) => index.deleteDocuments(ids).waitTask());

/** All documents of a replica and its settings, in one order. */
const readAll = (name: string, partition: number): Promise<{ documents: object[]; settings: object }> =>
  withIndex(name, partition, async (index) => {
    const { results } = await index.getDocuments({ limit: 10_000 });
    const documents = results.toSorted((one, other) => (String(one["id"]) < String(other["id"]) ? -1 : 1));
    return { documents, settings: await index.getSettings() };
  });

async function catchUp(): Promise<{ done: readonly CaughtUp[]; states: readonly ReplicaState[] }> {
  const signal = new AbortController().signal;
  const replicas = createReplicas({ topology: three.topology, coordination: UNCOORDINATED, signal });
  return { done: await replicas.catchUp(), states: await replicas.readStates() };
}

const describeStates = (states: readonly ReplicaState[]): string[] =>
  states.map(({ replica, state }) => `${replica.partition} ${replica.engine} ${state}`);

async function expectEqualReplicas(): Promise<void> {
  for (const partition of PARTITIONS) {
    const [first, second] = enginesOfPartition(three.topology, partition);
    expect(await readAll(second!.name, partition)).toEqual(await readAll(first!.name, partition));
  }
}

test("replicas that have nothing yet are filled from those that do; then there is nothing to do", async () => {
  const { done, states } = await catchUp();
  expect(done.map(({ copied, deleted }) => [copied, deleted])).toEqual([
    [60, 0],
    [60, 0],
    [60, 0],
  ]);
  expect(states).toHaveLength(6);
  expect(states.every(({ state }) => state === "current")).toBe(true);
  await expectEqualReplicas();
  expect((await catchUp()).done).toEqual([]);
});

test("a replica that missed a batch gets what was added, changed and deleted, and nothing else", async () => {
  const [current] = enginesOfPartition(three.topology, 0);
  const changed = toIndexedPlace(placeOf(0, 7, "Phở Bát Đàn"));
  const added = toIndexedPlace(placeOf(0, 70));
  const redirect = toRedirectDocument({ from: "0x9:0x99", to: placeOf(0, 7).data_id });
  const gone = toIndexedPlace(placeOf(0, 8)).id;
  await write(current!.name, 0, [toWritesDocument({ count: 2 }), changed, added, redirect]);
  await remove(current!.name, 0, [gone]);
  const { done, states } = await catchUp();
  expect(done).toMatchObject([{ partition: 0, engine: "engine-2", copied: 3, deleted: 1 }]);
  expect(states.every(({ state }) => state === "current")).toBe(true);
  await expectEqualReplicas();
});

test("what only the replica has, from a write that its twin never took, goes", async () => {
  const [current, behind] = enginesOfPartition(three.topology, 1);
  await write(behind!.name, 1, [toIndexedPlace(placeOf(1, 80)), toIndexedPlace(placeOf(1, 3, "Sai tên"))]);
  await write(current!.name, 1, [toWritesDocument({ count: 2 })]);
  const { done } = await catchUp();
  expect(done).toMatchObject([{ partition: 1, engine: "engine-3", copied: 1, deleted: 1 }]);
  await expectEqualReplicas();
});

test("an engine that is away is left alone, and its twins stay current", async () => {
  await three.servers[2]!.kill();
  const { done, states } = await catchUp();
  expect(done).toEqual([]);
  expect(describeStates(states).filter((state) => state.includes("engine-3"))).toEqual([
    "1 engine-3 away",
    "2 engine-3 away",
  ]);
  expect(states.filter(({ state }) => state === "current")).toHaveLength(4);
  await three.servers[2]!.revive();
});

test("an engine that has lost everything gets its indexes, settings, map and search key back", async () => {
  const connection = connectEngine(engineOf("engine-3"));
  for (const uid of [uidOf(1), uidOf(2), "places_map"]) await connection.client.deleteIndex(uid).waitTask();
  const { done, states } = await catchUp();
  expect(done.map(({ engine, partition, copied }) => [engine, partition, copied])).toEqual([
    ["engine-3", 1, 60],
    ["engine-3", 2, 60],
  ]);
  expect(states.every(({ state }) => state === "current")).toBe(true);
  await expectEqualReplicas();
  const { results } = await connection.client.getKeys();
  expect(results.map(({ indexes }) => indexes)).toContainEqual(["places", "places_*"]);
  expect(await connection.client.index("places_map").getDocument("map")).toMatchObject({
    _map: { sequence: 1 },
  });
  await connection.close();
});

test("a replica that was never finished is empty until it has been filled", async () => {
  await remove("engine-1", 0, ["writes", toIndexedPlace(placeOf(0, 5)).id]);
  const signal = new AbortController().signal;
  const replicas = createReplicas({ topology: three.topology, coordination: UNCOORDINATED, signal });
  expect(describeStates(await replicas.readStates())).toContain("0 engine-1 empty");
  const { done } = await catchUp();
  expect(done).toMatchObject([{ partition: 0, engine: "engine-1", copied: 1, deleted: 0 }]);
  await expectEqualReplicas();
});

test("whoever stops it while its twin hangs does not wait for that", async () => {
  await remove("engine-1", 0, ["writes", toIndexedPlace(placeOf(0, 5)).id]);
  const [twin] = enginesOfPartition(three.topology, 0).filter(({ name }) => name !== "engine-1");
  const server = three.servers[three.topology.engines.findIndex(({ name }) => name === twin!.name)]!;
  const stop = new AbortController();
  const coordination: Coordination = {
    ...UNCOORDINATED,
    async holdWrite(run, signal) {
      const result = await UNCOORDINATED.holdWrite(run, signal);
      server.hang();
      setTimeout(() => stop.abort(new Error("stopped")), 100);
      return result;
    },
  };
  const replicas = createReplicas({ topology: three.topology, coordination, signal: stop.signal });
  try {
    await expect(replicas.catchUp()).rejects.toThrow("stopped");
  } finally {
    server.goOn();
  }
  expect((await catchUp()).done).toMatchObject([{ partition: 0, engine: "engine-1", copied: 1 }]);
  await expectEqualReplicas();
});

describe("while others write to the twin after it was compared", () => {
  /** The number of writes of partition 0 so far. */
  let count = 10;

  /** Catches up; each time that this takes the lease for writing after its first, another writer had it right before. */
  async function catchUpBeside(writeBefore: (turn: number) => Promise<void>, topology = three.topology) {
    let turns = 0;
    const coordination: Coordination = {
      ...UNCOORDINATED,
      async holdWrite(run, signal) {
        turns += 1;
        if (turns > 1) await writeBefore(turns - 1);
        return UNCOORDINATED.holdWrite(run, signal);
      },
    };
    const signal = new AbortController().signal;
    const replicas = createReplicas({ topology, coordination, signal });
    return { done: await replicas.catchUp(), turns };
  }

  /** One replica of partition 0 misses a batch. */
  beforeEach(async () => {
    const [current] = enginesOfPartition(three.topology, 0);
    await write(current!.name, 0, [toWritesDocument({ count: (count += 1) })]);
  });

  test("what they added, changed and deleted is copied by its ids, before the replica is used", async () => {
    const [current] = enginesOfPartition(three.topology, 0);
    const [added, changed] = [placeOf(0, 90), placeOf(0, 9, "Phở Gà")].map(toIndexedPlace);
    const gone = toIndexedPlace(placeOf(0, 10)).id;
    const { done, turns } = await catchUpBeside(async () => {
      count += 1;
      const marks = [
        toWritesDocument({ count }),
        toChangedDocument(count, [added!.id, changed!.id, gone]),
        toAddedNamesDocument([1, 2, 3]),
      ];
      await write(current!.name, 0, [...marks, added!, changed!]);
      await remove(current!.name, 0, [gone]);
    });
    expect(turns).toBe(2);
    expect(done).toMatchObject([{ partition: 0, copied: 2, deleted: 1 }]);
    await expectEqualReplicas();
  });

  test("more than is remembered: it is compared again, and at last while nobody writes", async () => {
    const [current] = enginesOfPartition(three.topology, 0);
    const { done, turns } = await catchUpBeside(async (turn) => {
      count += 1;
      await write(current!.name, 0, [
        toWritesDocument({ count }),
        toIndexedPlace(placeOf(0, 11, `Phở Cồ ${turn}`)),
      ]);
    });
    expect(turns).toBe(4);
    expect(done).toMatchObject([{ partition: 0, copied: 3 }]);
    await expectEqualReplicas();
  });

  test("nothing: the replica is used after one comparison", async () => {
    const { done, turns } = await catchUpBeside(async () => undefined);
    expect(turns).toBe(2);
    expect(done).toMatchObject([{ partition: 0, copied: 0, deleted: 0 }]);
    await expectEqualReplicas();
  });

  test("a replica whose engine lost its data after the comparison is not used before it is filled", async () => {
    const [, behind] = enginesOfPartition(three.topology, 0);
    const emptied = catchUpBeside(async () => {
      await withIndex(behind!.name, 0, async (index) => index.delete().waitTask());
    });
    await expect(emptied).rejects.toThrow(/has \d of \d+ documents after the comparison/);
    expect((await catchUp()).done).toMatchObject([{ partition: 0, engine: behind!.name }]);
    await expectEqualReplicas();
  });

  test("a twin that they noted as behind meanwhile, while a third engine has what it lacks: nothing is used that was copied from it", async () => {
    const [current, missing] = enginesOfPartition(three.topology, 0).map(({ name }) => name);
    const map = (await readMap(three.topology))!;
    const noteBehind = async (behind: string[]): Promise<void> => {
      const partitions = map.live.partitions.map((partition, number) =>
        number === 0 && behind.length > 0 ? { ...partition, behind } : partition,
      );
      const { sequence } = (await readMap(three.topology))!;
      await writePartitionMap(three.topology, { sequence: sequence + 1, live: { ...map.live, partitions } });
    };
    await noteBehind([missing!]);
    const catchingUp = catchUpBeside(() => noteBehind([missing!, current!]));
    await expect(catchingUp).rejects.toThrow("No engine that responds has partition 0.");
    await noteBehind([]);
    expect((await catchUp()).done).toMatchObject([{ partition: 0, copied: 0, deleted: 0 }]);
    await expectEqualReplicas();
  });

  test("another twin, by the same number as a batch of the first that was never finished: it is compared with that one", async () => {
    const topology = { ...three.topology, partitions: 1, replicas: 3, prefix: "tripled" };
    const uid = "tripled_g1_0";
    const [one, two, last] = topology.engines.map(({ name }) => name) as [string, string, string];
    for (const engine of topology.engines) await buildPartition(engine, uid, [placeOf(0, 1)]);
    const put = (name: string, writes: number, title: string): Promise<unknown> => {
      const marks = [toWritesDocument({ count: writes }), toChangedDocument(writes, [])];
      const documents = [...marks, toIndexedPlace(placeOf(0, 1, title))] as Record<string, unknown>[];
      return withIndexNamed(name, uid, async (index) => index.addDocuments(documents).waitTask());
    };
    const map = (behind?: string[]) => ({
      sequence: behind ? 2 : 1,
      live: {
        generation: "g1",
        index_version: INDEX_VERSION,
        built_at: "2026-11-18T03:00:00Z",
        partitions: [{ first_cell: 0, engines: [one, two, last], ...(behind && { behind }) }],
      },
    });
    await writePartitionMap(topology, map());
    await put(one, 5, "Never finished");
    await three.servers[1]!.kill();
    const { done } = await catchUpBeside(async (turn) => {
      if (turn > 1) return;
      await three.servers[1]!.revive();
      await put(two, 5, "Finished");
      await writePartitionMap(topology, map([one]));
    }, topology);
    expect(done).toMatchObject([{ engine: last, copied: 2 }]);
    await withIndexNamed(last, uid, async (index) =>
      expect(await index.getDocument(toIndexedPlace(placeOf(0, 1)).id)).toMatchObject({ title: "Finished" }),
    );
  });
});

test("an engine restored from an older copy of its folder, with an older map, gets all that changed since", async () => {
  const [server, data] = [three.servers[1]!, join(three.servers[1]!.dataDir, "meilisearch")];
  const copy = mkdtempSync(join(tmpdir(), "hereabouts-copy-"));
  await server.kill();
  cpSync(data, copy, { recursive: true });
  await server.revive();
  for (const engine of ["engine-1", "engine-2"])
    await write(engine, 0, [toWritesDocument({ count: 50 }), toIndexedPlace(placeOf(0, 20, "Phở Mới"))]);
  const map = await readMap(three.topology);
  await writePartitionMap(three.topology, { ...map!, sequence: map!.sequence + 1 });

  await server.kill();
  rmSync(data, { recursive: true });
  cpSync(copy, data, { recursive: true });
  rmSync(copy, { recursive: true });
  await server.revive();
  const { done, states } = await catchUp();
  expect(done).toMatchObject([{ partition: 0, engine: "engine-2", copied: 1, deleted: 0 }]);
  expect(states.every(({ state }) => state === "current")).toBe(true);
  await expectEqualReplicas();
  const connection = connectEngine(engineOf("engine-2"));
  expect(await readMapOf({ name: "engine-2", connection }, "places")).toMatchObject({
    sequence: map!.sequence + 1,
  });
  await connection.close();
});

test("without a complete replica the partition is lost, and nothing is copied", async () => {
  const [first, second] = enginesOfPartition(three.topology, 2);
  await remove(first!.name, 2, ["writes"]);
  await remove(second!.name, 2, ["writes"]);
  const { done, states } = await catchUp();
  expect(done).toEqual([]);
  expect(describeStates(states).filter((state) => state.endsWith("lost"))).toHaveLength(2);
});

test("the index of one engine from before there was a map is current, though its writes were not counted", async () => {
  const { topology } = three;
  await buildPartition(engineOf("engine-1"), "places", [placeOf(0, 1)]);
  await withIndexNamed("engine-1", "places", async (index) => index.deleteDocument("writes").waitTask());
  const map = await readMap(topology);
  const partitions = [{ first_cell: 0, engines: ["engine-1"] }];
  const previous = { ...map!.live, generation: "", partitions };
  await writePartitionMap(topology, { sequence: map!.sequence + 1, live: map!.live, previous });
  const { states } = await catchUp();
  const ofPrevious = states.filter(({ generation }) => generation === "previous");
  expect(describeStates(ofPrevious)).toEqual(["0 engine-1 current"]);
});
