import type { PlaceDocument } from "../../src/place/place-document.ts";
import {
  connectEngine,
  type EngineAddress,
  type EngineConnection,
} from "../../src/meilisearch/connection.ts";
import { readLiveWords, toWordsDocument } from "../../src/meilisearch/live-words.ts";
import { retryWhileUnreachable, waitForTask } from "./engine-tasks.ts";
import { INDEX_VERSION } from "../../src/meilisearch/index-form.ts";
import { toIndexedPlace } from "../../src/meilisearch/index-form.ts";
import {
  COUNT_DEADLINE_MS,
  countDocuments,
  countPlaces,
  PATIENT_DEADLINE_MS,
  readManifest,
} from "../../src/meilisearch/manifest.ts";
import {
  readHashes,
  readKnownDataIds,
  readPlacesById,
  readSources,
  readSourcesOf,
  type HashedPlace,
  type PlaceSource,
} from "./read-index.ts";

/** Places to write and places to remove; no place is in both lists. */
export interface PlaceChanges {
  readonly places: readonly PlaceDocument[];
  /** Identities (`dataIdIdentity`). */
  readonly removed: readonly string[];
}

/** The live index, for commands that write to it. */
export interface LiveIndex {
  /** Whether this program may write to it. The only method that fails at once when the engine is down. */
  readState(): Promise<"writable" | "missing" | "of another version">;
  count(): Promise<number>;
  /** The number of redirects. */
  countRedirects(): Promise<number>;
  /** The data ids of the given identities. Identities that the index does not have are left out. */
  knownDataIds(identities: readonly string[]): Promise<ReadonlyMap<string, string>>;
  readPlacesById(identities: readonly string[]): Promise<readonly PlaceDocument[]>;
  /** The hashes of all places, some thousands at a time. */
  readHashes(): AsyncIterable<readonly HashedPlace[]>;
  /** The sources of all places, some thousands at a time. */
  readSources(): AsyncIterable<readonly PlaceSource[]>;
  /** The sources of the given identities. Identities that the index does not have are left out. */
  readSourcesOf(identities: readonly string[]): Promise<readonly PlaceSource[]>;
  /**
   * Sends the changes to the engine. Resolves to a function that waits until searches see them, even across a
   * restart.
   */
  write(changes: PlaceChanges): Promise<() => Promise<void>>;
  /** The words that were added since the import, as rows of a vocabulary file; empty without any. */
  readWords(): Promise<string>;
  /** Replaces them. Resolves when searches can read them. */
  writeWords(rows: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens no socket before the first call. */
export function createLiveIndex(address: EngineAddress): LiveIndex {
  const connection = connectEngine(address);
  return {
    async readState() {
      const manifest = await readManifest(connection, connection.liveUid, PATIENT_DEADLINE_MS);
      if (manifest === undefined) return "missing";
      return manifest.version === INDEX_VERSION ? "writable" : "of another version";
    },
    count: () => retryWhileUnreachable(() => countPlaces(connection, connection.liveUid, COUNT_DEADLINE_MS)),
    async countRedirects() {
      const count = () => countDocuments(connection, connection.liveUid, COUNT_DEADLINE_MS);
      return (await retryWhileUnreachable(count)).redirects;
    },
    knownDataIds: (identities) => retryWhileUnreachable(() => readKnownDataIds(connection, identities)),
    readPlacesById: (identities) => retryWhileUnreachable(() => readPlacesById(connection, identities)),
    readHashes: () => readHashes(connection),
    readSources: () => readSources(connection),
    readSourcesOf: (identities) => retryWhileUnreachable(() => readSourcesOf(connection, identities)),
    write: (changes) => write(connection, changes),
    readWords: () => retryWhileUnreachable(() => readLiveWords(connection, connection.liveUid)),
    async writeWords(rows) {
      const index = connection.client.index(connection.liveUid);
      const add = async () => index.addDocuments([toWordsDocument(rows)], { primaryKey: "id" });
      await waitForTask(connection, (await retryWhileUnreachable(add)).taskUid);
    },
    close: () => connection.close(),
  };
}

/** Small batches keep few places in memory as text. The engine joins them. */
const PLACES_AT_ONCE = 1_000;

/** The returned function holds no places, so many writes can be awaited together. */
async function write(connection: EngineConnection, changes: PlaceChanges): Promise<() => Promise<void>> {
  return waitingFor(connection, await enqueue(connection, changes));
}

const waitingFor = (connection: EngineConnection, tasks: readonly number[]) => async (): Promise<void> => {
  for (const task of tasks) await waitForTask(connection, task);
};

/** Every task may be sent twice, so a lost response is harmless. */
async function enqueue(connection: EngineConnection, { places, removed }: PlaceChanges): Promise<number[]> {
  const index = connection.client.index(connection.liveUid);
  const tasks: number[] = [];
  for (let start = 0; start < places.length; start += PLACES_AT_ONCE) {
    const lines = toLines(places.slice(start, start + PLACES_AT_ONCE));
    const add = async () => index.addDocumentsFromString(lines, "application/x-ndjson", { primaryKey: "id" });
    tasks.push((await retryWhileUnreachable(add)).taskUid);
  }
  if (removed.length > 0)
    tasks.push((await retryWhileUnreachable(async () => index.deleteDocuments([...removed]))).taskUid);
  return tasks;
}

const toLines = (places: readonly PlaceDocument[]): string =>
  places.map((place) => JSON.stringify(toIndexedPlace(place))).join("\n");
