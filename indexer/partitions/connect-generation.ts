import { connectEngine, type EngineConnection } from "../../src/meilisearch/connection.ts";
import {
  createPartitionFinder,
  partitionPrefix,
  type Generation,
  type PartitionFinder,
} from "../../src/partitions/partition-map.ts";
import type { Topology } from "../../src/partitions/topology.ts";

/** The index of a partition in one engine. Of its connection, the live index and the one to fill are the same. */
export interface Replica {
  readonly partition: number;
  /** The name of the engine. */
  readonly engine: string;
  readonly url: string;
  readonly connection: EngineConnection;
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
  const toReplicas = (names: readonly string[], partition: number): Replica[] =>
    names.flatMap((engine) => {
      const connection = connections.get(engine);
      if (connection === undefined) return [];
      const uid = partitionPrefix(topology.prefix, generation.generation, partition);
      const named = { ...connection, liveUid: uid, nextUid: uid, previousUid: uid };
      return [{ partition, engine, url: engines.get(engine)?.url ?? "", connection: named }];
    });
  return {
    ...createPartitionFinder(generation.partitions),
    generation,
    partitions: generation.partitions.map(({ engines: names }, number) => toReplicas(names, number)),
    close: async () => {
      await Promise.all([...connections.values()].map((connection) => connection.close()));
    },
  };
}
