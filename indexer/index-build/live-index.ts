import type { PlaceDocument } from "../../src/place/place-document.ts";
import {
  connectEngine,
  type EngineAddress,
  type EngineConnection,
} from "../../src/meilisearch/connection.ts";
import { insistently, waitForTask } from "./engine-tasks.ts";
import { INDEX_VERSION } from "../../src/meilisearch/index-form.ts";
import { toIndexedPlace } from "../../src/meilisearch/index-form.ts";
import {
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

/** What happens to some places: each is written or removed, none is both. */
interface PlaceChanges {
  readonly places: readonly PlaceDocument[];
  /** Identities (`dataIdIdentity`). */
  readonly removed: readonly string[];
}

/** The index that is searched, as the commands see it that write to it. */
export interface LiveIndex {
  /** Whether this program may write to it. Alone of all it does not wait for an engine that is away. */
  readState(): Promise<"writable" | "missing" | "of another version">;
  count(): Promise<number>;
  /** How many ids lead to another place. */
  countRedirects(): Promise<number>;
  /** The data ids of those of these identities that it has. */
  knownDataIds(identities: readonly string[]): Promise<ReadonlyMap<string, string>>;
  readPlacesById(identities: readonly string[]): Promise<readonly PlaceDocument[]>;
  /** Of all places, some thousands at a time. */
  readHashes(): AsyncIterable<readonly HashedPlace[]>;
  /** The sources of all places, some thousands at a time. */
  readSources(): AsyncIterable<readonly PlaceSource[]>;
  /** The sources of those of these identities that it has. */
  readSourcesOf(identities: readonly string[]): Promise<readonly PlaceSource[]>;
  /**
   * Hands the changes over. What it resolves to waits until searches see them. An engine that is started again meanwhile is
   * waited for.
   */
  write(changes: PlaceChanges): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** An engine that writes gigabytes answers late. */
const COUNT_DEADLINE_MS = 30_000;

/** Opens nothing yet: the first call does. */
export function createLiveIndex(address: EngineAddress): LiveIndex {
  const connection = connectEngine(address);
  return {
    async readState() {
      const manifest = await readManifest(connection, connection.liveUid, PATIENT_DEADLINE_MS);
      if (manifest === undefined) return "missing";
      return manifest.version === INDEX_VERSION ? "writable" : "of another version";
    },
    count: () => insistently(() => countPlaces(connection, connection.liveUid, COUNT_DEADLINE_MS)),
    async countRedirects() {
      const count = () => countDocuments(connection, connection.liveUid, COUNT_DEADLINE_MS);
      return (await insistently(count)).redirects;
    },
    knownDataIds: (identities) => insistently(() => readKnownDataIds(connection, identities)),
    readPlacesById: (identities) => insistently(() => readPlacesById(connection, identities)),
    readHashes: () => readHashes(connection),
    readSources: () => readSources(connection),
    readSourcesOf: (identities) => insistently(() => readSourcesOf(connection, identities)),
    write: (changes) => write(connection, changes),
    close: () => connection.close(),
  };
}

/** The engine joins what is handed over in pieces, and fewer places are in memory as text. */
const PLACES_AT_ONCE = 1_000;

/** What waits for the tasks holds nothing of the places: many writes may be waited for together. */
async function write(connection: EngineConnection, changes: PlaceChanges): Promise<() => Promise<void>> {
  return waitingFor(connection, await enqueue(connection, changes));
}

const waitingFor = (connection: EngineConnection, tasks: readonly number[]) => async (): Promise<void> => {
  for (const task of tasks) await waitForTask(connection, task);
};

/** Every task says the same when it is handed over twice, so an answer that was lost does no harm. */
async function enqueue(connection: EngineConnection, { places, removed }: PlaceChanges): Promise<number[]> {
  const index = connection.client.index(connection.liveUid);
  const tasks: number[] = [];
  for (let start = 0; start < places.length; start += PLACES_AT_ONCE) {
    const lines = toLines(places.slice(start, start + PLACES_AT_ONCE));
    const add = async () => index.addDocumentsFromString(lines, "application/x-ndjson", { primaryKey: "id" });
    tasks.push((await insistently(add)).taskUid);
  }
  if (removed.length > 0)
    tasks.push((await insistently(async () => index.deleteDocuments([...removed]))).taskUid);
  return tasks;
}

const toLines = (places: readonly PlaceDocument[]): string =>
  places.map((place) => JSON.stringify(toIndexedPlace(place))).join("\n");
