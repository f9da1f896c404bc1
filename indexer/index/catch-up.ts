import { setTimeout as sleep } from "node:timers/promises";
import { untilAborted } from "../../src/cli/interruption.ts";
import { latestMap, readMaps } from "../../src/partitions/stored-map.ts";
import type { PartitionMap } from "../../src/partitions/partition-map.ts";
import { ensureSearchKey } from "../../src/meilisearch/keys.ts";
import type { Topology } from "../../src/partitions/topology.ts";
import type { Coordination } from "../session/coordination.ts";
import { connectGeneration, type Replica } from "./connect-generation.ts";
import { copyChanges, copyDifferences, takeIntoUse, type CopyTally } from "./copy-replica.ts";
import { waitForQueue } from "./engine-tasks.ts";
import { chooseCurrent, findReplicas, type CurrentReplica, type FoundReplica } from "./read-partitions.ts";
import { markBehind, readMap, writePartitionMap } from "./store-map.ts";

/** A replica of a partition that the live map or the previous one has. */
export interface ReplicaState {
  readonly generation: "live" | "previous";
  /** As the names of its indexes have it. */
  readonly generationId: string;
  readonly replica: Replica;
  /** `lost`: no replica that responds is complete. */
  readonly state: FoundReplica["state"] | "lost";
  /** The number of batches it has got; `undefined` where that is unknown. */
  readonly writes: number | undefined;
  /** All replicas of the partition. */
  readonly all: readonly Replica[];
}

/** A replica that was brought up to date. */
export interface CaughtUp extends CopyTally {
  readonly partition: number;
  readonly engine: string;
  readonly generation: "live" | "previous";
  readonly durationMs: number;
}

/** Knows the replicas of an index and brings them up to date. */
export interface Replicas {
  /** Empty before the first import. @throws when no engine responds. */
  readStates(): Promise<readonly ReplicaState[]>;
  /** Brings every replica up to date that responds and has a twin. Rejects with the first error, after all have been tried. */
  catchUp(): Promise<readonly CaughtUp[]>;
}

interface ReplicasOptions {
  readonly topology: Topology;
  readonly coordination: Coordination;
  readonly signal: AbortSignal;
  readonly onCaughtUp?: (done: CaughtUp) => void;
}

/** Reading one document; an engine that writes gigabytes responds slowly. */
const DEADLINE_MS = 5_000;

const withDeadline = (signal: AbortSignal): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);

export function createReplicas(options: ReplicasOptions): Replicas {
  return {
    readStates: async () => {
      const map = await readMap(options.topology);
      return map ? withStates(options, map, (states) => Promise.resolve(states)) : [];
    },
    catchUp: () => catchUp(options),
  };
}

/** Reads the state of all replicas of a map, with connections that last as long as `run`. */
async function withStates<T>(
  { topology, signal }: Pick<ReplicasOptions, "topology" | "signal">,
  { live, previous }: PartitionMap,
  run: (states: readonly ReplicaState[]) => Promise<T>,
): Promise<T> {
  const connected = [
    { name: "live" as const, generation: connectGeneration(topology, live) },
    ...(previous ? [{ name: "previous" as const, generation: connectGeneration(topology, previous) }] : []),
  ];
  try {
    const partitions = connected.flatMap(({ name, generation }) =>
      generation.partitions.map((replicas) =>
        readPartition({ generation: name, generationId: generation.generation.generation }, replicas),
      ),
    );
    return await run((await untilAborted(() => Promise.all(partitions), signal)).flat());
  } finally {
    await Promise.all(connected.map(({ generation }) => generation.close()));
  }
}

async function readPartition(
  generation: Pick<ReplicaState, "generation" | "generationId">,
  replicas: readonly Replica[],
): Promise<ReplicaState[]> {
  const found = await findReplicas(replicas, DEADLINE_MS);
  const isLost = found.every(({ state }) => state !== "current");
  return found.map(({ state, writes }, index) => ({
    ...generation,
    replica: replicas[index]!,
    state: isLost && state !== "away" ? "lost" : state,
    writes,
    all: replicas,
  }));
}

const isOutOfDate = ({ state }: ReplicaState): boolean => state === "behind" || state === "empty";

async function catchUp(options: ReplicasOptions): Promise<readonly CaughtUp[]> {
  const { topology, coordination, signal } = options;
  const maps = await readMaps(topology, DEADLINE_MS);
  const map = latestMap(maps);
  if (map === undefined) return [];
  const hasOldMap = maps.some((found) => found?.sequence !== map.sequence);
  signal.throwIfAborted();
  const isNeeded = await withStates(options, map, async (states) => states.some(isOutOfDate));
  if (!hasOldMap && !isNeeded) return [];
  return coordination.holdReplicas(async (lease) => {
    const held = { ...options, signal: lease.signal };
    const current = hasOldMap ? await shareMap(held) : await readMap(topology);
    return current ? withStates(held, current, (states) => catchUpAll(states, held)) : [];
  }, signal);
}

/** Gives the current map to engines that were away when it was written. */
const shareMap = ({ topology, coordination, signal }: ReplicasOptions) =>
  coordination.holdWrite(async () => {
    const map = await readMap(topology);
    if (map) await writePartitionMap(topology, map);
    return map;
  }, signal);

/** Engines work side by side; the replicas of one engine follow each other. Those of the live index come first. */
async function catchUpAll(
  states: readonly ReplicaState[],
  options: ReplicasOptions,
): Promise<readonly CaughtUp[]> {
  const byEngine = Map.groupBy(states.filter(isOutOfDate), ({ replica }) => replica.engine);
  const results = await Promise.allSettled(
    [...byEngine.values()].map(async (ofEngine) => {
      const caughtUp: CaughtUp[] = [];
      if (ofEngine.some(({ state }) => state === "empty"))
        await makeSearchKey(ofEngine[0]!.replica, options.topology);
      for (const state of ofEngine) {
        const done = await catchUpOne(state, options);
        options.onCaughtUp?.(done);
        caughtUp.push(done);
      }
      return caughtUp;
    }),
  );
  const failed = results.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
  return results.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
}

/** An engine that lost everything has also lost the key of the servers. */
async function makeSearchKey({ engine: name }: Replica, { engines, prefix }: Topology): Promise<void> {
  const engine = engines.find((other) => other.name === name);
  // An engine without keys needs none.
  if (engine?.key !== undefined) await ensureSearchKey(engine, prefix);
}

/** How often a replica is compared while others write more than is remembered, before they have to wait for it. */
const COMPARISONS = 3;

/**
 * A replica is compared with its twin while others write to that. What they wrote meanwhile is remembered, and copied in a moment in
 * which nobody writes; then the replica is taken into use.
 */
async function catchUpOne(state: ReplicaState, options: ReplicasOptions): Promise<CaughtUp> {
  const { generation, replica: to } = state;
  const { topology, coordination, signal } = options;
  const startedAt = performance.now();
  const tally: CopyTally = { copied: 0, deleted: 0 };
  const whileNobodyWrites = <T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> =>
    coordination.holdWrite((lease) => untilAborted(() => run(lease.signal), lease.signal), signal);

  let twin = await whileNobodyWrites((held) => findTwin(state, topology, held));
  for (let comparison = 1; twin !== undefined; comparison += 1) {
    const before = twin;
    await untilAborted(() => copyDifferences({ from: before, to, tally, signal }), signal);
    twin = await whileNobodyWrites(async (held) => {
      const now = await findTwin(state, topology, held);
      if (now === undefined) return undefined;
      const copy = { from: now, to, tally, signal: held };
      // What another twin changed says nothing of what was compared.
      const isSame = now.engine === before.engine;
      const isWhole = isSame && (await copyChanges(copy, { after: before.writes, until: now.writes }));
      if (!isWhole && comparison < COMPARISONS) return now;
      if (!isWhole) await copyDifferences(copy);
      held.throwIfAborted();
      await takeIntoUse(copy, { count: now.writes });
      await noteCaughtUp(state, options);
      return undefined;
    });
  }
  const durationMs = performance.now() - startedAt;
  return { ...tally, generation, partition: to.partition, engine: to.engine, durationMs };
}

/** A replica that has all changes; `undefined` when the one to bring up to date has them too. The caller holds the lease for writing. */
async function findTwin(
  { generationId, replica: to, all }: ReplicaState,
  topology: Topology,
  signal: AbortSignal,
): Promise<CurrentReplica | undefined> {
  // What a process that was killed has left in their queues belongs to them.
  const settle = ({ connection }: Replica) => waitForQueue(connection, connection.uid, withDeadline(signal));
  const [map] = await Promise.all([readMap(topology), Promise.allSettled(all.map(settle))]);
  const generation = [map?.live, map?.previous].find((one) => one?.generation === generationId);
  // Writers may have noted others as behind during the comparison.
  const behind = generation?.partitions[to.partition]?.behind ?? [];
  const now = all.map((one) => ({ ...one, isBehind: one.isBehind || behind.includes(one.engine) }));
  const current = chooseCurrent(await findReplicas(now, DEADLINE_MS));
  if (current.some(({ engine }) => engine === to.engine)) return undefined;
  if (current[0] === undefined) throw new Error(`No engine that responds has partition ${to.partition}.`);
  return current[0];
}

/** The caller holds the lease for writing. */
async function noteCaughtUp(
  { generationId, replica: to }: ReplicaState,
  { topology }: ReplicasOptions,
): Promise<void> {
  if (!to.isBehind) return;
  await markBehind(topology, generationId, (partition, behind) =>
    partition === to.partition ? behind.filter((engine) => engine !== to.engine) : behind,
  );
}

/** As often as servers look for replicas that have caught up. */
const WATCH_MS = 1_000;

/** Brings replicas up to date again and again, until the signal is aborted. Failures are reported once and tried again. */
export async function watchReplicas(
  replicas: Replicas,
  { signal, onFailure }: { readonly signal: AbortSignal; readonly onFailure: (error: unknown) => void },
): Promise<void> {
  let lastFailure = "";
  while (!signal.aborted) {
    try {
      await replicas.catchUp();
      lastFailure = "";
    } catch (error) {
      if (signal.aborted) return;
      if (String(error) !== lastFailure) onFailure(error);
      lastFailure = String(error);
    }
    await sleep(WATCH_MS, undefined, { signal }).catch(() => undefined);
  }
}
