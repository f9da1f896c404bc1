import {
  connectEngine,
  type EngineAddress,
  type EngineConnection,
} from "../../src/meilisearch/connection.ts";
import type { PlaceIndex } from "../../src/meilisearch/place-index.ts";
import { openPlaceIndex } from "../../src/partitions/open-place-index.ts";
import {
  createPartitionFinder,
  partitionPrefix,
  type Generation,
  type PartitionFinder,
} from "../../src/partitions/partition-map.ts";
import { isTopology, type IndexAddress, type Topology } from "../../src/partitions/topology.ts";

/** The index of a partition in one engine. Of its connection, the live index and the one to fill are the same. */
export interface Replica {
  readonly partition: number;
  /** The name of the engine. */
  readonly engine: string;
  readonly url: string;
  readonly connection: EngineConnection;
  /** The map says that it missed changes. */
  readonly isBehind: boolean;
  /** It is all of an index in one engine, which has no map: nobody counts its writes, and it has no filter of names. */
  readonly isAlone?: true;
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
      const uid = partitionPrefix(topology.prefix, generation.generation, partition);
      const named = { ...connection, liveUid: uid, nextUid: uid, previousUid: uid };
      const url = engines.get(engine)?.url ?? "";
      return [{ partition, engine, url, connection: named, isBehind: behind.includes(engine) }];
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

/** The index of one engine as a generation with one partition and one replica. Opens no socket before the first request. */
export function connectAlone(
  address: EngineAddress,
  uidOf: (names: EngineConnection) => string,
): ConnectedGeneration {
  const connection = connectEngine(address);
  const { url } = address;
  const uid = uidOf(connection);
  const named = { ...connection, liveUid: uid, nextUid: uid, previousUid: uid };
  const partitions = [{ first_cell: 0, engines: [url] }];
  return {
    ...createPartitionFinder(partitions),
    generation: { generation: uid, index_version: "", built_at: "", partitions },
    partitions: [[{ partition: 0, engine: url, url, connection: named, isBehind: false, isAlone: true }]],
    close: () => connection.close(),
  };
}

/** Opens a generation as the server reads the live one. */
export const openPlaceIndexOf = (index: IndexAddress, live: Generation): PlaceIndex =>
  isTopology(index)
    ? openPlaceIndex(index, undefined, undefined, { map: { sequence: 1, live } })
    : openPlaceIndex({ ...index, prefix: live.generation });
