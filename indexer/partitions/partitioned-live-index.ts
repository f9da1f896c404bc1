import { readLiveWords, toWordsDocument, WORDS_ID } from "../../src/meilisearch/live-words.ts";
import { INDEX_VERSION, toIndexedPlace, type IndexedPlace } from "../../src/meilisearch/index-form.ts";
import type { EngineConnection } from "../../src/meilisearch/connection.ts";
import type { Topology } from "../../src/partitions/topology.ts";
import { dataIdIdentity } from "../../src/place/data-id.ts";
import type { LiveIndex, PlaceChanges } from "../index-build/live-index.ts";
import { readHashes, readSources, readSourcesOf } from "../index-build/read-index.ts";
import { connectGeneration, type ConnectedGeneration } from "./connect-generation.ts";
import {
  createPartitionsReader,
  createReplicaChoice,
  type Locations,
  type PartitionsReader,
  type ReplicaChoice,
  type CurrentReplica,
} from "./read-partitions.ts";
import { markBehind, readMap } from "./store-map.ts";
import { readAddedNames, type AddedNames } from "./added-names.ts";
import { findWritable, writeToReplicas } from "./write-replicas.ts";

/** The generation that is live, as it was when this was opened. */
interface OpenedGeneration {
  readonly connected: ConnectedGeneration;
  readonly choice: ReplicaChoice;
  readonly reader: PartitionsReader;
  /** The partitions that were written to. */
  readonly writable: Map<number, WritablePartition>;
}

interface WritablePartition {
  /** Those that have all writes so far. */
  readonly replicas: readonly CurrentReplica[];
  readonly names: AddedNames;
}

/** The live index of several engines. Changes go to all replicas that have all changes before. */
export function createPartitionedLiveIndex(topology: Topology): LiveIndex {
  let opened: OpenedGeneration | undefined;

  /** Finds out which generation is live, and which replicas are current; `undefined` before the first import. */
  const open = async (): Promise<OpenedGeneration | undefined> => {
    const map = await readMap(topology);
    await opened?.connected.close();
    opened = map && openGeneration(connectGeneration(topology, map.live));
    return opened;
  };
  const current = async (): Promise<OpenedGeneration> => {
    const generation = opened ?? (await open());
    if (generation === undefined) throw new Error("There is no live index yet.");
    return generation;
  };
  return {
    async readState() {
      const generation = await open();
      if (generation === undefined) return "missing";
      const { connected } = generation;
      return connected.generation.index_version === INDEX_VERSION ? "writable" : "of another version";
    },
    count: async () => (await (await current()).reader.count()).places,
    countRedirects: async () => (await (await current()).reader.count()).redirects,
    async knownDataIds(identities) {
      if (identities.length === 0) return new Map();
      const found = await (await current()).reader.locate(identities);
      return new Map([...found].map(([identity, { dataId }]) => [identity, dataId]));
    },
    readPlacesById: async (identities) => (await current()).reader.readPlacesById(identities),
    readHashes: () => readEach(current, readHashes),
    readSources: () => readEach(current, readSources),
    async readSourcesOf(identities) {
      const { reader } = await current();
      return (await reader.fromEach(({ connection }) => readSourcesOf(connection, identities))).flat();
    },
    write: async (changes) => write(topology, await current(), changes),
    async readWords() {
      const { reader } = await current();
      const copies = await reader.fromEach(({ connection }) => readLiveWords(connection, connection.liveUid));
      return copies.find((copy) => copy !== "") ?? "";
    },
    writeWords: async (rows) => writeWords(topology, await current(), rows),
    close: async () => {
      await opened?.connected.close();
      opened = undefined;
    },
  };
}

/** Reads all partitions, one after the other. */
async function* readEach<T>(
  current: () => Promise<OpenedGeneration>,
  read: (connection: EngineConnection) => AsyncIterable<T>,
): AsyncGenerator<T> {
  const { connected, choice } = await current();
  for (const partition of connected.partitions.keys())
    yield* read((await choice.firstOf(partition)).connection);
}

function openGeneration(connected: ConnectedGeneration): OpenedGeneration {
  const choice = createReplicaChoice(connected);
  const reader = createPartitionsReader(connected.partitions.length, choice);
  return { connected, choice, reader, writable: new Map() };
}

/**
 * A place that moved to another partition is first added there, and removed where it was once searches see it: it is never missing,
 * and twice in the index for a moment.
 */
async function write(
  topology: Topology,
  generation: OpenedGeneration,
  changes: PlaceChanges,
): Promise<() => Promise<void>> {
  const identities = [
    ...changes.places.map(({ data_id: dataId }) => dataIdIdentity(dataId)),
    ...changes.removed,
  ];
  const locations = await generation.reader.locate(identities);
  const { first, afterwards } = planWrites(generation.connected, changes, locations);
  const wait = await writeAll(topology, generation, first);
  if (afterwards.size === 0) return wait;
  await wait();
  return writeAll(topology, generation, afterwards);
}

/** What is to be written to a partition. */
interface PartitionWrites {
  readonly places: IndexedPlace[];
  /** Identities. */
  readonly removed: string[];
}

type WritesOfPartitions = ReadonlyMap<number, PartitionWrites>;

function planWrites(
  { ofPoint }: ConnectedGeneration,
  { places, removed }: PlaceChanges,
  locations: Locations,
): { readonly first: WritesOfPartitions; readonly afterwards: WritesOfPartitions } {
  const first = new Map<number, PartitionWrites>();
  const afterwards = new Map<number, PartitionWrites>();
  const changesOf = (map: typeof first, partition: number): PartitionWrites => {
    const known = map.get(partition) ?? { places: [], removed: [] };
    map.set(partition, known);
    return known;
  };
  for (const place of places) {
    const document = toIndexedPlace(place);
    const home = ofPoint(place.location);
    changesOf(first, home).places.push(document);
    for (const partition of locations.get(document.id)?.partitions ?? [])
      if (partition !== home) changesOf(afterwards, partition).removed.push(document.id);
  }
  for (const identity of removed)
    for (const partition of locations.get(identity)?.partitions ?? [])
      changesOf(first, partition).removed.push(identity);
  return { first, afterwards };
}

/** Writes to all partitions at once. */
async function writeAll(
  topology: Topology,
  { connected, writable }: OpenedGeneration,
  writes: WritesOfPartitions,
): Promise<() => Promise<void>> {
  const waits = await Promise.all(
    [...writes].map(async ([partition, { places, removed }]) => {
      const known = writable.get(partition) ?? (await openPartition(connected, partition));
      writable.delete(partition);
      // The names come first: a server that sees the places knows the names too.
      const documents = [...known.names.add(places), ...places.map((place) => JSON.stringify(place))];
      const written = places.map(({ id }) => id);
      const { replicas, wait } = await writeToReplicas(known.replicas, { documents, written, removed });
      writable.set(partition, { ...known, replicas });
      return wait;
    }),
  );
  await noteLeftOut(topology, { connected, writable });
  return async () => {
    await Promise.all(waits.map((wait) => wait()));
  };
}

/** Every partition has a copy, so that a server can read them wherever it reads. */
async function writeWords(
  topology: Topology,
  { connected, writable }: OpenedGeneration,
  rows: string,
): Promise<void> {
  const documents = [JSON.stringify(toWordsDocument(rows))];
  const write = { documents, written: [WORDS_ID], removed: [] };
  const waits = await Promise.all(
    [...connected.partitions.keys()].map(async (partition) => {
      const known = writable.get(partition) ?? (await openPartition(connected, partition));
      const { replicas, wait } = await writeToReplicas(known.replicas, write);
      writable.set(partition, { ...known, replicas });
      return wait;
    }),
  );
  await noteLeftOut(topology, { connected, writable });
  await Promise.all(waits.map((wait) => wait()));
}

/** A replica that missed a batch must not be taken for current if it comes back while the others are away. */
async function noteLeftOut(
  topology: Topology,
  { connected, writable }: Pick<OpenedGeneration, "connected" | "writable">,
): Promise<void> {
  const leftOut = new Map(
    [...writable].flatMap(([partition, { replicas }]) => {
      const written = new Set(replicas.map(({ engine }) => engine));
      const { engines = [], behind = [] } = connected.generation.partitions[partition] ?? {};
      const missing = engines.filter((engine) => !written.has(engine));
      return missing.every((engine) => behind.includes(engine)) ? [] : [[partition, missing] as const];
    }),
  );
  if (leftOut.size === 0) return;
  await markBehind(topology, connected.generation.generation, (partition, behind) => [
    ...new Set([...behind, ...(leftOut.get(partition) ?? [])]),
  ]);
}

async function openPartition(connected: ConnectedGeneration, partition: number): Promise<WritablePartition> {
  const [first, ...others] = await findWritable(connected.partitions[partition] ?? [], partition);
  return { replicas: [first, ...others], names: await readAddedNames(first) };
}
