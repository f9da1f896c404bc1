import { dataIdIdentity } from "../../src/place/data-id.ts";
import type { PlaceDocument } from "../../src/place/place-document.ts";
import { createPlaceIndex } from "../../src/meilisearch/create-place-index.ts";
import type { EngineAddress, EngineConnection } from "../../src/meilisearch/connection.ts";
import { EngineTaskError, retryWhileUnreachable, REPLACED, waitForTask } from "./engine-tasks.ts";
import { keepPrevious, removeBuild, swapIn } from "./swap.ts";
import { toIndexedPlace } from "../../src/meilisearch/index-form.ts";
import {
  countDocuments,
  countPlaces,
  readManifest,
  toManifestDocument,
  type BuildState,
  type Manifest,
  toRedirectDocument,
  type Redirect,
} from "../../src/meilisearch/manifest.ts";
import { toVocabularyDocument, type StoredVocabulary } from "../../src/meilisearch/stored-vocabulary.ts";
import { readAllPlaces, readKnownDataIds, readPlacesById } from "./read-index.ts";
import type { PlaceIndex } from "../../src/meilisearch/place-index.ts";

/**
 * Batches handed over and not yet indexed. The engine joins those that wait into one write, and the larger the writes the fewer
 * they are. Each lies on its disk until then, some two megabytes, and not in our memory.
 */
const MAX_WAITING_BATCHES = 200;

/** Right after writing gigabytes the engine answers late. */
const COUNT_DEADLINE_MS = 30_000;

type Unfinished = Manifest & { readonly build: BuildState };

/** A build over a connection of its own, which it closes at its end. The index is there, with this manifest. */
export function createIndexBuild(
  address: EngineAddress,
  connection: EngineConnection,
  manifest: Unfinished,
): IndexBuild {
  const ended = new AbortController();
  const close = async (): Promise<void> => {
    ended.abort(new Error("The build has ended."));
    await connection.close();
  };
  return {
    id: manifest.build.id,
    alreadyAdded: manifest.build.added,
    createReader: () => createPlaceIndex({ ...address, prefix: connection.nextUid }),
    ...createFilling(connection, manifest, ended.signal),
    readAll: () => readAllPlaces(connection, connection.nextUid),
    readSome: (identities) =>
      retryWhileUnreachable(() => readPlacesById(connection, identities, connection.nextUid), ended.signal),
    async swap() {
      await checkStillOurs(connection, manifest);
      await swapIn(connection, { version: manifest.version, built_at: manifest.built_at });
      const isPreviousKept = await keepPrevious(connection).then(
        () => true,
        () => false,
      );
      await close();
      return isPreviousKept;
    },
    async discard(signal) {
      ended.abort(new Error("The build has ended."));
      try {
        if (await isStillOurs(connection, manifest)) await removeBuild(connection, signal);
      } finally {
        await close();
      }
    },
    leave: close,
  };
}

/** All that puts places into the new index. The signal ends every wait. */
function createFilling(
  connection: EngineConnection,
  manifest: Unfinished,
  signal: AbortSignal,
): Pick<
  IndexBuild,
  "knownDataIds" | "storeVocabulary" | "add" | "replace" | "finish" | "countRedirects" | "copyFromLive"
> {
  const { build } = manifest;
  const queue = createBatchQueue(connection, signal);
  let { added } = build;
  return {
    knownDataIds: (identities) =>
      retryWhileUnreachable(() => readKnownDataIds(connection, identities), signal),
    storeVocabulary: (vocabulary) => queue.post([JSON.stringify(toVocabularyDocument(vocabulary))]),
    async add(places) {
      await queue.waitUntilUnder(MAX_WAITING_BATCHES);
      await checkStillOurs(connection, manifest);
      const progress = { ...manifest, build: { ...build, added: added + places.length } };
      await queue.post([...places.map(toJson), JSON.stringify(toManifestDocument(progress))]);
      added += places.length;
    },
    async replace({ places, redirects }) {
      await queue.waitUntilUnder(MAX_WAITING_BATCHES);
      await checkStillOurs(connection, manifest);
      await queue.post([...places.map(toJson), ...redirects.map(toRedirectJson)]);
    },
    async countRedirects() {
      const count = () => countDocuments(connection, connection.nextUid, COUNT_DEADLINE_MS);
      return (await retryWhileUnreachable(count, signal)).redirects;
    },
    async finish() {
      await queue.waitUntilUnder(1);
      await checkStillOurs(connection, manifest);
      return retryWhileUnreachable(
        () => countPlaces(connection, connection.nextUid, COUNT_DEADLINE_MS),
        signal,
      );
    },
    async copyFromLive(identities) {
      const places = await retryWhileUnreachable(() => readPlacesById(connection, identities), signal);
      const found = new Set(places.map(({ data_id: dataId }) => dataIdIdentity(dataId)));
      if (places.length > 0) await queue.post(places.map(toJson));
      const others = identities.filter((identity) => !found.has(identity));
      // What leads elsewhere in the live index is not gone; where it leads in the new one is that one's business.
      const redirects = await retryWhileUnreachable(() => readKnownDataIds(connection, others), signal);
      await queue.remove(others.filter((identity) => !redirects.has(identity)));
      await queue.waitUntilUnder(1);
    },
  };
}

/** One place at a time: what the engine is given is some times as large as the place. */
const toJson = (place: PlaceDocument): string => JSON.stringify(toIndexedPlace(place));

const toRedirectJson = (redirect: Redirect): string => JSON.stringify(toRedirectDocument(redirect));

/** Hands batches to the engine and knows which of them it has not finished. */
function createBatchQueue(connection: EngineConnection, signal: AbortSignal) {
  const index = connection.client.index(connection.nextUid);
  const waiting: number[] = [];
  return {
    async waitUntilUnder(batches: number): Promise<void> {
      while (waiting.length >= batches) {
        await waitForTask(connection, waiting[0]!, signal);
        waiting.shift();
      }
    },
    /** Each document as its JSON. */
    async post(documents: readonly string[]): Promise<void> {
      const lines = documents.join("\n");
      const enqueue = () => index.addDocumentsFromString(lines, "application/x-ndjson", { primaryKey: "id" });
      waiting.push((await retryWhileUnreachable(async () => enqueue(), signal)).taskUid);
    },
    async remove(identities: readonly string[]): Promise<void> {
      if (identities.length === 0) return;
      const enqueue = async () => index.deleteDocuments([...identities]);
      waiting.push((await retryWhileUnreachable(enqueue, signal)).taskUid);
    },
  };
}

async function isStillOurs(connection: EngineConnection, manifest: Manifest): Promise<boolean> {
  const found = await readManifest(connection, connection.nextUid);
  return found?.built_at === manifest.built_at;
}

/**
 * Two imports on one engine fill the same index, the later one having removed what the earlier had built.
 * @throws {EngineTaskError} for the earlier one.
 */
async function checkStillOurs(connection: EngineConnection, manifest: Manifest): Promise<void> {
  if (await retryWhileUnreachable(() => isStillOurs(connection, manifest))) return;
  throw new EngineTaskError(REPLACED);
}

interface Replacement {
  readonly places: readonly PlaceDocument[];
  /** From places that are there, to these. */
  readonly redirects: readonly Redirect[];
}

/** A new index that grows beside the live one. Searches see nothing of it before `swap`. */
export interface IndexBuild {
  /** Tells this build from every other. */
  readonly id: string;
  /** Places that were handed over before the build broke off and was resumed; 0 for a new one. */
  readonly alreadyAdded: number;
  /**
   * The data ids under which the live index has these identities (`dataIdIdentity`): a place that moved keeps the id that
   * callers hold. Identities it does not have are absent.
   */
  knownDataIds(identities: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Hands over a batch and waits only while too many batches are under way. Throws when the engine refused one. */
  add(places: readonly PlaceDocument[]): Promise<void>;
  /** Waits for every batch. Resolves to the number of places in it. */
  finish(): Promise<number>;
  /** All places in it, in pages, and some of them by their identities: once `finish` has waited for them. */
  readAll(): AsyncGenerator<PlaceDocument[]>;
  readSome(identities: readonly string[]): Promise<PlaceDocument[]>;
  /** Writes places that are there anew, and makes other ids lead to them; all of it or nothing. `finish` waits for it. */
  replace(changes: Replacement): Promise<void>;
  /** Stores the areas and words that belong to it. */
  storeVocabulary(vocabulary: StoredVocabulary): Promise<void>;
  /** How many ids in it lead to another place. */
  countRedirects(): Promise<number>;
  /** The new index as the server will read it, for checks before the swap. The caller closes it. */
  createReader(): PlaceIndex;
  /** Makes these places what they are in the live index, also when they are not there any more. Waits for it. */
  copyFromLive(identities: readonly string[]): Promise<void>;
  /** Makes it the live index in one step. Resolves to whether the one it replaces could be kept as the previous. */
  swap(): Promise<boolean>;
  /** Removes it; the live index is untouched. Gives up when the signal is aborted. */
  discard(signal?: AbortSignal): Promise<void>;
  /** Lets go of it as it is, to be resumed one day. */
  leave(): Promise<void>;
}
