import { afterAll, beforeAll, expect, test } from "vitest";
import { UNCOORDINATED } from "../../../indexer/coordination.ts";
import { startIndexBuild } from "../../../indexer/index-build/start-index-build.ts";
import { createReplicas, type CaughtUp, type ReplicaState } from "../../../indexer/partitions/catch-up.ts";
import { writePartitionMap } from "../../../indexer/partitions/store-map.ts";
import { connectEngine } from "../../../src/meilisearch/connection.ts";
import { INDEX_VERSION, toIndexedPlace } from "../../../src/meilisearch/index-form.ts";
import { toRedirectDocument } from "../../../src/meilisearch/manifest.ts";
import { enginesOfPartition } from "../../../src/partitions/topology.ts";
import { toWritesDocument } from "../../../src/partitions/writes.ts";
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
    const build = await startIndexBuild({ ...first!, prefix: uidOf(partition) });
    await build.add(Array.from({ length: 60 }, (_, number) => placeOf(partition, number)));
    await build.finish();
    await build.swap();
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

async function withIndex<T>(
  name: string,
  partition: number,
  run: (index: ReturnType<ReturnType<typeof connectEngine>["client"]["index"]>) => Promise<T>,
): Promise<T> {
  const connection = connectEngine(engineOf(name));
  try {
    return await run(connection.client.index(uidOf(partition)));
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
  try {
    return { done: await replicas.catchUp(), states: await replicas.readStates() };
  } finally {
    await replicas.close();
  }
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
  expect(results.map(({ indexes }) => indexes)).toContainEqual(["places_*"]);
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
  await replicas.close();
  const { done } = await catchUp();
  expect(done).toMatchObject([{ partition: 0, engine: "engine-1", copied: 1, deleted: 0 }]);
  await expectEqualReplicas();
});

test("without a complete replica the partition is lost, and nothing is copied", async () => {
  const [first, second] = enginesOfPartition(three.topology, 2);
  await remove(first!.name, 2, ["writes"]);
  await remove(second!.name, 2, ["writes"]);
  const { done, states } = await catchUp();
  expect(done).toEqual([]);
  expect(describeStates(states).filter((state) => state.endsWith("lost"))).toHaveLength(2);
});
