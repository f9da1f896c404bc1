import { toWordsDocument, WORDS_ID } from "../../src/meilisearch/live-words.ts";
import { INDEX_VERSION, toIndexedPlace, type IndexedPlace } from "../../src/meilisearch/index-form.ts";
import type { IndexConnection } from "../../src/meilisearch/connection.ts";
import {
  MANIFEST_ID,
  PATIENT_DEADLINE_MS,
  readManifest,
  toManifestDocument,
  type Manifest,
} from "../../src/meilisearch/manifest.ts";
import type { Topology } from "../../src/partitions/topology.ts";
import { dataIdIdentity } from "../../src/place/document/data-id.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { readAddresses, readHashes, readSources, readSourcesOf } from "./read-index.ts";
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
import { findWritable, settle, writeToReplicas, type PartitionChanges } from "./write-replicas.ts";

/** Places to write and places to remove; no place is in both lists. */
export interface PlaceChanges {
  readonly places: readonly PlaceDocument[];
  /** Identities (`dataIdIdentity`). */
  readonly removed: readonly string[];
}

/** The live index, for commands that write to it. */
export type LiveIndex = ReturnType<typeof openLiveIndex>;

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
  /** The engines that the map lists as behind. */
  readonly noted: readonly string[];
  readonly names: AddedNames;
}

/**
 * The live index, in one engine or divided among several. Changes go to all replicas that have all changes before. Opens no socket
 * before the first call.
 */
export function openLiveIndex(index: Topology) {
  let opened: OpenedGeneration | undefined;

  /** Finds out which generation is live, and which replicas are current; `undefined` before the first import. */
  const open = async (): Promise<OpenedGeneration | undefined> => {
    const connected = await connectLive(index);
    await opened?.connected.close();
    opened = connected && openGeneration(connected);
    return opened;
  };
  const current = async (): Promise<OpenedGeneration> => {
    const generation = opened ?? (await open());
    if (generation === undefined) throw new Error("There is no live index yet.");
    return generation;
  };
  return {
    /** Whether this program may write to it. The only method that fails at once when the engine is down. */
    async readState(): Promise<"writable" | "missing" | "of another version"> {
      const generation = await open();
      if (generation === undefined) return "missing";
      return generation.connected.generation.index_version === INDEX_VERSION
        ? "writable"
        : "of another version";
    },
    /** Waits for what a process before this one may have left to the engines: it is not read before. */
    settle: async (): Promise<void> => settle((await current()).connected.partitions.flat()),
    count: async () => (await (await current()).reader.count()).places,
    /** The number of redirects. */
    countRedirects: async () => (await (await current()).reader.count()).redirects,
    /** The data ids of the given identities. Identities that the index does not have are left out. */
    knownDataIds: async (identities: readonly string[]) => (await current()).reader.knownDataIds(identities),
    readPlacesById: async (identities: readonly string[]): Promise<readonly PlaceDocument[]> =>
      (await current()).reader.readPlacesById(identities),
    /** The hashes of all places, some thousands at a time. */
    readHashes: () => readEach(current, readHashes),
    /** The addresses of all places, some thousands at a time. */
    readAddresses: () => readEach(current, readAddresses),
    /** The sources of all places, some thousands at a time. */
    readSources: () => readEach(current, readSources),
    /** The sources of the given identities. Identities that the index does not have are left out. */
    async readSourcesOf(identities: readonly string[]) {
      const { reader } = await current();
      return (await reader.fromEach(({ connection }) => readSourcesOf(connection, identities))).flat();
    },
    /**
     * Sends the changes to the engine. Resolves to a function that waits until searches see them, even across a
     * restart.
     */
    write: async (changes: PlaceChanges) => write(index, await current(), changes),
    /** The words that were added since the import, as rows of a vocabulary file; empty without any. */
    readWords: async () => (await current()).reader.readWords(),
    /** Replaces them. Resolves when searches can read them. */
    writeWords: async (rows: string) => writeCopies(index, await current(), WORDS_ID, toWordsDocument(rows)),
    readManifest: async () => readSharedManifest(await current()),
    writeManifest: async (manifest: Manifest) =>
      writeCopies(index, await current(), MANIFEST_ID, toManifestDocument(manifest)),
    close: async (): Promise<void> => opened?.connected.close(),
  };
}

/** Reads all partitions, one after the other. */
async function* readEach<T>(
  current: () => Promise<OpenedGeneration>,
  read: (connection: IndexConnection) => AsyncIterable<T>,
): AsyncGenerator<T> {
  const { connected, choice } = await current();
  for (const partition of connected.partitions.keys())
    yield* read((await choice.firstOf(partition)).connection);
}

/** `undefined` before the first import. */
async function connectLive(topology: Topology): Promise<ConnectedGeneration | undefined> {
  const map = await readMap(topology);
  return map && connectGeneration(topology, map.live);
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
  index: Topology,
  generation: OpenedGeneration,
  changes: PlaceChanges,
): Promise<() => Promise<void>> {
  const identities = [
    ...changes.places.map(({ data_id: dataId }) => dataIdIdentity(dataId)),
    ...changes.removed,
  ];
  // With one partition there is nothing to look for.
  const locations =
    generation.connected.partitions.length === 1 ? undefined : await generation.reader.locate(identities);
  const { first, afterwards } = planWrites(generation.connected, changes, locations);
  const wait = await writeAll(index, generation, first);
  if (afterwards.size === 0) return wait;
  await wait();
  return writeAll(index, generation, afterwards);
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
  locations: Locations | undefined,
): { readonly first: WritesOfPartitions; readonly afterwards: WritesOfPartitions } {
  const first = new Map<number, PartitionWrites>();
  const afterwards = new Map<number, PartitionWrites>();
  const changesOf = (map: typeof first, partition: number): PartitionWrites =>
    map.getOrInsertComputed(partition, () => ({ places: [], removed: [] }));
  const holdersOf = (identity: string): readonly number[] =>
    locations === undefined ? [0] : (locations.get(identity)?.partitions ?? []);
  for (const place of places) {
    const document = toIndexedPlace(place);
    const home = ofPoint(place.location);
    changesOf(first, home).places.push(document);
    for (const partition of holdersOf(document.id))
      if (partition !== home) changesOf(afterwards, partition).removed.push(document.id);
  }
  for (const identity of removed)
    for (const partition of holdersOf(identity)) changesOf(first, partition).removed.push(identity);
  return { first, afterwards };
}

/** Writes to all partitions at once. */
const writeAll = (
  index: Topology,
  generation: OpenedGeneration,
  writes: WritesOfPartitions,
): Promise<() => Promise<void>> =>
  writeToEach(index, generation, writes.keys(), (partition, names) => {
    const { places = [], removed = [] } = writes.get(partition) ?? {};
    // The names come first: a server that sees the places knows the names too.
    const documents = [...names.add(places), ...places.map((place) => JSON.stringify(place))];
    return { documents, written: places.map(({ id }) => id), removed };
  });

/** Every partition has a manifest, and they say the same. */
async function readSharedManifest({ reader }: OpenedGeneration): Promise<Manifest | undefined> {
  const read = (connection: IndexConnection) => readManifest(connection, connection.uid, PATIENT_DEADLINE_MS);
  return (await reader.fromEach(({ connection }) => read(connection)))[0];
}

/** Every partition has a copy, so that a server can read them wherever it reads. */
async function writeCopies(
  index: Topology,
  generation: OpenedGeneration,
  id: string,
  document: object,
): Promise<void> {
  const write = { documents: [JSON.stringify(document)], written: [id], removed: [] };
  const wait = await writeToEach(index, generation, generation.connected.partitions.keys(), () => write);
  await wait();
}

/** Writes to partitions at once. Resolves to a function that waits until searches see it. */
async function writeToEach(
  index: Topology,
  { connected, choice, writable }: OpenedGeneration,
  partitions: Iterable<number>,
  toChanges: (partition: number, names: AddedNames) => PartitionChanges,
): Promise<() => Promise<void>> {
  const numbers = [...partitions];
  const open = async (partition: number): Promise<unknown> =>
    writable.set(partition, await openPartition(connected, partition));
  await Promise.all(numbers.filter((partition) => !writable.has(partition)).map(open));
  // This process may be killed as soon as others have what a replica lacks.
  await noteLeftOut(index, { connected, writable });
  const waits = await Promise.all(
    numbers.map(async (partition) => {
      const known = writable.get(partition)!;
      // Where this fails, some replicas may have got it: the next write reads their numbers again.
      writable.delete(partition);
      const hasTwins = (connected.partitions[partition]?.length ?? 0) > 1;
      const changes = toChanges(partition, known.names);
      const { replicas, wait } = await writeToReplicas(known.replicas, changes, { hasTwins });
      writable.set(partition, { ...known, replicas });
      // A replica that was read until now may miss it.
      choice.forget(partition);
      return wait;
    }),
  );
  await noteLeftOut(index, { connected, writable });
  return async () => {
    await Promise.all(waits.map((wait) => wait()));
  };
}

/** A replica that lacks a batch must not be taken for current if it comes back while the others are away. */
async function noteLeftOut(
  topology: Topology,
  { connected, writable }: Pick<OpenedGeneration, "connected" | "writable">,
): Promise<void> {
  const leftOut = new Map(
    [...writable].flatMap(([partition, { replicas, noted }]) => {
      const written = new Set(replicas.map(({ engine }) => engine));
      const { engines = [] } = connected.generation.partitions[partition] ?? {};
      const missing = engines.filter((engine) => !written.has(engine));
      return missing.every((engine) => noted.includes(engine)) ? [] : [[partition, missing] as const];
    }),
  );
  if (leftOut.size === 0) return;
  await markBehind(topology, connected.generation.generation, (partition, behind) => [
    ...new Set([...behind, ...(leftOut.get(partition) ?? [])]),
  ]);
  for (const [partition, noted] of leftOut) writable.set(partition, { ...writable.get(partition)!, noted });
}

/** One partition is asked for everything. */
const NO_NAMES: AddedNames = { add: () => [] };

async function openPartition(connected: ConnectedGeneration, partition: number): Promise<WritablePartition> {
  const [first, ...others] = await findWritable(connected.partitions[partition] ?? [], partition);
  return {
    replicas: [first, ...others],
    noted: connected.generation.partitions[partition]?.behind ?? [],
    names: connected.partitions.length === 1 ? NO_NAMES : await readAddedNames(first),
  };
}
