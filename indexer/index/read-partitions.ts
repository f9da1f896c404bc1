import { retryWhileUnreachable } from "./engine-tasks.ts";
import { readKnownDataIds, readPlacesById } from "./read-index.ts";
import { readLiveWords } from "../../src/meilisearch/live-words.ts";
import { COUNT_DEADLINE_MS, countDocuments, type DocumentCounts } from "../../src/meilisearch/manifest.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { dataIdIdentity } from "../../src/place/document/data-id.ts";
import { highestWrites, isComplete, readWrites } from "../../src/partitions/writes.ts";
import type { ConnectedGeneration, Replica } from "./connect-generation.ts";

/**
 * A replica and what is known of it: `current` has all changes, `behind` lacks some, `empty` has nothing or was never finished, `away`
 * is on an engine that does not respond.
 */
export type FoundReplica = Replica &
  (
    | { readonly state: "current"; readonly writes: number }
    | { readonly state: "behind"; readonly writes: number }
    | { readonly state: "empty" | "away"; readonly writes?: undefined }
  );

/** A replica that has all writes, as far as is known. */
export interface CurrentReplica extends Replica {
  readonly writes: number;
}

/** Longer than any healthy engine takes to read one document, also while it writes. */
const WRITES_DEADLINE_MS = 2_000;

/** Asks all replicas of a partition for their writes. */
export async function findReplicas(
  replicas: readonly Replica[],
  deadlineMs = WRITES_DEADLINE_MS,
): Promise<FoundReplica[]> {
  const asked = await Promise.allSettled(
    replicas.map(({ connection }) => readWrites(connection, connection.uid, AbortSignal.timeout(deadlineMs))),
  );
  const known = replicas.map((replica, index) => {
    const response = asked[index];
    if (response?.status !== "fulfilled") return { ...replica, isAway: true, writes: undefined };
    return { ...replica, isAway: false, writes: response.value?.count ?? replica.uncounted };
  });
  const highest = highestWrites(known);
  return known.map(({ isAway, writes, ...replica }) => {
    if (writes === undefined) return { ...replica, state: isAway ? "away" : "empty" };
    return { ...replica, writes, state: isComplete({ ...replica, writes }, highest) ? "current" : "behind" };
  });
}

/** Those of the replicas that have all changes. */
export const chooseCurrent = (found: readonly FoundReplica[]): CurrentReplica[] =>
  found.filter((one) => one.state === "current");

/**
 * The replicas that have all writes, as far as is known: those with the highest number.
 * @throws when none of them responds, or has ever been finished.
 */
export async function findCurrent(
  replicas: readonly Replica[],
  partition: number,
): Promise<[CurrentReplica, ...CurrentReplica[]]> {
  const [first, ...others] = chooseCurrent(await findReplicas(replicas));
  if (first) return [first, ...others];
  const asked = replicas.map(({ url }) => url).join(" and ") || "no engine of the topology";
  throw new Error(
    `Partition ${partition} cannot be read: ${asked} should have it, and does not respond, has nothing, or missed changes.`,
  );
}

/** Where the places of these identities are: for each the partitions that have it and the data id there. */
export type Locations = ReadonlyMap<
  string,
  { readonly dataId: string; readonly partitions: readonly number[] }
>;

/** Reads one replica of each partition. */
export interface PartitionsReader {
  /** Asks all partitions at once. */
  readonly fromEach: <T>(read: (replica: Replica) => Promise<T>) => Promise<T[]>;
  /** Where places and redirects are. */
  locate(identities: readonly string[]): Promise<Locations>;
  /** The data ids of the given identities. Identities that the index does not have are left out. */
  knownDataIds(identities: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The words that were added since the import, as rows of a vocabulary file; empty without any. */
  readWords(): Promise<string>;
  readPlacesById(identities: readonly string[]): Promise<PlaceDocument[]>;
  count(): Promise<PlaceCounts>;
}

/** Says from which replica a partition is read. */
export interface ReplicaChoice {
  firstOf(partition: number): Promise<Replica>;
  /** Called when it failed, before it is asked again. */
  forget(partition: number): void;
}

export function createPartitionsReader(
  partitions: number,
  choice: ReplicaChoice,
  signal?: AbortSignal,
): PartitionsReader {
  const askOne = async <T>(partition: number, read: (replica: Replica) => Promise<T>): Promise<T> => {
    try {
      return await read(await choice.firstOf(partition));
    } catch (error) {
      choice.forget(partition);
      throw error;
    }
  };
  const fromEach: PartitionsReader["fromEach"] = (read) =>
    Promise.all(
      Array.from({ length: partitions }, (_, partition) =>
        retryWhileUnreachable(() => askOne(partition, read), signal),
      ),
    );
  const locate = (identities: readonly string[]): Promise<Locations> => findLocations(fromEach, identities);
  return {
    fromEach,
    locate,
    async knownDataIds(identities) {
      if (identities.length === 0) return new Map();
      const found = await locate(identities);
      return new Map([...found].map(([identity, { dataId }]) => [identity, dataId]));
    },
    async readWords() {
      const copies = await fromEach(({ connection }) => readLiveWords(connection, connection.uid));
      return copies.find((copy) => copy !== "") ?? "";
    },
    async readPlacesById(identities) {
      const found = await fromEach(({ connection }) => readPlacesById(connection, identities));
      return [...new Map(found.flat().map((place) => [dataIdIdentity(place.data_id), place])).values()];
    },
    count: async () =>
      addUp(
        await fromEach(({ connection }) => countDocuments(connection, connection.uid, COUNT_DEADLINE_MS)),
      ),
  };
}

/** How many places an index has, and ids that redirect to one of them. */
export type PlaceCounts = Pick<DocumentCounts, "places" | "redirects">;

/** What several partitions have together. */
export const addUp = (counts: readonly PlaceCounts[]): PlaceCounts => ({
  places: counts.reduce((sum, { places }) => sum + places, 0),
  redirects: counts.reduce((sum, { redirects }) => sum + redirects, 0),
});

async function findLocations(
  fromEach: PartitionsReader["fromEach"],
  identities: readonly string[],
): Promise<Locations> {
  const found = await fromEach(({ connection }) => readKnownDataIds(connection, identities));
  const locations = new Map<string, { dataId: string; partitions: number[] }>();
  for (const [partition, ids] of found.entries())
    for (const [identity, dataId] of ids)
      locations.getOrInsertComputed(identity, () => ({ dataId, partitions: [] })).partitions.push(partition);
  return locations;
}

/** Finds a current replica of each partition when it is first needed, and again once `forget` was called. */
export function createReplicaChoice({ partitions }: ConnectedGeneration): ReplicaChoice {
  const chosen = new Map<number, Promise<readonly CurrentReplica[]>>();
  const currentOf = (partition: number): Promise<readonly CurrentReplica[]> =>
    chosen.getOrInsertComputed(partition, () => {
      const found = findCurrent(partitions[partition] ?? [], partition);
      found.catch(() => chosen.delete(partition));
      return found;
    });
  return {
    firstOf: async (partition: number): Promise<Replica> => (await currentOf(partition))[0]!,
    forget: (partition) => void chosen.delete(partition),
  };
}
