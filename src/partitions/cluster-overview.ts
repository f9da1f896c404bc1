import { engineUnavailable } from "../errors.ts";
import { CENSUS_DEADLINE_MS, readCounts, readSample, toCensus, warmUp } from "../meilisearch/read-index.ts";
import { INDEX_VERSION } from "../meilisearch/index-form.ts";
import { countDocuments } from "../meilisearch/manifest.ts";
import type { Census, IndexSample, IndexState } from "../meilisearch/place-index.ts";
import { readLiveWords } from "../meilisearch/live-words.ts";
import { readStoredVocabulary, type StoredVocabulary } from "../meilisearch/stored-vocabulary.ts";
import type { ClusterEngine } from "./cluster-engines.ts";
import type { ClusterReading } from "./cluster-reader.ts";
import type { ClusterWatch } from "./cluster-watch.ts";
import {
  healthyEngines,
  indexOf,
  lostPartitions,
  toDivision,
  type LiveGeneration,
  type LivePartition,
} from "./live-generation.ts";
import { readPartitions } from "./read-partitions.ts";

/** What is read of all partitions together, for which no caller waits. */

type Reading = Pick<ClusterReading, "generation" | "watch">;

const allOf = ({ partitions }: LiveGeneration): number[] => partitions.map(({ number }) => number);

/** Counts what can be read. A lost partition leaves a gap, which the census tells. */
export async function readClusterCensus({ generation, watch }: Reading): Promise<Census> {
  const { values, lost } = await readPartitions(generation, watch, {
    partitions: allOf(generation),
    signal: AbortSignal.timeout(CENSUS_DEADLINE_MS),
    read: ({ connection }, partitions) =>
      Promise.all(partitions.map((partition) => readCounts(indexOf(partition, connection.ask)))),
  });
  if (values.size === 0) throw engineUnavailable(new Error("no engine can read any partition"));
  return { ...toCensus([...values.values()]), isWhole: lost.length === 0 };
}

export const readClusterVocabulary = (reading: Reading): Promise<StoredVocabulary | undefined> =>
  readCopy(reading, readStoredVocabulary);

export const readClusterWords = (reading: Reading): Promise<string> => readCopy(reading, readLiveWords);

/** Reads what every partition has a copy of, from one of them. */
async function readCopy<T>(
  { generation, watch }: Reading,
  readOne: (connection: ClusterEngine["connection"], uid: string) => Promise<T>,
): Promise<T> {
  const lost = new Set(lostPartitions(generation));
  const { values } = await readPartitions(generation, watch, {
    partitions: allOf(generation)
      .filter((number) => !lost.has(number))
      .slice(0, 1),
    signal: AbortSignal.timeout(CENSUS_DEADLINE_MS),
    read: ({ connection }, partitions) => Promise.all(partitions.map(({ uid }) => readOne(connection, uid))),
  });
  const [first] = values.values();
  if (values.size === 0) throw engineUnavailable(new Error("no engine can read any partition"));
  return first as T;
}

/** Equal parts of all partitions, which are about equally large. */
export async function readClusterSample({ generation, watch }: Reading, size: number): Promise<IndexSample> {
  const { values } = await readPartitions(generation, watch, {
    partitions: allOf(generation),
    signal: AbortSignal.timeout(CENSUS_DEADLINE_MS),
    read: ({ connection }, partitions) =>
      Promise.all(
        partitions.map((partition) =>
          readSample(indexOf(partition, connection.ask), Math.ceil(size / generation.partitions.length)),
        ),
      ),
  });
  const samples = [...values.values()];
  return {
    documentBytes: samples.reduce((sum, { documentBytes }) => sum + documentBytes, 0),
    places: samples.flatMap(({ places }) => places),
  };
}

/** Each engine loads its dictionaries once, for all of its indexes. */
export async function warmUpEngines(generation: LiveGeneration | undefined): Promise<void> {
  const held = new Map<ClusterEngine, LivePartition>();
  for (const partition of generation?.partitions ?? []) {
    for (const engine of healthyEngines(partition)) held.set(engine, partition);
  }
  await Promise.all(
    [...held].map(([{ connection }, partition]) => warmUp(indexOf(partition, connection.ask))),
  );
}

export async function readClusterState(
  watch: ClusterWatch,
  engines: readonly ClusterEngine[],
  isDataDamaged: () => boolean,
): Promise<IndexState> {
  const generation = watch.latest();
  const down: IndexState = isDataDamaged() ? { state: "damaged", engine: "down" } : { state: "unreachable" };
  if (generation === undefined) return engines.every(({ isUp }) => isUp) ? { state: "missing" } : down;
  const { index_version: found, built_at: builtAt } = generation.generation;
  if (found !== INDEX_VERSION) return { state: "wrong_version", found, wanted: INDEX_VERSION };
  const { values } = await readPartitions(generation, watch, {
    partitions: allOf(generation),
    signal: AbortSignal.timeout(CENSUS_DEADLINE_MS),
    read: ({ connection }, partitions) =>
      Promise.all(partitions.map(({ uid }) => countDocuments(connection, uid))),
  });
  if (engines.some((engine) => engine.isDamaged())) return { state: "damaged", engine: "up" };
  if (values.size === 0) return down;
  const places = [...values.values()].reduce((sum, count) => sum + count.places, 0);
  const division = engines.length > 1 ? { division: toDivision(generation.partitions, engines) } : {};
  return { state: "ready", places, builtAt, ...division };
}
