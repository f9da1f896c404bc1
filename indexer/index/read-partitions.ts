import { retryWhileUnreachable } from "./engine-tasks.ts";
import { readKnownDataIds, readPlacesById } from "./read-index.ts";
import { COUNT_DEADLINE_MS, countDocuments } from "../../src/meilisearch/manifest.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { dataIdIdentity } from "../../src/place/document/data-id.ts";
import { readWrites } from "../../src/partitions/writes.ts";
import type { ConnectedGeneration, Replica } from "./connect-generation.ts";

/** A replica that responds, and how many writes it has got; `undefined` for one that is missing or was never finished. */
export interface RespondingReplica extends Replica {
  readonly writes: number | undefined;
}

/** A replica that has all writes, as far as is known. */
export interface CurrentReplica extends Replica {
  readonly writes: number;
}

/** Longer than any healthy engine takes to read one document, also while it writes. */
const WRITES_DEADLINE_MS = 2_000;

/** The replicas that respond, with their writes. */
export async function findResponding(replicas: readonly Replica[]): Promise<RespondingReplica[]> {
  const found = await Promise.allSettled(
    replicas.map(async (replica) => {
      const { connection, uncounted } = replica;
      const signal = AbortSignal.timeout(WRITES_DEADLINE_MS);
      const stored = await readWrites(connection, connection.uid, signal);
      return { ...replica, writes: stored?.count ?? uncounted };
    }),
  );
  return found.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
}

/** Those of the replicas with the highest number of writes; none when each is behind or was never finished. */
export function chooseCurrent(responding: readonly RespondingReplica[]): CurrentReplica[] {
  const finished = responding.flatMap(({ writes, ...replica }) =>
    writes === undefined || replica.isBehind ? [] : [{ ...replica, writes }],
  );
  const highest = Math.max(...finished.map(({ writes }) => writes));
  return finished.filter(({ writes }) => writes === highest);
}

/**
 * The replicas that have all writes, as far as is known: those with the highest number.
 * @throws when none of them responds, or has ever been finished.
 */
export async function findCurrent(
  replicas: readonly Replica[],
  partition: number,
): Promise<[CurrentReplica, ...CurrentReplica[]]> {
  const [first, ...others] = chooseCurrent(await findResponding(replicas));
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
  readPlacesById(identities: readonly string[]): Promise<PlaceDocument[]>;
  count(): Promise<{ readonly places: number; readonly redirects: number }>;
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
  return {
    fromEach,
    async locate(identities) {
      const found = await fromEach(({ connection }) => readKnownDataIds(connection, identities));
      const locations = new Map<string, { dataId: string; partitions: number[] }>();
      for (const [partition, ids] of found.entries())
        for (const [identity, dataId] of ids) {
          const known = locations.get(identity);
          if (known) known.partitions.push(partition);
          else locations.set(identity, { dataId, partitions: [partition] });
        }
      return locations;
    },
    async readPlacesById(identities) {
      const found = await fromEach(({ connection }) => readPlacesById(connection, identities));
      return [...new Map(found.flat().map((place) => [dataIdIdentity(place.data_id), place])).values()];
    },
    async count() {
      const counts = await fromEach(({ connection }) =>
        countDocuments(connection, connection.uid, COUNT_DEADLINE_MS),
      );
      return {
        places: counts.reduce((sum, { places }) => sum + places, 0),
        redirects: counts.reduce((sum, { redirects }) => sum + redirects, 0),
      };
    },
  };
}

/** Finds a current replica of each partition when it is first needed, and again once `forget` was called. */
export function createReplicaChoice({ partitions }: ConnectedGeneration): ReplicaChoice {
  const chosen = new Map<number, Promise<readonly CurrentReplica[]>>();
  const currentOf = (partition: number): Promise<readonly CurrentReplica[]> => {
    const known = chosen.get(partition);
    if (known) return known;
    const found = findCurrent(partitions[partition] ?? [], partition);
    chosen.set(partition, found);
    found.catch(() => chosen.delete(partition));
    return found;
  };
  return {
    firstOf: async (partition: number): Promise<Replica> => (await currentOf(partition))[0]!,
    forget: (partition) => void chosen.delete(partition),
  };
}
