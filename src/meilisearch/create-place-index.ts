import * as v from "valibot";
import { CallerGoneError, engineUnavailable, ProblemError } from "../errors.ts";
import { fullCell } from "../place/cells.ts";
import { dataIdIdentity } from "../place/data-id.ts";
import {
  USUAL,
  type PlaceExtra,
  type PlaceSummaryDocument,
  type StoredPlace,
} from "../place/place-document.ts";
import {
  connectEngine,
  engineResponseOf,
  type EngineResponseError,
  type Ask,
  type EngineAddress,
  type EngineConnection,
} from "./connection.ts";
import { within } from "./deadline.ts";
import { toEngineQuery, type EngineQuery } from "./lookup-query.ts";
import { createDamageWatch, createVersionWatch, readIndexState } from "./index-state.ts";
import {
  createDensity,
  type Census,
  type IndexSample,
  type LookupResult,
  type PlaceIndex,
  type PlaceLookup,
  type PlaceReader,
  type FoundPlace,
} from "./place-index.ts";
import type { IndexedPlace } from "./index-form.ts";
import {
  documentOutline,
  documentsOutline,
  facetsOutline,
  isRedirectTo,
  multiSearchOutline,
  summariesOutline,
  type FoundDocument,
  type FoundHits,
} from "./outlines.ts";
import { CONTENT_FIELDS, SUMMARY_FIELDS } from "./packed-place.ts";
import { readLiveWords } from "./live-words.ts";
import { readStoredVocabulary } from "./stored-vocabulary.ts";
import { samplePlaces } from "./read-places.ts";
import { countDocuments, readManifest } from "./manifest.ts";

/** Counts take a quarter of a second to read for a million places, some seconds for ten million. No request waits for them. */
export const CENSUS_DEADLINE_MS = 30_000;

/**
 * The places of the live index. Opens its sockets with the first request.
 * @param guard wraps every request that a caller waits for (`createEngineGate`).
 * @param isDataDamaged whether an engine that does not respond was not started because its data is damaged.
 */
export function createPlaceIndex(
  address: EngineAddress,
  guard: (ask: Ask) => Ask = (ask) => ask,
  isDataDamaged = () => false,
): PlaceIndex {
  const plain = connectEngine(address);
  const damage = createDamageWatch(plain.ask);
  const connection = { ...plain, ask: damage.ask };
  const guarded = { ...connection, ask: guard(connection.ask) };
  const watch = createVersionWatch(async () => (await readManifest(connection, connection.liveUid))?.version);
  const ifReadable = <T>(ask: () => Promise<T>): Promise<T> => orUnavailable(() => watch(ask));
  const reader: PlaceReader = {
    findPlaces: (lookups, signal) => ifReadable(() => findPlaces(guarded, lookups, signal)),
    readSummaries: (places, signal, extras = []) =>
      ifReadable(() => readSummaries(guarded, idsOf(places), { signal, extras })),
  };
  // A swap exchanges the whole index between two requests of a search at most.
  const pinned = { ...reader, missingPartitions: () => [] };
  return {
    ...reader,
    pin: () => pinned,
    getPlace: (dataId, signal) =>
      ifReadable(() => withDeadline(signal, (deadline) => getPlace(guarded, dataId, deadline))),
    getPlaces: (dataIds, signal) =>
      ifReadable(() => withDeadline(signal, (deadline) => getPlaces(guarded, dataIds, deadline))),
    readCensus: () => orUnavailable(() => readCensus(connection)),
    readVocabulary: () => orUnavailable(() => readStoredVocabulary(connection, connection.liveUid)),
    readWords: () => orUnavailable(() => readLiveWords(connection, connection.liveUid)),
    async readState() {
      const state = await readIndexState(connection);
      if (state.state === "unreachable" && isDataDamaged()) return { state: "damaged", engine: "down" };
      return state.state === "ready" && damage.isRecent() ? { state: "damaged", engine: "up" } : state;
    },
    readSample: (size) => orUnavailable(() => readSample(connection, size)),
    warmUp: () => warmUp(connection),
    close: () => connection.close(),
  };
}

export async function readSample(connection: EngineConnection, size: number): Promise<IndexSample> {
  const [{ bytes }, places] = await Promise.all([
    countDocuments(connection, connection.liveUid, CENSUS_DEADLINE_MS),
    samplePlaces(connection, connection.liveUid, size),
  ]);
  return { documentBytes: bytes, places };
}

const idsOf = (places: readonly FoundPlace[]): string[] => places.map(({ id }) => id);

/** Reads with a signal that aborts when the caller's does, or when the response would come too late. */
export const withDeadline = <T>(
  signal: AbortSignal | undefined,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T> => within({}, signal, read);

export async function orUnavailable<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    // Rejected before it reached the engine, or the caller hung up: the engine has not failed.
    if (error instanceof ProblemError || error instanceof CallerGoneError) throw error;
    if (isInvalidRequest(engineResponseOf(error))) throw error;
    throw engineUnavailable(error);
  }
}

/** A request that the engine refuses: a bug. For a missing index, too, a multi-search is refused with 400. */
export const isInvalidRequest = (response: EngineResponseError | undefined): boolean =>
  response?.status === 400 && response.code !== "index_not_found";

/** Which index of an engine is read, and how. */
export type ReadIndex = Pick<EngineConnection, "ask" | "liveUid">;

const findPlaces = async (
  { ask, liveUid }: ReadIndex,
  lookups: readonly PlaceLookup[],
  signal: AbortSignal,
): Promise<LookupResult[]> => {
  const queries = lookups.map((lookup) => ({ indexUid: liveUid, ...toEngineQuery(lookup) }));
  const results = await searchIndexes(ask, queries, signal);
  return results.map(({ hits, estimatedTotalHits: total }) => ({
    places: hits.map(({ place }) => place),
    total,
  }));
};

/** A query to one index of an engine. */
export type IndexQuery = { readonly indexUid: string } & EngineQuery;

/** One round trip for queries to any indexes of an engine; the results are in the order of the queries. */
export async function searchIndexes(
  ask: Ask,
  queries: readonly IndexQuery[],
  signal: AbortSignal,
): Promise<readonly FoundHits[]> {
  const { results } = await ask({
    operation: "search",
    path: "/multi-search",
    body: { queries },
    signal,
    outline: multiSearchOutline(queries),
  });
  return results;
}

export async function readSummaries(
  { ask, liveUid }: ReadIndex,
  ids: readonly string[],
  { signal, extras }: { readonly signal: AbortSignal; readonly extras: readonly PlaceExtra[] },
): Promise<Map<string, PlaceSummaryDocument>> {
  if (ids.length === 0) return new Map();
  const fields = [...SUMMARY_FIELDS, "redirect_to", ...extras.map(toStoredField)];
  const { results } = await ask({
    operation: "summaries",
    path: `/indexes/${liveUid}/documents/fetch`,
    body: { ids, fields, limit: ids.length },
    signal,
    outline: summariesOutline(new Set(ids)),
  });
  // A place that was merged into another one since it was found has no summary any more.
  return new Map(results.flatMap((found) => ("place" in found ? [[found.id, found.place]] : [])));
}

/** Photos are stored with the other long fields, so a request for one reads them all. */
const toStoredField = (extra: PlaceExtra): keyof IndexedPlace => (extra === "first_photo" ? "detail" : extra);

/** The place with this data id, or the place it was merged into. */
async function getPlace(
  connection: EngineConnection,
  dataId: string,
  signal: AbortSignal,
): Promise<StoredPlace | undefined> {
  const found = await getDocument(connection, dataIdIdentity(dataId), signal);
  // One step only: the indexer never writes a redirect to a redirect.
  const place =
    found && isRedirectTo(found) ? await getDocument(connection, found.redirect_to, signal) : found;
  return toStoredPlace(place);
}

export const toStoredPlace = (found: FoundDocument | undefined): StoredPlace | undefined =>
  found && !isRedirectTo(found) ? found.place : undefined;

/** One round trip, and one more for the places that some of them were merged into. */
async function getPlaces(
  connection: EngineConnection,
  dataIds: readonly string[],
  signal: AbortSignal,
): Promise<(StoredPlace | undefined)[]> {
  const ids = dataIds.map(dataIdIdentity);
  const found = await getDocuments(connection, ids, signal);
  const targets = [...found.values()].filter(isRedirectTo).map(({ redirect_to: id }) => id);
  const merged = await getDocuments(connection, targets, signal);
  return ids.map((id) => {
    const first = found.get(id);
    return toStoredPlace(first && isRedirectTo(first) ? merged.get(first.redirect_to) : first);
  });
}

/** The places and redirects with these ids, by id. */
export async function getDocuments(
  { ask, liveUid }: ReadIndex,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, FoundDocument>> {
  if (ids.length === 0) return new Map();
  const wanted = new Set(ids);
  const { results } = await ask({
    operation: "documents",
    path: `/indexes/${liveUid}/documents/fetch`,
    body: { ids: [...wanted], fields: DOCUMENT_FIELDS, limit: wanted.size },
    signal,
    outline: documentsOutline(wanted),
  });
  return new Map(results.map((document) => [document.id, document]));
}

/** What a place detail is made of, and where a redirect leads. */
const DOCUMENT_FIELDS = [...CONTENT_FIELDS, "indexed_at", "redirect_to"];

async function getDocument(
  { ask, liveUid }: ReadIndex,
  id: string,
  signal: AbortSignal,
): Promise<FoundDocument | undefined> {
  const path = `/indexes/${liveUid}/documents/${id}?fields=${DOCUMENT_FIELDS.join(",")}`;
  try {
    return await ask({ operation: "document", path, signal, outline: documentOutline(id) });
  } catch (error) {
    if (engineResponseOf(error)?.code === "document_not_found") return undefined;
    throw error;
  }
}

async function readCensus(index: ReadIndex): Promise<Census> {
  return toCensus([await readCounts(index)]);
}

/** How many places an index has of each kind, in each cell and in each time zone. */
export interface Counts {
  readonly cells: Readonly<Record<string, number>>;
  readonly types: Readonly<Record<string, number>>;
  readonly timezones: readonly string[];
  readonly words: Census["words"];
}

export async function readCounts({ ask, liveUid }: ReadIndex): Promise<Counts> {
  const { facetDistribution } = await ask({
    operation: "census",
    path: `/indexes/${liveUid}/search`,
    body: { facets: ["cells", "timezone", "type", "name_words", "rest_words"], limit: 0 },
    signal: AbortSignal.timeout(CENSUS_DEADLINE_MS),
    outline: facetsOutline,
  });
  const { cells = {}, timezone = {}, type = {}, name_words = {}, rest_words = {} } = facetDistribution;
  const fullCells = Object.entries(cells).map(([cell, count]) => [fullCell(cell), count] as const);
  return {
    cells: Object.fromEntries(fullCells),
    types: type,
    timezones: [...new Set([USUAL.timezone, ...Object.keys(timezone)])],
    words: { inNames: name_words, inAddresses: rest_words },
  };
}

/** The census of the places of one index or of several. */
export function toCensus(counts: readonly Counts[]): Census {
  const types = new Map(Object.entries(addUp(counts.map((one) => one.types))));
  return {
    places: [...types.values()].reduce((sum, count) => sum + count, 0),
    density: createDensity(addUp(counts.map(({ cells }) => cells))),
    types,
    timezones: [...new Set(counts.flatMap(({ timezones }) => timezones))],
    words: {
      inNames: addUp(counts.map(({ words }) => words.inNames)),
      inAddresses: addUp(counts.map(({ words }) => words.inAddresses)),
    },
  };
}

function addUp(counts: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> {
  const [first = {}, ...others] = counts;
  if (others.length === 0) return first;
  const sums = { ...first };
  for (const one of others) {
    for (const [key, count] of Object.entries(one)) sums[key] = (sums[key] ?? 0) + count;
  }
  return sums;
}

/** Chinese, Japanese and Korean: with the first text of each, the engine loads a dictionary in 0.3 to 2.3 seconds. */
const DICTIONARY_WORDS = "咖啡カフェ카페";

export async function warmUp({ ask, liveUid }: ReadIndex): Promise<void> {
  await ask({
    operation: "warm_up",
    path: `/indexes/${liveUid}/search`,
    body: { q: DICTIONARY_WORDS, limit: 0 },
    signal: AbortSignal.timeout(CENSUS_DEADLINE_MS),
    outline: v.unknown(),
  }).catch(() => undefined);
}
