import type {
  Census,
  FoundPlace,
  LookupResult,
  PlaceIndex,
  PlaceLookup,
} from "../meilisearch/place-index.ts";
import type { StoredVocabulary } from "../meilisearch/stored-vocabulary.ts";
import { REQUEST_DEADLINE_MS, within } from "../meilisearch/deadline.ts";
import type { PlaceExtra, PlaceSummaryDocument } from "../place/place-document.ts";
import { distanceMeters, type Bounds, type Coordinates } from "../place/coordinates.ts";
import { isInArea } from "../place/areas.ts";
import { findByReadings, isPlain, mergePreferring, toWished, type WishedPlace } from "./find-by-readings.ts";
import {
  countMatches,
  findExactList,
  hasHours,
  isAtItsHours,
  SCOPES_METERS,
  type ExactSearch,
} from "./exact-list.ts";
import { findBegunNames, firstOfNames, SUGGESTION_POOL } from "./find-suggestions.ts";
import { MAX_OFFSET, MAX_RESULTS } from "../place/request-defaults.ts";
import {
  createSearchContext,
  DEEP_POOL,
  isInside,
  PAGE_POOL,
  type Pool,
  type SearchContext,
  type Where,
} from "./search-context.ts";
import { inSortOrder, SEARCH_WEIGHTS, SUGGESTION_WEIGHTS, type ScoredPlace } from "./rank.ts";
import { completeQuery } from "./reading/complete-query.ts";
import { readQuery, type QueryReadings } from "./reading/read-query.ts";
import { readQueryWords } from "./reading/tokens.ts";
import { createCensusReader, ringsAround, type CensusReader, type Rings } from "./rings.ts";
import type {
  PlaceSearch,
  RankedPlace,
  Refinements,
  SearchRequest,
  SortOrder,
  CountedPlaces,
  FoundPlaces,
} from "./search-request.ts";
import { loadVocabulary, parseVocabulary, readVocabulary } from "./vocabulary/read-vocabulary.ts";
import type { Vocabulary } from "./vocabulary/vocabulary.ts";

/**
 * How a place is found, from top to bottom:
 * 1. `readQuery` says what the query may mean (reading/, with the words of vocabulary/);
 * 2. `findByReading` looks up each reading (find-reading.ts): `plan…` says what to look up (plan.ts) and a context where
 *    (search-context.ts, rings.ts), `findNearest` collects candidates round by round (nearest.ts), a ranking scores them (rank.ts);
 * 3. the places of all readings are put in order (find-by-readings.ts);
 * 4. the page is cut, and its places are read from the index.
 */

/** A search that works best once it knows how many places the index has where. */
interface PreparedSearch extends PlaceSearch {
  /** Settles when the places are counted, or cannot be. Searches before that guess, and may find other places. */
  readonly prepared: Promise<void>;
}

/** @param deadlineMs longer where only the results count, such as in evaluations. */
export function createPlaceSearch(
  index: PlaceIndex,
  { deadlineMs = REQUEST_DEADLINE_MS }: { readonly deadlineMs?: number } = {},
): PreparedSearch {
  const census = createCensusReader(index);
  const latestVocabulary = createVocabularyReader(census);
  // Starts to read it.
  census.latest();
  const begin = (asked: SearchRequest, signal: AbortSignal): Search => {
    const known = census.latest();
    const readings = readQuery(asked.query, latestVocabulary(), { near: asked.centre });
    const point = readings.readings[0]?.point;
    const request = point ? { ...asked, centre: point } : asked;
    const reader = index.pin(request.centre);
    const findPlaces = shareRequests((lookups) => reader.findPlaces(lookups, signal));
    const ringsAt = shareRings(known);
    return {
      request,
      readings,
      contextFor: (pool, where = {}) =>
        createSearchContext({ findPlaces, request, where, census: known, pool, ringsAt }),
      readSummaries: (places) => reader.readSummaries(places, signal, extrasOf(request)),
      missingPartitions: () => reader.missingPartitions(),
    };
  };
  const run = <T>(
    request: SearchRequest,
    callerSignal: AbortSignal | undefined,
    find: (search: Search) => Promise<T>,
  ): Promise<T> => within(deadlineMs, callerSignal, (signal) => find(begin(request, signal)));
  return {
    prepared: census.settled(),
    complete: (query, near, limit) =>
      completeQuery(query, { vocabulary: latestVocabulary(), near, census: census.latest(), limit }),
    understand: (query, centre) => {
      const { readings, plain } = readQuery(query, latestVocabulary(), { near: centre });
      return readings[0] ?? plain;
    },
    areasAt: (point) => [...latestVocabulary().areas.values()].filter((area) => isInArea(area, point)),
    search: (request, signal) => run(request, signal, findPlacesOfPage),
    count: (request, signal) => run(request, signal, countAll),
    suggest: (request, signal) => run(request, signal, findSuggested),
  };
}

/** What is read of each place: what the response shows, and what decides whether it matches. */
const extrasOf = ({ extras = [], refinements }: SearchRequest): readonly PlaceExtra[] =>
  refinements?.busy && !extras.includes("busy_hours") ? [...extras, "busy_hours"] : extras;

/** The project's vocabulary with the words and areas that came with the index; built again for a new index. */
function createVocabularyReader(census: CensusReader): () => Vocabulary {
  let vocabulary = loadVocabulary();
  let stored: StoredVocabulary | undefined;
  return () => {
    const latest = census.vocabulary();
    if (latest === stored) return vocabulary;
    stored = latest;
    vocabulary = latest
      ? readVocabulary(parseVocabulary(latest.words, "the words of the index"), latest.areas)
      : loadVocabulary();
    return vocabulary;
  };
}

/** Draws the rings around each point of a search once: its readings mostly look around the same one. */
function shareRings(census: Census | undefined): (centre: Coordinates) => Rings {
  const drawn: { readonly centre: Coordinates; readonly rings: Rings }[] = [];
  return (centre) => {
    const known = drawn.find(
      ({ centre: { latitude, longitude } }) => latitude === centre.latitude && longitude === centre.longitude,
    );
    if (known) return known.rings;
    const rings = ringsAround(centre, census);
    drawn.push({ centre, rings });
    return rings;
  };
}

type FindPlaces = (lookups: readonly PlaceLookup[]) => Promise<LookupResult[]>;

/**
 * Sends the lookups of all readings that run at the same time in one request, which costs the server as much as several lookups,
 * and no lookup of a search twice: readings of the same words often begin with the same ones.
 */
function shareRequests(findPlaces: FindPlaces): FindPlaces {
  const asked = new Map<string, Promise<LookupResult>>();
  let next: { readonly lookups: PlaceLookup[]; readonly results: Promise<LookupResult[]> } | undefined;
  const begin = (): NonNullable<typeof next> => {
    const lookups: PlaceLookup[] = [];
    const results = afterOthers().then(() => {
      next = undefined;
      return findPlaces(lookups);
    });
    return { lookups, results };
  };
  const ask = async (lookup: PlaceLookup): Promise<LookupResult> => {
    const { lookups, results } = (next ??= begin());
    const position = lookups.push(lookup) - 1;
    return (await results)[position]!;
  };
  return (lookups) =>
    Promise.all(lookups.map((one) => asked.getOrInsertComputed(JSON.stringify(one), () => ask(one))));
}

/** Resolves when all that can run now has run. */
const afterOthers = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

/** One request under way. All its lookups share one deadline. */
interface Search {
  readonly request: SearchRequest;
  readonly readings: QueryReadings;
  readonly contextFor: (pool: Pool, where?: Where) => SearchContext;
  readonly readSummaries: (
    places: readonly FoundPlace[],
  ) => Promise<ReadonlyMap<string, PlaceSummaryDocument>>;
  readonly missingPartitions: () => readonly number[];
}

/**
 * The whole list that the requested page is cut from. Places of the deep pool follow those of the first pool, so the order
 * of earlier pages does not depend on how far a caller pages.
 */
async function findPage(search: Search): Promise<readonly WishedPlace[]> {
  const { sort, offset, limit } = search.request;
  if (sort !== undefined && sort !== "relevance") return findSorted(search, sort);
  const ranked = await findRelevant(search);
  const { refinements = {} } = search.request;
  const isInPart = refinements.radiusMeters !== undefined || refinements.bounds !== undefined;
  const isRestricted = isInPart || hasHours(refinements);
  if (!isRestricted || ranked.length >= offset + limit) return ranked;
  // Within a radius or a rectangle, and of what is open or quiet, the list is complete: what ranking did not come across
  // follows.
  const all = await findExactList(toExact(search), "distance", MAX_OFFSET + MAX_RESULTS);
  const shown = new Set(ranked.map(({ place }) => place.id));
  return [...ranked, ...(all ? toWished(all) : []).filter(({ place }) => !shown.has(place.id))];
}

/** By distance, rating or prominence: an exact list, or where no place matches exactly, the similar places in this order. */
async function findSorted(
  search: Search,
  sort: Exclude<SortOrder, "relevance">,
): Promise<readonly WishedPlace[]> {
  const { query, offset, limit, refinements: { radiusMeters, bounds } = {} } = search.request;
  const exact = await findExactList(toExact(search), sort, offset + limit);
  if (exact) return toWished(exact);
  if (query === "") return [];
  const { ranked } = await findInPool(search, DEEP_POOL);
  const isScoped = sort === "distance" || radiusMeters !== undefined || bounds !== undefined;
  const widest = isScoped ? Infinity : Math.max(...SCOPES_METERS);
  return ranked.filter((place) => place.distanceMeters <= widest);
}

const toExact = (search: Search): ExactSearch => {
  const { centre, now } = search.request;
  return { ...search, centre, now, contextAt: (where) => search.contextFor(DEEP_POOL, where) };
};

/** By relevance, as far as the request pages. */
async function findRelevant(search: Search): Promise<readonly WishedPlace[]> {
  const { offset, limit } = search.request;
  const first = await findInPool(search, PAGE_POOL);
  const isAll = first.found < PAGE_POOL.enough;
  if (isAll || first.ranked.length >= offset + limit) return first.ranked;
  const deep = await findInPool(search, DEEP_POOL);
  const shown = new Set(first.ranked.map(({ place }) => place.id));
  return [...first.ranked, ...deep.ranked.filter(({ place }) => !shown.has(place.id))];
}

interface RankedPool {
  /** Number of places before the refinements removed those that the index lets through by mistake. */
  readonly found: number;
  readonly ranked: readonly WishedPlace[];
}

async function findInPool(search: Search, pool: Pool): Promise<RankedPool> {
  const { centre, now, refinements = {}, sort, preferred } = search.request;
  const find = (limits: Where): Promise<readonly WishedPlace[]> => {
    const contextAt = (where: Where): SearchContext => search.contextFor(pool, { ...limits, ...where });
    return findByReadings(search.readings, { ...search, centre, now, contextAt });
  };
  const ranked = preferred
    ? mergePreferring(preferred, await Promise.all([find({}), find({ bounds: preferred })]), SEARCH_WEIGHTS)
    : await find({});
  // A reading may look around another centre, such as that of an area.
  const found = ranked.map((scored) => ({
    ...scored,
    distanceMeters: distanceMeters(centre, scored.place.location),
  }));
  const inside = found.filter(({ place }) => isInside(refinements, centre, place.location));
  const open = hasHours(refinements) ? await atTheirHours(inside, refinements, search) : inside;
  return { found: found.length, ranked: inSortOrder(open, sort) };
}

/** The index filters opening hours and busyness roughly; the hours themselves decide. */
async function atTheirHours(
  places: readonly WishedPlace[],
  refinements: Refinements,
  { readSummaries }: Search,
): Promise<WishedPlace[]> {
  const summaries = await readSummaries(places.map(({ place }) => place));
  return places.filter(({ place }) => {
    const summary = summaries.get(place.id);
    return summary !== undefined && isAtItsHours(summary, refinements);
  });
}

/**
 * What a caller may be typing: names that begin so; where they are few, what the query means as a search does (a kind in an
 * area, an address), then names that are a typo away.
 */
async function findSuggestions(search: Search, limits: Where = {}): Promise<readonly ScoredPlace[]> {
  const { query, limit, centre, now, refinements = {} } = search.request;
  const typed = readQueryWords(query);
  if (typed.joined === "") return [];
  const context = search.contextFor(SUGGESTION_POOL, limits);
  const isAllowed = ({ place }: ScoredPlace): boolean => isInside(refinements, centre, place.location);
  const names = await findBegunNames(typed, { limit, isAllowed }, context);
  if (names.shown().filter(isComplete).length >= limit) return names.shown();
  const { readings, plain } = search.readings;
  const isName = isPlain(readings[0] ?? plain, plain);
  const contextAt = (where: Where): SearchContext =>
    search.contextFor(SUGGESTION_POOL, { ...limits, ...where });
  const meant = isName ? [] : await findByReadings(search.readings, { ...search, centre, now, contextAt });
  const known = meant.filter((one) => isComplete(one) && isAllowed(one));
  if (names.shown().length + known.length < limit) await names.addMistyped();
  const complete = [...names.shown().filter(isComplete), ...known];
  return [...firstOfNames(complete), ...names.shown().filter((one) => !isComplete(one))];
}

/** Suggestions from everywhere the request allows and from the rectangle, those in the rectangle first. */
async function findPreferred(search: Search, bounds: Bounds): Promise<readonly ScoredPlace[]> {
  const lists = await Promise.all([findSuggestions(search), findSuggestions(search, { bounds })]);
  const ranked = mergePreferring(bounds, lists, SUGGESTION_WEIGHTS);
  return firstOfNames([...ranked.filter(isComplete), ...ranked.filter((one) => !isComplete(one))]);
}

const isComplete = ({ text }: ScoredPlace): boolean => text.isComplete;

async function findPlacesOfPage(search: Search): Promise<FoundPlaces> {
  const { offset, limit } = search.request;
  return toFound((await findPage(search)).slice(offset, offset + limit), search);
}

async function findSuggested(search: Search): Promise<FoundPlaces> {
  const { preferred: bounds, limit } = search.request;
  const ranked = bounds ? await findPreferred(search, bounds) : await findSuggestions(search);
  return toFound(ranked.slice(0, limit), search);
}

async function countAll(search: Search): Promise<CountedPlaces> {
  const total = await countMatches(toExact(search));
  return { total, missingPartitions: search.missingPartitions() };
}

/** Reads the places of a page. A place that was deleted since it was found is left out. */
async function toFound(
  page: readonly (ScoredPlace & Partial<WishedPlace>)[],
  { readSummaries, missingPartitions }: Search,
): Promise<FoundPlaces> {
  const summaries = await readSummaries(page.map(({ place }) => place));
  const places = page.flatMap((scored) => {
    const place = summaries.get(scored.place.id);
    return place ? toRankedPlace(scored, place) : [];
  });
  return { places, missingPartitions: missingPartitions() };
}

const toRankedPlace = (
  scored: ScoredPlace & Partial<WishedPlace>,
  place: PlaceSummaryDocument,
): RankedPlace => ({
  place,
  distanceMeters: scored.distanceMeters,
  explanation: {
    text: scored.text.quality,
    distance: scored.distance,
    prominence: scored.prominence,
    score: scored.score,
    ...(scored.isWishDropped && { isWishDropped: true }),
  },
});
