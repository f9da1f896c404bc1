import * as v from "valibot";
import { CallerGoneError, engineUnavailable, ProblemError } from "../errors.ts";
import { fullCell } from "../place/geometry/cells.ts";
import {
  USUAL,
  type PlaceDocument,
  type PlaceExtra,
  type PlaceSummaryDocument,
  type StoredPlace,
} from "../place/document/place-document.ts";
import { engineResponseOf, type Ask, type EngineResponseError, type IndexConnection } from "./connection.ts";
import { within } from "./deadline.ts";
import type { IndexedPlace } from "./index-form.ts";
import type { EngineQuery } from "./lookup-query.ts";
import { countDocuments, isPlaceId, isRedirect, readStats } from "./manifest.ts";
import {
  documentsOutline,
  facetsOutline,
  isRedirectTo,
  multiSearchOutline,
  summariesOutline,
  type FoundDocument,
  type FoundHits,
} from "./outlines.ts";
import { CONTENT_FIELDS, SUMMARY_FIELDS, toPlaceDocument } from "./packed-place.ts";
import { createDensity, type Census, type IndexSample } from "./place-index.ts";
import { readWordPairs } from "./word-pairs.ts";

/** What is read of one index of an engine: a partition of the places. */

/** Counts take a quarter of a second to read for a million places, some seconds for ten million. No request waits for them. */
export const CENSUS_DEADLINE_MS = 30_000;

export async function readSample(index: ReadIndex, size: number): Promise<IndexSample> {
  const [{ bytes }, places] = await Promise.all([
    countDocuments(index, index.uid, CENSUS_DEADLINE_MS),
    samplePlaces(index, size),
  ]);
  return { documentBytes: bytes, places };
}

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
export type ReadIndex = Pick<IndexConnection, "ask" | "uid">;

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
  { ask, uid }: ReadIndex,
  ids: readonly string[],
  { signal, extras }: { readonly signal: AbortSignal; readonly extras: readonly PlaceExtra[] },
): Promise<Map<string, PlaceSummaryDocument>> {
  if (ids.length === 0) return new Map();
  const fields = [...SUMMARY_FIELDS, "redirect_to", ...extras.map(toStoredField)];
  const { results } = await ask({
    operation: "summaries",
    path: `/indexes/${uid}/documents/fetch`,
    body: { ids, fields, limit: ids.length },
    signal,
    outline: summariesOutline(new Set(ids)),
  });
  // A place that was merged into another one since it was found has no summary any more.
  return new Map(results.flatMap((found) => ("place" in found ? [[found.id, found.place]] : [])));
}

/** Photos are stored with the other long fields, so a request for one reads them all. */
const toStoredField = (extra: PlaceExtra): keyof IndexedPlace => (extra === "first_photo" ? "detail" : extra);

export const toStoredPlace = (found: FoundDocument | undefined): StoredPlace | undefined =>
  found && !isRedirectTo(found) ? found.place : undefined;

/** The places and redirects with these ids, by id. */
export async function getDocuments(
  { ask, uid }: ReadIndex,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, FoundDocument>> {
  if (ids.length === 0) return new Map();
  const wanted = new Set(ids);
  const { results } = await ask({
    operation: "documents",
    path: `/indexes/${uid}/documents/fetch`,
    body: { ids: [...wanted], fields: DOCUMENT_FIELDS, limit: wanted.size },
    signal,
    outline: documentsOutline(wanted),
  });
  return new Map(results.map((document) => [document.id, document]));
}

/** What a place detail is made of, and where a redirect leads. */
const DOCUMENT_FIELDS = [...CONTENT_FIELDS, "indexed_at", "redirect_to"];

/** How many places an index has of each kind, in each cell and in each time zone. */
export interface Counts {
  readonly cells: Readonly<Record<string, number>>;
  readonly types: Readonly<Record<string, number>>;
  readonly timezones: readonly string[];
  readonly words: Census["words"];
}

export async function readCounts({ ask, uid }: ReadIndex): Promise<Counts> {
  const [{ facetDistribution }, pairs] = await Promise.all([
    ask({
      operation: "census",
      path: `/indexes/${uid}/search`,
      body: { facets: ["cells", "timezone", "type", "name_words", "rest_words"], limit: 0 },
      signal: AbortSignal.timeout(CENSUS_DEADLINE_MS),
      outline: facetsOutline,
    }),
    readWordPairs({ ask }, uid),
  ]);
  const { cells = {}, timezone = {}, type = {}, name_words = {}, rest_words = {} } = facetDistribution;
  const fullCells = Object.entries(cells).map(([cell, count]) => [fullCell(cell), count] as const);
  return {
    cells: Object.fromEntries(fullCells),
    types: type,
    timezones: [...new Set([USUAL.timezone, ...Object.keys(timezone)])],
    words: { inNames: name_words, inAddresses: rest_words, pairs },
  };
}

/** The census of the places of one index or of several. */
export function toCensus(counts: readonly Counts[]): Omit<Census, "isWhole"> {
  const types = new Map(Object.entries(addUp(counts.map((one) => one.types))));
  return {
    places: [...types.values()].reduce((sum, count) => sum + count, 0),
    density: createDensity(addUp(counts.map(({ cells }) => cells))),
    types,
    timezones: [...new Set(counts.flatMap(({ timezones }) => timezones))],
    words: {
      inNames: addUp(counts.map(({ words }) => words.inNames)),
      inAddresses: addUp(counts.map(({ words }) => words.inAddresses)),
      pairs: {
        inNames: addUp(counts.map(({ words }) => words.pairs.inNames)),
        inAddresses: addUp(counts.map(({ words }) => words.pairs.inAddresses)),
      },
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

export async function warmUp({ ask, uid }: ReadIndex): Promise<void> {
  await ask({
    operation: "warm_up",
    path: `/indexes/${uid}/search`,
    body: { q: DICTIONARY_WORDS, limit: 0 },
    signal: AbortSignal.timeout(CENSUS_DEADLINE_MS),
    outline: v.unknown(),
  }).catch(() => undefined);
}

/** Allows for a page of large places from a busy disk. */
const PAGE_DEADLINE_MS = 30_000;

type StoredContent = Pick<IndexedPlace, (typeof CONTENT_FIELDS)[number]>;

/** Whether a document is a place, not the manifest or a redirect. */
export const isPlace = (document: StoredContent): boolean => isPlaceId(document.id) && !isRedirect(document);

/** Places, redirects and what describes the index: only the id is sure. Whoever reads a place checks it. */
const pageSchema = v.object({
  results: v.array(v.custom<StoredContent>((value) => v.is(v.object({ id: v.string() }), value))),
});

interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** Reads documents in the engine's own order. */
export async function readPage({ ask, uid }: ReadIndex, page: Page): Promise<StoredContent[]> {
  const { results } = await ask({
    operation: "page",
    path: `/indexes/${uid}/documents/fetch`,
    body: { ...page, fields: [...CONTENT_FIELDS, "redirect_to"] },
    signal: AbortSignal.timeout(PAGE_DEADLINE_MS),
    outline: pageSchema,
  });
  return results;
}

/** Neighbours in an index often come from one town or one file, so a sample takes few from each spot. */
const PER_SPOT = 2;

/** This many requests at once leave the engine room for searches. */
const SPOTS_AT_ONCE = 4;

/** Samples about `size` places from evenly spread spots of an index; all when there are no more. */
export async function samplePlaces(index: ReadIndex, size: number): Promise<PlaceDocument[]> {
  const stats = await readStats(index, index.uid, PAGE_DEADLINE_MS);
  const pages = spreadPages(stats.numberOfDocuments, size);
  const found: StoredContent[] = [];
  for (let next = 0; next < pages.length; next += SPOTS_AT_ONCE) {
    const asked = pages.slice(next, next + SPOTS_AT_ONCE);
    found.push(...(await Promise.all(asked.map((page) => readPage(index, page)))).flat());
  }
  return found.filter(isPlace).map(toPlaceDocument);
}

/** Each page reads one document more than needed, since the manifest may be among them. */
export function spreadPages(documents: number, size: number): Page[] {
  if (documents <= size + 1) return documents === 0 ? [] : [{ offset: 0, limit: documents }];
  const lastOffset = documents - PER_SPOT;
  return spreadNumbers(documents, Math.ceil(size / PER_SPOT)).map((number) => ({
    offset: Math.min(number, lastOffset),
    limit: PER_SPOT,
  }));
}

/** The fractional parts of its multiples are spread evenly and do not follow the rhythm of any data. */
const GOLDEN_RATIO = (1 + Math.sqrt(5)) / 2;

/**
 * Picks `count` numbers below `total`, one in each of `count` equal spans. The position varies, since data
 * may repeat in any rhythm.
 */
export function spreadNumbers(total: number, count: number): number[] {
  return Array.from({ length: count }, (_, span) =>
    Math.floor(((span + ((span * GOLDEN_RATIO) % 1)) * total) / count),
  );
}
