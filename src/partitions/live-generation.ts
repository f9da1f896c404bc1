import type { DivisionState, ReplicaState } from "../meilisearch/place-index.ts";
import type { ReadIndex } from "../meilisearch/create-place-index.ts";
import type { Ask } from "../meilisearch/connection.ts";
import type { ClusterEngine } from "./cluster-engines.ts";
import type { Names } from "./name-filter.ts";
import {
  createPartitionFinder,
  partitionPrefix,
  type PartitionFinder,
  type PartitionMap,
} from "./partition-map.ts";

/** The partitions of the live import as a server knows them. A search keeps the generation that it began with. */
export interface LiveGeneration {
  readonly map: PartitionMap;
  readonly finder: PartitionFinder;
  readonly partitions: readonly LivePartition[];
}

/** A partition and what the last check found of it. */
export interface LivePartition {
  readonly number: number;
  /** The name of its index on each of its engines. */
  readonly uid: string;
  readonly replicas: readonly Replica[];
  /** The highest number of writes that any replica has ever had: one with fewer has missed some, or still works on them. */
  writes: number;
  /** What it may hold; `undefined` while that is unknown. */
  names: Names | undefined;
  /** The same as of the import. */
  importedNames: Names | undefined;
  /** The writes that `names` covers. */
  namesAt: number;
}

interface Replica {
  readonly engine: ClusterEngine;
  /** The map says that it missed changes. */
  readonly isBehind: boolean;
  /** How many writes it has got; `undefined` for one that is missing, unfinished or unknown. */
  writes: number | undefined;
}

/** Engines that the topology does not name are not asked: their keys are unknown. */
export function openGeneration(
  map: PartitionMap,
  engines: readonly ClusterEngine[],
  prefix: string,
): LiveGeneration {
  const { generation, partitions } = map.live;
  return {
    map,
    finder: createPartitionFinder(partitions),
    partitions: partitions.map(({ engines: names, behind = [] }, number) => ({
      number,
      uid: partitionPrefix(prefix, generation, number),
      replicas: engines
        .filter(({ name }) => names.includes(name))
        .map((engine) => ({ engine, isBehind: behind.includes(engine.name), writes: undefined })),
      writes: 0,
      names: undefined,
      importedNames: undefined,
      namesAt: -1,
    })),
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
  return isCurrent(partition, replica) ? "current" : "stale";
}

/** A replica that has missed writes is not read until it has caught up. */
const isCurrent = ({ writes }: LivePartition, replica: Replica): boolean =>
  !replica.isBehind && replica.writes === writes;

/** The engines that hold all of a partition and respond. */
export const healthyEngines = (partition: LivePartition): ClusterEngine[] =>
  partition.replicas
    .filter((replica) => replica.engine.isUp && isCurrent(partition, replica))
    .map(({ engine }) => engine);

/** The partitions that no engine can read. */
export const lostPartitions = ({ partitions }: LiveGeneration): number[] =>
  partitions.filter((partition) => healthyEngines(partition).length === 0).map(({ number }) => number);

/** The index of a partition on an engine, for the functions that read one index. */
export const indexOf = ({ uid: liveUid }: LivePartition, ask: Ask): ReadIndex => ({ ask, liveUid });
