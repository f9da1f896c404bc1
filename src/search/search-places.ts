import type { PlaceCandidate, PlaceIndex } from "../meilisearch/place-index.ts";
import { isOpenAt } from "../place/open-state.ts";
import type { PlaceSummaryDocument } from "../place/place-document.ts";
import { fold, words } from "../place/text/fold.ts";
import type { TypeCode } from "../place/type-codes.ts";
import { findNearest } from "./nearest.ts";
import {
  createSearchContext,
  DEEP_POOL,
  isInside,
  isWhole,
  PAGE_POOL,
  placesOf,
  planAlike,
  planAlikeNearer,
  planMoreNamesakes,
  planMoreOfName,
  planMoreSuggestions,
  planName,
  planNamesakes,
  planSuggestions,
  planSuggestionTypos,
  planTypes,
  planTypos,
  SUGGESTION_POOL,
  WHOLE_NAME_TYPO_LOOKUPS,
  type Pool,
  type SearchContext,
  type Wanted,
} from "./plan.ts";
import {
  createRanking,
  firstOfEachName,
  hasNameAlike,
  inSortOrder,
  readBeginningText,
  readNameText,
  readTypeText,
  SEARCH_WEIGHTS,
  SUGGESTION_WEIGHTS,
  type ScoredPlace,
} from "./rank.ts";
import { readMistypedTypes, readQuery, readQueryWords, type QueryWords, type Reading } from "./read-query.ts";
import { createCensusReader } from "./rings.ts";
import type { PlaceSearch, RankedPlace, SearchRequest } from "./search-request.ts";

/**
 * How a place is found, from top to bottom:
 * 1. `readQuery` says what the query may mean (read-query.ts);
 * 2. `plan…` says what to look up for that, and where (plan.ts, rings.ts);
 * 3. `lookUp` and `findNearest` collect candidates from the index, round by round (nearest.ts);
 * 4. a ranking scores and sorts them (rank.ts);
 * 5. the page is cut, and its places are read from the index.
 */

/** A caller learns within a second that the engine is down. All rounds of a search share this time. */
const DEADLINE_MS = 800;

/** Shorter beginnings are like too many names to look for typos. */
const MIN_LETTERS_FOR_SUGGESTION_TYPO = 4;

/** A search that works best once it knows how many places the index has where. */
interface PreparedSearch extends PlaceSearch {
  /** Settles when the places are counted, or cannot be. Searches before that guess, and may find other places. */
  readonly prepared: Promise<void>;
}

export function createPlaceSearch(index: PlaceIndex): PreparedSearch {
  const census = createCensusReader(index);
  // Starts to read it.
  census.latest();
  const begin = (request: SearchRequest, callerSignal?: AbortSignal): Search => {
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    const signal = callerSignal ? AbortSignal.any([callerSignal, deadline]) : deadline;
    const known = census.latest();
    return {
      request,
      contextFor: (pool) => createSearchContext({ index, request, census: known, signal, pool }),
      readSummaries: (places) =>
        index.readSummaries(
          places.map(({ place }) => place.id),
          signal,
        ),
    };
  };
  return {
    prepared: census.settled(),
    search: async (request, signal) => {
      const search = begin(request, signal);
      const readings = readQuery(request.query);
      const ranked = await findPage(readings, search);
      return toRankedPlaces(ranked.slice(request.offset, request.offset + request.limit), search);
    },
    suggest: async (request, signal) => {
      const search = begin(request, signal);
      const typed = readQueryWords(request.query);
      const ranked = await findSuggestions(typed, request.limit, search.contextFor(SUGGESTION_POOL));
      return toRankedPlaces(ranked.slice(0, request.limit), search);
    },
  };
}

/** One request under way. All its lookups share one deadline. */
interface Search {
  readonly request: SearchRequest;
  readonly contextFor: (pool: Pool) => SearchContext;
  readonly readSummaries: (
    places: readonly ScoredPlace[],
  ) => Promise<ReadonlyMap<string, PlaceSummaryDocument>>;
}

/**
 * The whole list that the requested page is cut from. Places of the deep pool follow those of the first pool, so the order
 * of earlier pages does not depend on how far a caller pages.
 */
async function findPage(readings: readonly Reading[], search: Search): Promise<readonly ScoredPlace[]> {
  const { sort, offset, limit } = search.request;
  // In another order a place of the deep pool may come before those of the first.
  const isByRelevance = sort === undefined || sort === "relevance";
  if (!isByRelevance) return (await findInPool(readings, search, DEEP_POOL)).ranked;
  const first = await findInPool(readings, search, PAGE_POOL);
  const isAll = first.found < PAGE_POOL.enough;
  if (isAll || first.ranked.length >= offset + limit) return first.ranked;
  const deep = await findInPool(readings, search, DEEP_POOL);
  const shown = new Set(first.ranked.map(({ place }) => place.id));
  return [...first.ranked, ...deep.ranked.filter(({ place }) => !shown.has(place.id))];
}

interface RankedPool {
  /** Number of places before the refinements removed those that the index lets through by mistake. */
  readonly found: number;
  readonly ranked: readonly ScoredPlace[];
}

async function findInPool(readings: readonly Reading[], search: Search, pool: Pool): Promise<RankedPool> {
  const { refinements = {}, sort } = search.request;
  const found = await findByReadings(readings, search.contextFor(pool));
  const inside = found.filter(({ distanceMeters }) => isInside(refinements, distanceMeters));
  const open = refinements.openAt ? await openOnly(inside, refinements.openAt, search) : inside;
  return { found: found.length, ranked: inSortOrder(open, sort) };
}

/** The index does not filter by the hours of special days; the hours themselves decide. */
async function openOnly(
  places: readonly ScoredPlace[],
  openAt: Temporal.Instant,
  { readSummaries }: Search,
): Promise<ScoredPlace[]> {
  const summaries = await readSummaries(places);
  return places.filter(({ place }) => {
    const summary = summaries.get(place.id);
    return summary !== undefined && isOpenAt(summary, openAt);
  });
}

/** The places of the first reading that finds any: a type that no place has may still be a name. */
async function findByReadings(readings: readonly Reading[], context: SearchContext): Promise<ScoredPlace[]> {
  for (const { types, words } of readings) {
    const ranked = types ? await findByTypes(types, words, context) : await findByName(words, context);
    if (ranked.length > 0) return ranked;
  }
  return [];
}

/** The nearest places of the types, in one to three rounds. */
async function findByTypes(
  types: readonly TypeCode[],
  query: QueryWords,
  context: SearchContext,
): Promise<ScoredPlace[]> {
  const readText = readTypeText(types, query);
  const ranking = createRanking({ centre: context.centre, weights: SEARCH_WEIGHTS, readText });
  const { places, along } = await findNearest(planTypes(types, query, context), context);
  ranking.add([...places, ...placesOf(along)]);
  return ranking.inOrder();
}

/** Places by name, type and address, round by round: each round only if those before have not settled what was meant. */
async function findByName(query: QueryWords, context: SearchContext): Promise<ScoredPlace[]> {
  const readText = readNameText(query);
  const ranking = createRanking({ centre: context.centre, weights: SEARCH_WEIGHTS, readText });

  const first = await context.lookUp(planName(query, context));
  ranking.add(placesOf(first));
  const { named, others } = planMoreOfName(query, first, context);
  const found = ranking.inOrder();
  if (found.some(({ text }) => text.isComplete)) {
    const wanted = found.some(({ text }) => text.isWholeName) ? named : [...named, ...others];
    if (wanted.length > 0) ranking.add((await findNearest({ wanted }, context)).places);
    return ranking.inOrder();
  }

  // No place has everything that was typed: the query is half typed or mistyped.
  const alike = await findAlike(query, others, context);
  ranking.add(alike.places);
  let complete = alike.complete;
  if (!hasNameAlike(ranking.inOrder())) {
    const mistyped = readMistypedTypes(query);
    if (mistyped?.types) return findByTypes(mistyped.types, query, context);
    const typos = await findTypos(query, context);
    ranking.add(typos.places);
    complete = [...complete, ...typos.complete];
  }

  // The name that was probably meant may have nearer places than the one that a typo led to.
  const [best] = ranking.inOrder();
  const isNearest = complete.some(({ id }) => id === best?.place.id);
  if (best && !isNearest) ranking.add(await findNamesakes(words(fold(best.place.title)), context));
  return ranking.inOrder();
}

/** What lookups of similar names found. */
interface FoundAlike {
  readonly places: readonly PlaceCandidate[];
  /** Those of lookups that returned every match: no other place of the same name is nearer. */
  readonly complete: readonly PlaceCandidate[];
}

async function findAlike(
  query: QueryWords,
  others: readonly Wanted[],
  context: SearchContext,
): Promise<FoundAlike> {
  const results = await context.lookUp(planAlike(query, context));
  const [alike] = results;
  if (!alike || isWhole(alike)) return { places: placesOf(results), complete: placesOf([alike]) };
  const nearer = await findNearest(planAlikeNearer(query, others, context), context);
  return { places: [...placesOf(results), ...nearer.places, ...placesOf(nearer.along)], complete: [] };
}

async function findTypos(query: QueryWords, context: SearchContext): Promise<FoundAlike> {
  const results = await context.lookUp(planTypos(query, context));
  const wholeNames = results.slice(0, WHOLE_NAME_TYPO_LOOKUPS);
  return { places: placesOf(results), complete: placesOf(wholeNames.filter(isWhole)) };
}

/** The places anywhere whose names hold all these words; if there are many, the best known and the nearest. */
async function findNamesakes(
  nameWords: readonly string[],
  context: SearchContext,
): Promise<PlaceCandidate[]> {
  // A title without letters has no words to look for.
  if (nameWords.length === 0) return [];
  const results = await context.lookUp(planNamesakes(nameWords, context));
  const wanted = planMoreNamesakes(nameWords, results, context);
  const nearest = wanted.length > 0 ? (await findNearest({ wanted }, context)).places : [];
  return [...placesOf(results), ...nearest];
}

/** What a caller may be typing, best first, each name once with its nearest place. May return more than `limit`. */
async function findSuggestions(
  query: QueryWords,
  limit: number,
  context: SearchContext,
): Promise<ScoredPlace[]> {
  if (query.joined === "") return [];
  const readText = readBeginningText(query);
  const ranking = createRanking({ centre: context.centre, weights: SUGGESTION_WEIGHTS, readText });

  const first = await context.lookUp(planSuggestions(query, context));
  ranking.add(placesOf(first));
  const wanted = planMoreSuggestions(query, first, context);
  if (wanted.length > 0) ranking.add((await findNearest({ wanted }, context)).places);

  const names = firstOfEachName(ranking.inOrder());
  const isEnough = names.filter(({ text }) => text.isComplete).length >= limit;
  if (isEnough || query.joined.length < MIN_LETTERS_FOR_SUGGESTION_TYPO) return names;
  ranking.add(placesOf(await context.lookUp(planSuggestionTypos(query, context))));
  return firstOfEachName(ranking.inOrder());
}

/** Reads the places of a page. A place that was deleted since it was found is left out. */
async function toRankedPlaces(
  page: readonly ScoredPlace[],
  { readSummaries }: Search,
): Promise<RankedPlace[]> {
  const summaries = await readSummaries(page);
  return page.flatMap((scored) => {
    const place = summaries.get(scored.place.id);
    return place ? toRankedPlace(scored, place) : [];
  });
}

const toRankedPlace = (
  { distanceMeters, text, distance, prominence, score }: ScoredPlace,
  place: PlaceSummaryDocument,
): RankedPlace => ({
  place,
  distanceMeters,
  explanation: { text: text.quality, distance, prominence, score },
});
