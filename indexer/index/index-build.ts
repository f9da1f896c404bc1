import { toIndexedPlace, withImportOrder } from "../../src/meilisearch/index-form.ts";
import { toRedirectDocument, type InputMark, type Redirect } from "../../src/meilisearch/manifest.ts";
import { toWordsDocument } from "../../src/meilisearch/live-words.ts";
import type { PlaceIndex } from "../../src/meilisearch/place-index.ts";
import { toVocabularyDocument, type StoredVocabulary } from "../../src/meilisearch/stored-vocabulary.ts";
import { toPairsDocument } from "../../src/meilisearch/word-pairs.ts";
import { hashesOfPlace, toAddedNamesDocument } from "../../src/partitions/name-filter.ts";
import type { Topology } from "../../src/partitions/topology.ts";
import { dataIdIdentity } from "../../src/place/document/data-id.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { retryWhileUnreachable } from "./engine-tasks.ts";
import { inChunks, readAllPlaces } from "./read-index.ts";
import { openPlaceIndexOf, type ConnectedGeneration } from "./connect-generation.ts";
import { createPairCounter, type PairCounter } from "./count-pairs.ts";
import { createMovedPlaces } from "./moved-places.ts";
import type { PartitionFill } from "./partition-fill.ts";
import { createPartitionLanes } from "./partition-lanes.ts";
import { addUp, createPartitionsReader, type PartitionsReader, type PlaceCounts } from "./read-partitions.ts";
import { readMap, removeGeneration, removeOtherGenerations, writePartitionMap } from "./store-map.ts";

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
  pass(place: PlaceDocument): void;
  /** Waits for every batch. Resolves to the number of places in the index, and of ids that redirect to another place. */
  finish(): Promise<PlaceCounts>;
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
  /** Makes it searchable, when all places were added: waits for them, and until the engine has filed their values. */
  completeForSearch(): Promise<void>;
  /**
   * Reads the new index in the same way as the server, for checks before the swap. The caller closes the
   * reader.
   */
  createReader(): PlaceIndex;
  /**
   * Copies the current state of these places from the live index, including deletions. Waits for the engine.
   */
  copyFromLive(identities: readonly string[]): Promise<void>;
  /** Makes it the live index in one step, with a mark of what it was made from, and the one that it replaces the previous one. */
  swap(mark?: InputMark): Promise<void>;
  /** Removes the build. The live index does not change. */
  discard(): Promise<void>;
  /** Closes the build and keeps it, so that it can be resumed. */
  leave(): Promise<void>;
}

/** What a build is made of. */
export interface BuildParts {
  readonly topology: Topology;
  readonly id: string;
  readonly next: ConnectedGeneration;
  readonly fills: readonly PartitionFill[];
  /** The generation that is live; `undefined` before the first import. */
  readonly live: PartitionsReader | undefined;
  readonly alreadyAdded: number;
  readonly expectedPlaces: number;
  /** Ends every wait. */
  readonly ended: AbortController;
  readonly close: () => Promise<void>;
  readonly say: (text: string) => void;
}

/** A build whose places go to the partitions in which they lie. Servers do not know its indexes before the map is written. */
export function createIndexBuild(parts: BuildParts): IndexBuild {
  const { id, next, fills, live, alreadyAdded, ended, close } = parts;
  const end = async (): Promise<void> => {
    ended.abort(new Error("The build has ended."));
    await close();
  };
  const reader = createPartitionsReader(
    fills.length,
    { firstOf: async (partition) => fills[partition]!.first, forget: () => undefined },
    ended.signal,
  );
  const addedNames = fills.map(() => new Set<number>());
  return {
    id,
    alreadyAdded,
    ...createFilling(parts, createPairCounter()),
    replace: (changes) => replacePlaces(parts, changes),
    copyFromLive: (identities) => copyFromLive(parts, identities, addedNames),
    knownDataIds: async (identities) => live?.knownDataIds(identities) ?? new Map(),
    createReader: () => openPlaceIndexOf(parts.topology, next.generation),
    async *readAll() {
      for (const { first } of fills) yield* readAllPlaces(first.connection);
    },
    readSome: (identities) => reader.readPlacesById(identities),
    async swap(mark) {
      await Promise.all(fills.map((fill) => fill.seal(mark)));
      await makeLive(parts);
      await end();
    },
    async discard() {
      ended.abort(new Error("The build has ended."));
      try {
        await removeGeneration(parts.topology, next.generation);
      } finally {
        await close();
      }
    },
    leave: end,
  };
}

/** Writes the map: the step with which servers switch. What follows it may fail: the next import does it again. */
async function makeLive({ topology, next, say }: BuildParts): Promise<void> {
  const before = await retryWhileUnreachable(() => readMap(topology));
  const map = {
    sequence: (before?.sequence ?? 0) + 1,
    live: next.generation,
    ...(before && { previous: before.live }),
  };
  // Whoever writes the same map again changes nothing.
  for (const url of await retryWhileUnreachable(() => writePartitionMap(topology, map)))
    say(
      `${url} does not respond: it gets the new partition map with the next import or when its replicas are brought up to date.`,
    );
  await removeOtherGenerations(topology, [map.live, map.previous]).catch(() => undefined);
}

/** The methods that fill the partitions. */
function createFilling(
  { next, fills, live, alreadyAdded, expectedPlaces, ended: { signal } }: BuildParts,
  counter: PairCounter,
): Pick<IndexBuild, "storeVocabulary" | "keepWords" | "pass" | "add" | "finish" | "completeForSearch"> {
  const lanes = createPartitionLanes(fills, alreadyAdded);
  const isDivided = fills.length > 1;
  const moved = isDivided ? createMovedPlaces(expectedPlaces) : undefined;
  let met = 0;
  const flush = async (): Promise<void> => {
    await lanes.flush();
    if (moved) await removeElsewhere(fills, moved.take());
  };
  const meet = (place: PlaceDocument): number => {
    const partition = next.ofPoint(place.location);
    met += 1;
    counter.meet(place);
    moved?.meet(dataIdIdentity(place.data_id), partition);
    return partition;
  };
  return {
    async storeVocabulary(vocabulary) {
      const document = JSON.stringify(toVocabularyDocument(vocabulary));
      await Promise.all(fills.map((fill) => fill.post([document])));
    },
    keepWords: () => keepWords(live, fills),
    pass: (place) => void meet(place),
    async add(places, documents = []) {
      signal.throwIfAborted();
      for (const [index, place] of places.entries()) {
        const partition = meet(place);
        const document = documents[index] ?? toJson(place);
        // Only results that are merged need it: one engine keeps the order of the import by itself.
        await lanes.add(partition, isDivided ? withImportOrder(document, met) : document);
      }
    },
    async finish() {
      await flush();
      return waitAndCount(fills);
    },
    async completeForSearch() {
      await flush();
      // Of one partition, since servers add up those of all.
      await fills[0]?.post([JSON.stringify(toPairsDocument(counter.pairs()))]);
      await Promise.all(fills.map((fill) => fill.completeForSearch({ withNames: isDivided })));
    },
  };
}

/** Copies the words that were added to the live index to each partition. */
async function keepWords(live: PartitionsReader | undefined, fills: readonly PartitionFill[]): Promise<void> {
  const rows = await live?.readWords();
  if (!rows) return;
  await Promise.all(fills.map((fill) => fill.post([JSON.stringify(toWordsDocument(rows))])));
}

const waitAndCount = async (fills: readonly PartitionFill[]): Promise<PlaceCounts> =>
  addUp(await Promise.all(fills.map((fill) => fill.finish())));

/** Writes places with other documents of their partitions. Resolves to the partition of each by its identity. */
async function writePlaces(
  { next, fills }: BuildParts,
  places: readonly PlaceDocument[],
  findOthers: (homes: Homes) => readonly { readonly home: number; readonly document: object }[],
): Promise<Homes> {
  const homes = new Map(
    places.map((place) => [dataIdIdentity(place.data_id), next.ofPoint(place.location)] as const),
  );
  const batches = fills.map((): string[] => []);
  for (const place of places) batches[homes.get(dataIdIdentity(place.data_id))!]!.push(toJson(place));
  for (const { home, document } of findOthers(homes)) batches[home]!.push(JSON.stringify(document));
  const posts = fills.map(async (fill, partition) => {
    const documents = batches[partition] ?? [];
    if (documents.length > 0) await fill.post(documents);
  });
  await Promise.all(posts);
  return homes;
}

/** The partitions of places by their identities. */
type Homes = ReadonlyMap<string, number>;

/** Rewrites places that were merged, and redirects the others to them. */
async function replacePlaces(
  parts: BuildParts,
  { places, redirects }: Parameters<IndexBuild["replace"]>[0],
): Promise<void> {
  const homeOf = (homes: Homes, to: string): number => homes.get(dataIdIdentity(to)) ?? 0;
  const homes = await writePlaces(parts, places, (known) =>
    redirects.map((redirect) => ({
      home: homeOf(known, redirect.to),
      document: toRedirectDocument(redirect),
    })),
  );
  // A record that was merged may lie beyond a border.
  const merged = redirects.map(({ from, to }) => [dataIdIdentity(from), homeOf(homes, to)] as const);
  await removeElsewhere(parts.fills, new Map(merged));
}

/** Copies the state of places from the live index. `addedNames` has what each partition got after its names were stored. */
async function copyFromLive(
  parts: BuildParts,
  identities: readonly string[],
  addedNames: readonly Set<number>[],
): Promise<void> {
  const { next, fills, live } = parts;
  if (live === undefined) return;
  const places = await live.readPlacesById(identities);
  const isDivided = fills.length > 1;
  for (const place of isDivided ? places : [])
    for (const name of hashesOfPlace(toIndexedPlace(place)))
      addedNames[next.ofPoint(place.location)]!.add(name);
  const homes = await writePlaces(parts, places, () =>
    (isDivided ? addedNames : []).map((names, home) => ({
      home,
      document: toAddedNamesDocument([...names]),
    })),
  );
  await removeElsewhere(fills, homes);
  const others = identities.filter((identity) => !homes.has(identity));
  // An id that redirects in the live index is not gone. The new index decides where it redirects.
  const redirects = await live.locate(others);
  const gone = others.filter((identity) => !redirects.has(identity));
  await Promise.all(fills.map((fill) => fill.remove(gone)));
  await waitAndCount(fills);
}

const toJson = (place: PlaceDocument): string => JSON.stringify(toIndexedPlace(place));

/** Places in one request. */
const REMOVED_AT_ONCE = 10_000;

/** Removes places from all partitions but the one where each belongs. Most of them are in no other. */
async function removeElsewhere(
  fills: readonly PartitionFill[],
  belongs: ReadonlyMap<string, number>,
): Promise<void> {
  const removals = fills.map(async (fill, partition) => {
    const identities = [...belongs].flatMap(([identity, home]) => (home === partition ? [] : [identity]));
    for (const some of inChunks(identities, REMOVED_AT_ONCE)) await fill.remove(some);
  });
  await Promise.all(removals);
}
