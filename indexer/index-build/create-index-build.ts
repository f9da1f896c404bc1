import { dataIdIdentity } from "../../src/place/data-id.ts";
import type { PlaceDocument } from "../../src/place/place-document.ts";
import { createPlaceIndex } from "../../src/meilisearch/create-place-index.ts";
import type { EngineAddress, EngineConnection } from "../../src/meilisearch/connection.ts";
import { checkStillOurs, createBatchQueue, isStillOurs } from "./batch-queue.ts";
import { retryWhileUnreachable } from "./engine-tasks.ts";
import { keepPrevious, removeBuild, swapIn } from "./swap.ts";
import { toIndexedPlace } from "../../src/meilisearch/index-form.ts";
import {
  COUNT_DEADLINE_MS,
  countDocuments,
  toManifestDocument,
  type BuildState,
  type Manifest,
  toRedirectDocument,
  type Redirect,
} from "../../src/meilisearch/manifest.ts";
import { readLiveWords, toWordsDocument } from "../../src/meilisearch/live-words.ts";
import { toVocabularyDocument, type StoredVocabulary } from "../../src/meilisearch/stored-vocabulary.ts";
import { readAllPlaces, readKnownDataIds, readPlacesById } from "./read-index.ts";
import type { PlaceIndex } from "../../src/meilisearch/place-index.ts";

/** The manifest of an index that is being filled. */
export type UnfinishedManifest = Manifest & { readonly build: BuildState };

/**
 * Opens a build with its own connection, which the build closes at its end. The index exists and has this
 * manifest.
 */
export function createIndexBuild(
  address: EngineAddress,
  connection: EngineConnection,
  manifest: UnfinishedManifest,
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

/** Copies the words that were added to the live index. */
async function keepWords(
  connection: EngineConnection,
  queue: BatchQueue,
  signal: AbortSignal,
): Promise<void> {
  const read = () => readLiveWords(connection, connection.liveUid, COUNT_DEADLINE_MS);
  const rows = await retryWhileUnreachable(read, signal);
  if (rows !== "") await queue.post([JSON.stringify(toWordsDocument(rows))]);
}

type BatchQueue = ReturnType<typeof createBatchQueue>;

type Filling = Pick<
  IndexBuild,
  | "knownDataIds"
  | "storeVocabulary"
  | "keepWords"
  | "add"
  | "replace"
  | "finish"
  | "countRedirects"
  | "copyFromLive"
>;

/** The methods that write places to the new index. The signal ends every wait. */
function createFilling(
  connection: EngineConnection,
  manifest: UnfinishedManifest,
  signal: AbortSignal,
): Filling {
  const { build } = manifest;
  const queue = createBatchQueue(connection, manifest, { signal });
  const count = () =>
    retryWhileUnreachable(() => countDocuments(connection, connection.nextUid, COUNT_DEADLINE_MS), signal);
  let { added } = build;
  return {
    knownDataIds: (identities) =>
      retryWhileUnreachable(() => readKnownDataIds(connection, identities), signal),
    storeVocabulary: (vocabulary) => queue.post([JSON.stringify(toVocabularyDocument(vocabulary))]),
    keepWords: () => keepWords(connection, queue, signal),
    async add(places, documents = []) {
      const progress = { ...manifest, build: { ...build, added: added + places.length } };
      await queue.post([...toLines(places, documents), JSON.stringify(toManifestDocument(progress))]);
      added += places.length;
    },
    async replace({ places, redirects }) {
      await queue.post([...places.map(toJson), ...redirects.map(toRedirectJson)]);
    },
    countRedirects: async () => (await count()).redirects,
    async finish() {
      await queue.finish();
      await checkStillOurs(connection, manifest);
      return (await count()).places;
    },
    async copyFromLive(identities) {
      const places = await retryWhileUnreachable(() => readPlacesById(connection, identities), signal);
      const found = new Set(places.map(({ data_id: dataId }) => dataIdIdentity(dataId)));
      if (places.length > 0) await queue.post(places.map(toJson));
      const others = identities.filter((identity) => !found.has(identity));
      // An id that redirects in the live index is not gone. The new index decides where it redirects.
      const redirects = await retryWhileUnreachable(() => readKnownDataIds(connection, others), signal);
      await queue.remove(others.filter((identity) => !redirects.has(identity)));
      await queue.finish();
    },
  };
}

/** Converts one place at a time, since its JSON for the engine is several times as large as the place. */
const toJson = (place: PlaceDocument): string => JSON.stringify(toIndexedPlace(place));

/** Builds the documents that are not there yet. */
const toLines = (places: readonly PlaceDocument[], documents: readonly (string | undefined)[]): string[] =>
  places.map((place, index) => documents[index] ?? toJson(place));

const toRedirectJson = (redirect: Redirect): string => JSON.stringify(toRedirectDocument(redirect));

interface Replacement {
  readonly places: readonly PlaceDocument[];
  /** From places that exist to these places. */
  readonly redirects: readonly Redirect[];
}

/** A new index that is filled beside the live one. Searches do not see it before `swap`. */
export interface IndexBuild {
  /** Identifies this build. */
  readonly id: string;
  /** The number of places sent before the build was interrupted and resumed; 0 for a new build. */
  readonly alreadyAdded: number;
  /**
   * The data ids by which the live index knows these identities (`dataIdIdentity`), so that a place that
   * moved keeps its id. Identities that the index does not have are left out.
   */
  knownDataIds(identities: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Takes a batch and sends it with others. Waits only while too many are in progress. Throws when the engine has refused one.
   * `documents` has the JSON of those that were built already.
   */
  add(places: readonly PlaceDocument[], documents?: readonly (string | undefined)[]): Promise<void>;
  /** Takes note of a place that was added before the build was interrupted. */
  pass?(place: PlaceDocument): void;
  /** Waits for every batch. Resolves to the number of places in the index. */
  finish(): Promise<number>;
  /** All places in it, in pages, and some of them by their identities: once `finish` has waited for them. */
  readAll(): AsyncGenerator<PlaceDocument[]>;
  readSome(identities: readonly string[]): Promise<PlaceDocument[]>;
  /**
   * Rewrites places that the index has, and redirects other ids to them, all in one step. `finish` waits for
   * it.
   */
  replace(changes: Replacement): Promise<void>;
  /** Stores the areas and words that belong to the index. */
  storeVocabulary(vocabulary: StoredVocabulary): Promise<void>;
  /** Takes over the words that were added to the live index. `finish` waits for it. */
  keepWords(): Promise<void>;
  /** Adds what searches across partitions need, once all places are there. A single index needs nothing. */
  completeForSearch?(): Promise<void>;
  /** How many ids in the index redirect to another place. */
  countRedirects(): Promise<number>;
  /**
   * Reads the new index in the same way as the server, for checks before the swap. The caller closes the
   * reader.
   */
  createReader(): PlaceIndex;
  /**
   * Copies the current state of these places from the live index, including deletions. Waits for the engine.
   */
  copyFromLive(identities: readonly string[]): Promise<void>;
  /**
   * Makes it the live index in one step. Resolves to whether the replaced index could be kept as the previous
   * one.
   */
  swap(): Promise<boolean>;
  /** Removes the build. The live index does not change. Gives up when the signal is aborted. */
  discard(signal?: AbortSignal): Promise<void>;
  /** Closes the build and keeps it, so that it can be resumed. */
  leave(): Promise<void>;
}
