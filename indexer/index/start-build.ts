import { randomUUID } from "node:crypto";
import { CommandError } from "../../src/cli/errors.ts";
import { engineResponseOf, type IndexConnection } from "../../src/meilisearch/connection.ts";
import { INDEX_SETTINGS, INDEX_VERSION } from "../../src/meilisearch/index-form.ts";
import {
  readManifest,
  readStats,
  type BuildOrigin,
  type UnfinishedManifest,
} from "../../src/meilisearch/manifest.ts";
import type { Generation, PartitionMap } from "../../src/partitions/partition-map.ts";
import { enginesOfPartition, type Topology } from "../../src/partitions/topology.ts";
import { EngineTaskError, lastFailedTask, runTask, waitForQueue } from "./engine-tasks.ts";
import { MOST_REQUEST_BYTES } from "./batch-queue.ts";
import { cutIntoPartitions, type Borders } from "./borders.ts";
import { connectGeneration, type ConnectedGeneration, type Replica } from "./connect-generation.ts";
import { createPartitionFill } from "./partition-fill.ts";
import { createIndexBuild, type IndexBuild } from "./index-build.ts";
import { createPartitionsReader, createReplicaChoice } from "./read-partitions.ts";
import {
  readMap,
  readSettledMap,
  settleMap,
  readNextGeneration,
  removeOtherGenerations,
  writeNextGeneration,
  type NextGeneration,
} from "./store-map.ts";

const NO_ORIGIN: BuildOrigin = { files: [], today: "" };
const NO_BORDERS: Borders = { cells: [], places: 0 };

export interface StartOptions {
  /** Without it the build cannot be resumed. */
  readonly origin?: BuildOrigin;
  /** Where the places are, so that each partition gets equally many. Called only when there are several. */
  readonly readBorders?: () => Promise<Borders>;
  readonly say?: (text: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Begins a new generation. First removes what an interrupted import left behind. Replicas whose engines do not respond are left out.
 * @throws {CommandError} when no engine of a partition responds.
 */
export async function startIndexBuild(
  topology: Topology,
  {
    origin = NO_ORIGIN,
    readBorders,
    say = () => undefined,
    signal = new AbortController().signal,
  }: StartOptions = {},
): Promise<IndexBuild> {
  const borders = (topology.partitions > 1 ? await readBorders?.() : undefined) ?? NO_BORDERS;
  const map = await readSettledMap(topology);
  await removeOtherGenerations(topology, [map?.live, map?.previous]);
  const now = new Date();
  const firstCells = cutIntoPartitions(borders.cells, topology.partitions);
  const generation: Generation = {
    generation: now.getTime().toString(36),
    index_version: INDEX_VERSION,
    built_at: now.toISOString(),
    partitions: firstCells.map((first_cell, partition) => ({
      first_cell,
      engines: enginesOfPartition(topology, partition).map(({ name }) => name),
    })),
  };
  const next = { generation, build: { id: randomUUID(), origin } };
  await writeNextGeneration(topology, next, map);
  const connected = connectGeneration(topology, generation);
  try {
    const replicas = await onReplicas(connected, say, (replica) =>
      createEmptyIndex(replica.connection, signal),
    );
    signal.throwIfAborted();
    const counts = { alreadyAdded: 0, expectedPlaces: borders.places };
    return open({ topology, map, next, connected, replicas, ...counts, say });
  } catch (error) {
    await connected.close();
    signal.throwIfAborted();
    throw error;
  }
}

/** Creates the index that is to be filled: its settings do. Its manifest comes with the first places. */
export const createEmptyIndex = (connection: IndexConnection, signal?: AbortSignal): Promise<void> =>
  runTask(connection, connection.client.index(connection.uid).updateSettings(INDEX_SETTINGS), signal);

/** What an interrupted import left behind, as the manifest of its index. `undefined` when nothing can be resumed. */
export async function readUnfinishedBuild(topology: Topology): Promise<UnfinishedManifest | undefined> {
  await settleMap(topology);
  const next = await readNextGeneration(topology);
  if (next === undefined || next.generation.index_version !== INDEX_VERSION) return undefined;
  return next.build.origin.files.length === 0 ? undefined : toFirstManifest(next);
}

/** The manifest of an index without places. */
const toFirstManifest = ({ generation, build }: NextGeneration): UnfinishedManifest => ({
  version: generation.index_version,
  built_at: generation.built_at,
  build: { ...build, added: 0 },
});

/**
 * Resumes an interrupted import once the engines have finished its batches. A replica that lacks some is left out. `undefined` when
 * no replica of a partition has all that was sent to it.
 */
export async function resumeIndexBuild(
  topology: Topology,
  { say = () => undefined, signal }: Pick<StartOptions, "say" | "signal"> = {},
): Promise<IndexBuild | undefined> {
  const next = await readNextGeneration(topology);
  if (next === undefined || next.generation.index_version !== INDEX_VERSION) return undefined;
  const connected = connectGeneration(topology, next.generation);
  try {
    const added: number[] = [];
    const replicas = await onReplicas(connected, say, async ({ connection }) => {
      added.push(await countAdded(connection, signal));
    });
    const alreadyAdded = Math.min(...added);
    const expectedPlaces = Math.max(alreadyAdded, RESUMED_PLACES);
    const map = await readMap(topology);
    return open({ topology, map, next, connected, replicas, alreadyAdded, expectedPlaces, say });
  } catch (error) {
    await connected.close();
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}

/** How many places a resumed import has in all is not known: enough for most, at a few megabytes. */
const RESUMED_PLACES = 10_000_000;

/** How many places of the input a replica has got. @throws when it lacks a batch, or its index. */
async function countAdded(connection: IndexConnection, signal: AbortSignal | undefined): Promise<number> {
  const { uid } = connection;
  await waitForQueue(connection, uid, signal);
  await readStats(connection, uid, MANIFEST_DEADLINE_MS);
  if ((await lastFailedTask(connection, uid)) >= 0)
    throw new EngineTaskError("it lacks a part of what was sent to it");
  return (await readManifest(connection, uid, MANIFEST_DEADLINE_MS))?.build?.added ?? 0;
}

const MANIFEST_DEADLINE_MS = 10_000;

/** A healthy engine says so in milliseconds. */
const HEALTH_DEADLINE_MS = 5_000;

/**
 * Does the same with every replica of every partition, and leaves out those with which it fails while another is left.
 * @throws {CommandError} when none is left of a partition.
 */
async function onReplicas(
  { partitions }: ConnectedGeneration,
  say: (text: string) => void,
  run: (replica: Replica) => Promise<void>,
): Promise<Replica[][]> {
  const left = new Map<string, string>();
  const keepWorking = async (replicas: readonly Replica[], partition: number): Promise<Replica[]> => {
    const results = await Promise.allSettled(
      replicas.map(async (replica) => {
        await checkHealth(replica);
        await run(replica);
      }),
    );
    for (const [index, result] of results.entries())
      if (result.status === "rejected") left.set(replicas[index]!.url, toReason(result.reason));
    const kept = replicas.filter((_, index) => results[index]!.status === "fulfilled");
    if (kept.length === 0) throw new CommandError(describeLost(partition, replicas, left));
    return kept;
  };
  const done = await Promise.all(partitions.map(keepWorking));
  for (const [url, reason] of left)
    say(`${url} is left out (${reason}). Bring its replicas up to date when it is back: index replicas.`);
  return done;
}

/** What a person can act on: an engine says what is wrong, a connection only that there is none. */
const toReason = (error: unknown): string =>
  engineResponseOf(error)?.message ??
  (error instanceof EngineTaskError ? error.message : "it does not respond");

const checkHealth = ({ connection }: Replica): Promise<unknown> =>
  connection.client.httpRequest.get({
    path: "health",
    extraRequestInit: { signal: AbortSignal.timeout(HEALTH_DEADLINE_MS) },
  });

function describeLost(
  partition: number,
  replicas: readonly Replica[],
  reasons: ReadonlyMap<string, string>,
): string {
  const told = replicas.map(({ url }) => `${url} (${reasons.get(url) ?? "unknown"})`).join(" and ");
  return `Partition ${partition} cannot be built: ${told} should hold it. Start the engines, or correct the topology file.`;
}

interface OpenOptions {
  readonly topology: Topology;
  readonly map: PartitionMap | undefined;
  readonly next: NextGeneration;
  readonly connected: ConnectedGeneration;
  readonly replicas: readonly (readonly Replica[])[];
  readonly alreadyAdded: number;
  readonly expectedPlaces: number;
  readonly say: (text: string) => void;
}

function open({ topology, map, next, connected, replicas, say, ...counts }: OpenOptions): IndexBuild {
  const ended = new AbortController();
  const live = map && connectGeneration(topology, map.live);
  const mostBytes = MOST_REQUEST_BYTES / replicas.flat().length;
  const filling = { manifest: toFirstManifest(next), signal: ended.signal, say, mostBytes };
  return createIndexBuild({
    topology,
    id: next.build.id,
    next: connected,
    fills: replicas.map((ofPartition) => createPartitionFill(ofPartition, filling)),
    live: live && createPartitionsReader(live.partitions.length, createReplicaChoice(live), ended.signal),
    ...counts,
    ended,
    say,
    close: async () => {
      await Promise.all([connected.close(), live?.close()]);
    },
  });
}
