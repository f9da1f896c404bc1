import { connectEngine, type IndexConnection } from "../../src/meilisearch/connection.ts";
import type { PlaceIndex } from "../../src/meilisearch/place-index.ts";
import { openPlaceIndex } from "../../src/partitions/open-place-index.ts";
import {
  createPartitionFinder,
  isNamed,
  partitionUid,
  type Generation,
  type PartitionFinder,
} from "../../src/partitions/partition-map.ts";
import type { Topology } from "../../src/partitions/topology.ts";

/** The index of a partition in one engine. */
export interface Replica {
  readonly partition: number;
  /** The name of the engine. */
  readonly engine: string;
  readonly url: string;
  readonly connection: IndexConnection;
  /** The map says that it missed changes. */
  readonly isBehind: boolean;
  /** Its number of writes while none is stored; `undefined` when it was never finished then. */
  readonly uncounted: number | undefined;
}

/** The partitions of a generation, each with its replicas. An engine that the topology lacks is left out. */
export interface ConnectedGeneration extends PartitionFinder {
  readonly generation: Generation;
  readonly partitions: readonly (readonly Replica[])[];
  close(): Promise<void>;
}

/** Opens no socket before the first request. All partitions of an engine share its sockets. */
export function connectGeneration(topology: Topology, generation: Generation): ConnectedGeneration {
  const engines = new Map(topology.engines.map((engine) => [engine.name, engine]));
  const connections = new Map(topology.engines.map((engine) => [engine.name, connectEngine(engine)]));
  const toReplicas = (
    { engines: names, behind = [] }: Generation["partitions"][number],
    partition: number,
  ): Replica[] =>
    names.flatMap((engine) => {
      const connection = connections.get(engine);
      if (connection === undefined) return [];
      const uid = partitionUid(topology.prefix, generation.generation, partition);
      const named = { ...connection, uid };
      const url = engines.get(engine)?.url ?? "";
      const uncounted = isNamed(generation.generation) ? undefined : 0;
      return [{ partition, engine, url, connection: named, isBehind: behind.includes(engine), uncounted }];
    });
  return {
    ...createPartitionFinder(generation.partitions),
    generation,
    partitions: generation.partitions.map(toReplicas),
    close: async () => {
      await Promise.all([...connections.values()].map((connection) => connection.close()));
    },
  };
}

/** Opens a generation as the server reads the live one. */
export const openPlaceIndexOf = (topology: Topology, live: Generation): PlaceIndex =>
  openPlaceIndex(topology, { map: { sequence: 1, live } });
