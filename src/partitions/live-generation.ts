import type { DivisionState, ReplicaState } from "../meilisearch/place-index.ts";
import { INDEX_VERSION } from "../meilisearch/index-form.ts";
import type { ReadIndex } from "../meilisearch/read-index.ts";
import type { Ask } from "../meilisearch/connection.ts";
import type { ClusterEngine } from "./cluster-engines.ts";
import type { Names } from "./name-filter.ts";
import {
  createPartitionFinder,
  isNamed,
  partitionUid,
  type Generation,
  type PartitionFinder,
  type PartitionMap,
} from "./partition-map.ts";
import { highestWrites, isComplete } from "./writes.ts";

/** The partitions of the live import as a server knows them. A search keeps the generation that it began with. */
export interface LiveGeneration {
  readonly map: PartitionMap;
  /** The one of the map that this program reads. */
  readonly generation: Generation;
  readonly finder: PartitionFinder;
  readonly partitions: readonly LivePartition[];
}

/** A partition and what the last check found of it. */
export interface LivePartition {
  readonly number: number;
  /** The name of its index on each of its engines. */
  readonly uid: string;
  /** The number of writes of a replica that has none stored; `undefined` when such a replica was never finished. */
  readonly uncounted: number | undefined;
  readonly replicas: readonly Replica[];
  /** The highest number of writes that any replica has ever had: one with fewer has missed some, or still works on them. */
  writes: number;
  /** What it may hold; `undefined` while that is unknown. */
  names: Names | undefined;
  /** The same without what was added since its filter was built. */
  builtNames: BuiltNames | undefined;
  /** The writes that `names` covers. */
  namesAt: number;
  /** The last check found no engine that can be read. Until a check has said so, a loss is news that the next one may correct. */
  isKnownLost: boolean;
}

interface BuiltNames extends Names {
  /** The writes that it covers if changes rebuilt it after the import. */
  readonly rebuiltAt: number | undefined;
}

interface Replica {
  readonly engine: ClusterEngine;
  /** The map says that it missed changes. */
  readonly isBehind: boolean;
  /** How many writes it has got; `undefined` for one that is missing, unfinished or unknown. */
  writes: number | undefined;
}

interface OpenOptions {
  readonly engines: readonly ClusterEngine[];
  readonly prefix: string;
  /** The generation of the map before: what is known of indexes that both have stays known. */
  readonly before: LiveGeneration | undefined;
}

/**
 * The newest generation whose form this program knows: while an import with a newer program has become live, servers of this one go on
 * with what was live before.
 */
function chooseReadable({ live, previous }: PartitionMap): Generation {
  const isReadable = (one: Generation | undefined): boolean => one?.index_version === INDEX_VERSION;
  return previous !== undefined && isReadable(previous) && !isReadable(live) ? previous : live;
}

/** Engines that the topology does not name are not asked: their keys are unknown. */
export function openGeneration(map: PartitionMap, { engines, prefix, before }: OpenOptions): LiveGeneration {
  const chosen = chooseReadable(map);
  const { generation, partitions } = chosen;
  const known = before?.generation.generation === generation ? before.partitions : [];
  return {
    map,
    generation: chosen,
    finder: createPartitionFinder(partitions),
    partitions: partitions.map(({ engines: names, behind = [] }, number): LivePartition => {
      const { [number]: last } = known;
      const replicas = engines
        .filter(({ name }) => names.includes(name))
        .map((engine): Replica => ({
          engine,
          isBehind: behind.includes(engine.name),
          writes: last?.replicas.find((replica) => replica.engine === engine)?.writes,
        }));
      return {
        number,
        uid: partitionUid(prefix, generation, number),
        uncounted: isNamed(generation) ? undefined : 0,
        replicas,
        writes: highestWrites(replicas),
        names: last?.names,
        builtNames: last?.builtNames,
        // While they are being read, they are read for the older map.
        namesAt: last?.names ? last.namesAt : -1,
        isKnownLost: false,
      };
    }),
  };
}

/** The same for those who ask how the index is. */
export const toDivision = (
  partitions: readonly LivePartition[],
  engines: readonly ClusterEngine[],
): DivisionState => ({
  engines: engines.map(({ name, isUp }) => ({ name, isUp })),
  partitions: partitions.map((partition) => ({
    number: partition.number,
    replicas: partition.replicas.map((replica) => ({
      engine: replica.engine.name,
      state: stateOf(partition, replica),
    })),
  })),
});

function stateOf(partition: LivePartition, replica: Replica): ReplicaState {
  if (!replica.engine.isUp) return "down";
  if (replica.writes === undefined) return "missing";
  return isComplete(replica, partition.writes) ? "current" : "stale";
}

/** The engines that hold all of a partition and respond. */
export const healthyEngines = (partition: LivePartition): ClusterEngine[] =>
  partition.replicas
    .filter((replica) => replica.engine.isUp && isComplete(replica, partition.writes))
    .map(({ engine }) => engine);

/**
 * The engines to ask for a partition. The only one that ever had it is asked even if it did not respond a moment ago: it may be back
 * before the next check, and nobody else could respond.
 */
export function enginesToAsk(partition: LivePartition): ClusterEngine[] {
  const healthy = healthyEngines(partition);
  const [first, ...others] = partition.replicas;
  const isOnly = first !== undefined && others.length === 0 && isComplete(first, partition.writes);
  return healthy.length === 0 && isOnly ? [first.engine] : healthy;
}

/** What is known of each engine of a partition, for a log. */
export const describeReplicas = (partition: LivePartition): string =>
  partition.replicas
    .map((replica) => {
      const writes = `${replica.writes ?? "?"} of ${partition.writes} writes`;
      const behind = replica.isBehind ? ", behind in the map" : "";
      return `${replica.engine.name} ${stateOf(partition, replica)} (${writes}${behind})`;
    })
    .join(", ") || "no engine of the topology has it";

/** The partitions that no engine can read. */
export const lostPartitions = ({ partitions }: LiveGeneration): number[] =>
  partitions.filter((partition) => healthyEngines(partition).length === 0).map(({ number }) => number);

/** The index of a partition on an engine, for the functions that read one index. */
export const indexOf = ({ uid }: LivePartition, ask: Ask): ReadIndex => ({ ask, uid });
