import { COUNT_DEADLINE_MS, countDocuments } from "../../src/meilisearch/manifest.ts";
import { INDEX_VERSION } from "../../src/meilisearch/index-form.ts";
import { samplePlaces } from "../../src/meilisearch/read-index.ts";
import type { Generation, PartitionMap } from "../../src/partitions/partition-map.ts";
import type { Topology } from "../../src/partitions/topology.ts";
import { connectEngine, engineResponseOf } from "../../src/meilisearch/connection.ts";
import type { PlaceIndex } from "../../src/meilisearch/place-index.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import {
  readEngineSummary,
  readIndexFigures,
  readSettingsDrift,
  type EngineSummary,
  type IndexSummary,
} from "./index-summary.ts";
import { streamPlaces } from "./read-index.ts";
import {
  connectGeneration,
  type ConnectedGeneration,
  type Replica,
  openPlaceIndexOf,
} from "./connect-generation.ts";
import { chooseCurrent, findCurrent, findReplicas, type FoundReplica } from "./read-partitions.ts";
import { readMap, readNextGeneration, readSettledMap, writePartitionMap } from "./store-map.ts";

/** An index: the live one, the one that a build fills, or the previous live one. */
export type IndexRole = "live" | "next" | "previous";

/** Access to the indexes for maintenance commands. */
export type IndexAdmin = ReturnType<typeof openIndexAdmin>;

/** One of several engines. */
export interface EngineState {
  readonly name: string;
  readonly url: string;
  /** Why it could not be read. */
  readonly problem?: unknown;
  readonly summary?: EngineSummary;
}

export interface PartitionState {
  readonly partition: number;
  /** `undefined` when no replica is current. */
  readonly places: number | undefined;
  readonly replicas: readonly Pick<FoundReplica, "engine" | "url" | "state">[];
}

/**
 * Access to the indexes of one engine or of several, for maintenance commands. Opens no socket before the first call. Every method
 * rejects with the engine's error.
 */
export function openIndexAdmin(topology: Topology) {
  const connected = new Map<string, ConnectedGeneration>();
  const connect = async (role: IndexRole): Promise<ConnectedGeneration | undefined> => {
    const generation = await readGeneration(topology, role);
    return (
      generation &&
      connected.getOrInsertComputed(generation.generation, () => connectGeneration(topology, generation))
    );
  };
  const connectExisting = async (role: IndexRole): Promise<ConnectedGeneration> => {
    const found = await connect(role);
    if (found === undefined) throw new Error(`There is no ${role} index.`);
    return found;
  };
  return {
    readEngine: async () => sumEngines(await readEngines(topology)),
    /** `undefined` when there is no index, or only the empty one from before the first import. */
    async readIndex(role: IndexRole): Promise<IndexSummary | undefined> {
      const generation = await connect(role);
      return generation && readGenerationSummary(generation, role);
    },
    /** The names of the settings that differ from those of a build. */
    readSettingsDrift: async (role: IndexRole) => findSettingsDrift(await connectExisting(role)),
    /**
     * Reads all places, one page in memory at a time.
     * @throws {IndexChangedError} when the index is swapped meanwhile, or changes faster than it can be read.
     */
    async *streamPlaces(role: IndexRole): AsyncGenerator<PlaceDocument[]> {
      const { partitions } = await connectExisting(role);
      for (const [partition, replicas] of partitions.entries()) {
        const { connection } = await chooseReplica(replicas, partition, role);
        yield* streamPlaces(connection);
      }
    },
    /** Samples about this many places from all over the index; all when there are fewer. */
    samplePlaces: async (role: IndexRole, size: number): Promise<PlaceDocument[]> =>
      sampleGeneration(await connectExisting(role), role, size),
    /** Swaps the live and the previous index in one step. */
    swapWithPrevious: () => swapGenerations(topology),
    /** Opens one of the indexes as the server reads it. The caller closes it. */
    openPlaceIndex: async (role: IndexRole): Promise<PlaceIndex> =>
      openPlaceIndexOf(topology, (await connectExisting(role)).generation),
    /** All engines of the index. */
    engines: topology.engines,
    readEngines: () => readEngines(topology),
    /** `undefined` when there is no such index. */
    readPartitions: async (role: IndexRole): Promise<PartitionState[] | undefined> => {
      const generation = await connect(role);
      return generation && readPartitionStates(generation);
    },
    close: async (): Promise<void> => {
      await Promise.all([...connected.values()].map((generation) => generation.close()));
    },
  };
}

/** A replica that does not respond or was lost is another check's matter. */
const isGone = (error: unknown): boolean => {
  const response = engineResponseOf(error);
  return response === undefined || response.code === "index_not_found";
};

/** The settings that differ from those of a build, each with the engine that has them. */
async function findSettingsDrift({ partitions }: ConnectedGeneration): Promise<string[]> {
  const replicas = partitions.flat();
  const drifts = replicas.map(async ({ connection, url }) => {
    try {
      const drifted = await readSettingsDrift(connection);
      return replicas.length === 1 ? drifted : drifted.map((name) => `${name} (${url})`);
    } catch (error) {
      if (replicas.length > 1 && isGone(error)) return [];
      throw error;
    }
  });
  return [...new Set((await Promise.all(drifts)).flat())];
}

async function readGeneration(topology: Topology, role: IndexRole): Promise<Generation | undefined> {
  if (role === "next") return (await readNextGeneration(topology))?.generation;
  return (await readMap(topology))?.[role];
}

/** Of an index that is being built no replica is finished yet. */
async function chooseReplica(
  replicas: readonly Replica[],
  partition: number,
  role: IndexRole,
): Promise<Replica> {
  if (role !== "next") return (await findCurrent(replicas, partition))[0];
  const found = (await findReplicas(replicas)).find(({ state }) => state !== "away");
  if (found === undefined) throw new Error(`No engine of partition ${partition} responds.`);
  return found;
}

async function readGenerationSummary(
  { generation, partitions }: ConnectedGeneration,
  role: IndexRole,
): Promise<IndexSummary | undefined> {
  const read = await Promise.all(
    partitions.map(async (replicas, partition) => {
      const { connection } = await chooseReplica(replicas, partition, role);
      return readIndexFigures(connection);
    }),
  );
  const summaries = read.filter((figures) => figures !== undefined);
  const sum = (field: "places" | "redirects" | "documentBytes"): number =>
    summaries.reduce((total, summary) => total + summary[field], 0);
  return {
    places: sum("places"),
    redirects: sum("redirects"),
    version: generation.index_version,
    isReadable: generation.index_version === INDEX_VERSION,
    builtAt: generation.built_at,
    mark: summaries[0]?.mark,
    updatedAt:
      summaries
        .map(({ updatedAt }) => updatedAt)
        .toSorted()
        .at(-1) ?? generation.built_at,
    documentBytes: sum("documentBytes"),
  };
}

/** From each partition as many as it has a share of the places. */
async function sampleGeneration(generation: ConnectedGeneration, role: IndexRole, size: number) {
  const replicas = await Promise.all(
    generation.partitions.map((all, partition) => chooseReplica(all, partition, role)),
  );
  const places = await Promise.all(
    replicas.map(
      async ({ connection }) => (await countDocuments(connection, connection.uid, COUNT_DEADLINE_MS)).places,
    ),
  );
  const total = places.reduce((sum, count) => sum + count, 0);
  const samples = await Promise.all(
    replicas.map(async ({ connection }, partition) => {
      const wanted = Math.ceil((size * (places[partition] ?? 0)) / Math.max(1, total));
      return wanted === 0 ? [] : samplePlaces(connection, wanted);
    }),
  );
  return samples.flat();
}

/** Writes a map in which the live and the previous generation have changed places. */
async function swapGenerations(topology: Topology): Promise<void> {
  const map = await readSettledMap(topology);
  if (map?.previous === undefined) throw new Error("There is no previous index.");
  const swapped: PartitionMap = { sequence: map.sequence + 1, live: map.previous, previous: map.live };
  await writePartitionMap(topology, swapped);
}

const readEngines = ({ engines }: Topology): Promise<EngineState[]> =>
  Promise.all(
    engines.map(async (engine) => {
      const connection = connectEngine(engine);
      const { name, url } = engine;
      try {
        return { name, url, summary: await readEngineSummary(connection) };
      } catch (problem) {
        return { name, url, problem };
      } finally {
        await connection.close();
      }
    }),
  );

/** All engines as one. @throws when none responds. */
function sumEngines(engines: readonly EngineState[]): EngineSummary {
  const summaries = engines.flatMap(({ summary }) => summary ?? []);
  const [first] = summaries;
  if (first === undefined) throw engines[0]?.problem;
  const sum = (read: (summary: EngineSummary) => number): number =>
    summaries.reduce((total, summary) => total + read(summary), 0);
  return {
    version: [...new Set(summaries.map(({ version }) => version))].toSorted()[0] ?? first.version,
    databaseBytes: sum(({ databaseBytes }) => databaseBytes),
    queue: {
      enqueued: sum(({ queue }) => queue.enqueued),
      processing: sum(({ queue }) => queue.processing),
    },
  };
}

/** The state of every replica of a generation. */
const readPartitionStates = ({ partitions }: ConnectedGeneration): Promise<PartitionState[]> =>
  Promise.all(
    partitions.map(async (replicas, partition) => {
      const found = await findReplicas(replicas);
      const [current] = chooseCurrent(found);
      const summary = current && (await readIndexFigures(current.connection).catch(() => undefined));
      return { partition, places: summary?.places, replicas: found };
    }),
  );
