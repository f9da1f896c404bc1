import { typesUnder, type TypeCode } from "../place/type-codes.ts";
import { isOpenAt } from "../place/open-state.ts";
import type { PlaceSummaryDocument } from "../place/place-document.ts";
import type { PlaceCandidate, PlaceIndex } from "../meilisearch/place-index.ts";
import { fold, words } from "../place/text/fold.ts";
import { readCategory, readMistypedCategory, readTypedQuery, type TypedQuery } from "./read-query.ts";
import { createCensusReader } from "./rings.ts";
import { findAlike, findByTypes, findByWords, findMistyped, findNamed } from "./find-candidates.ts";
import { findNearest, type Wanted } from "./find-nearest.ts";
import {
  createRanking,
  SEARCH_WEIGHTS,
  type Ranking,
  type ScoredPlace,
  isNamed,
  LOWEST_QUALITY,
  readTextQuality,
  WHOLE_NAME,
  type TextQuality,
} from "./rank.ts";
import { isInside, createScope, DEEP_POOL, PAGE_POOL, type Pool, type Scope } from "./plan.ts";
import type { PlaceSearch, RankedPlace, SearchRequest, SortOrder } from "./search-request.ts";
import { SUGGESTION_POOL, suggestPlaces } from "./suggest-places.ts";

/** A caller is told of a dead engine within a second; all rounds of a search together take no longer than this. */
const DEADLINE_MS = 800;

/** One typo in a name of five letters, two in one of ten: a name less like the query than this may not be what was meant. */
const ALIKE = 0.8;

/** All but a letter or two found reaches this: another order than by relevance is one of good answers only. */
const RELEVANT_QUALITY = 0.6;

/** Of the places of a category, one that has its very words as a name comes a little before its neighbours. */
const CATEGORY_NAME_BONUS = 0.03;

/** A search that needs to know the gazetteer as a whole to look in the right places. */
interface PreparedSearch extends PlaceSearch {
  /** Settles when that is known, or could not be read. Searches before work with guesses, and may find others. */
  readonly prepared: Promise<void>;
}

/** How a place is found: read what the query means, find candidates, put them in order, cut the page. */
export function createPlaceSearch(index: PlaceIndex): PreparedSearch {
  const census = createCensusReader(index);
  // Begins to read it.
  census.latest();
  const begin = (request: SearchRequest, unwanted?: AbortSignal): Search => {
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    const signal = unwanted ? AbortSignal.any([unwanted, deadline]) : deadline;
    const known = census.latest();
    return {
      request,
      scopeOf: (pool) => createScope({ index, request, census: known, signal, pool }),
      readSummaries: (places) =>
        index.readSummaries(
          places.map(({ place }) => place.id),
          signal,
        ),
    };
  };
  return {
    prepared: census.settled(),
    search: async (request, unwanted) => {
      const search = begin(request, unwanted);
      const ranked = await rankAll(search);
      return toRankedPlaces(ranked.slice(request.offset, request.offset + request.limit), search);
    },
    suggest: async (request, unwanted) => {
      const search = begin(request, unwanted);
      const ranked = await suggestPlaces(
        readTypedQuery(request.query),
        request.limit,
        search.scopeOf(SUGGESTION_POOL),
      );
      return toRankedPlaces(ranked.slice(0, request.limit), search);
    },
  };
}

/** One request under way; all its questions share one deadline. */
interface Search {
  readonly request: SearchRequest;
  readonly scopeOf: (pool: Pool) => Scope;
  readonly readSummaries: (
    places: readonly ScoredPlace[],
  ) => Promise<ReadonlyMap<string, PlaceSummaryDocument>>;
}

/**
 * The whole list of which a request shows a page. What a deeper pool adds is put behind the first one's list, so that the order of
 * earlier pages does not depend on how far somebody pages.
 */
async function rankAll(search: Search): Promise<readonly ScoredPlace[]> {
  const { sort, offset, limit } = search.request;
  // In another order than by relevance a place of the deeper pool may come before those of the first.
  const isByRelevance = sort === undefined || sort === "relevance";
  if (!isByRelevance) return (await rankPool(search, DEEP_POOL)).ranked;
  const first = await rankPool(search, PAGE_POOL);
  const isAll = first.found < PAGE_POOL.enough;
  if (isAll || first.ranked.length >= offset + limit) return first.ranked;
  const deep = await rankPool(search, DEEP_POOL);
  const shown = new Set(first.ranked.map(({ place }) => place.id));
  return [...first.ranked, ...deep.ranked.filter(({ place }) => !shown.has(place.id))];
}

interface RankedPool {
  /** How many there were before those went that the index had let through by mistake. */
  readonly found: number;
  readonly ranked: readonly ScoredPlace[];
}

async function rankPool(search: Search, pool: Pool): Promise<RankedPool> {
  const { query, refinements = {}, sort } = search.request;
  const found = await findAndRank(readTypedQuery(query), search.scopeOf(pool));
  const inside = found.filter(({ distanceMeters }) => isInside(refinements, distanceMeters));
  const open = refinements.openAt ? await openOnly(inside, refinements.openAt, search) : inside;
  return { found: found.length, ranked: inSortOrder(open, sort) };
}

/** Dates with hours of their own are not in the index's filter: the hours themselves decide. */
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

/** A category nobody has near is still a name somewhere. */
async function findAndRank(query: TypedQuery, scope: Scope): Promise<ScoredPlace[]> {
  const types = readCategory(query);
  const ofTypes = types ? await rankByTypes(types, query, scope) : [];
  return ofTypes.length > 0 ? ofTypes : rankByWords(query, scope);
}

async function rankByTypes(
  types: readonly TypeCode[],
  query: TypedQuery,
  scope: Scope,
): Promise<ScoredPlace[]> {
  const wanted = new Set<string>(types.flatMap(typesUnder));
  const readText = (place: PlaceCandidate): TextQuality | undefined => {
    const isNamedSo = isNamed(query, place);
    if (!isNamedSo && !wanted.has(place.type)) return undefined;
    return {
      quality: WHOLE_NAME + (isNamedSo ? CATEGORY_NAME_BONUS : 0),
      isWholeName: false,
      isComplete: true,
      likeness: 1,
    };
  };
  const ranking = createRanking({ centre: scope.centre, weights: SEARCH_WEIGHTS, readText });
  ranking.add(await findByTypes(types, query, scope));
  return ranking.inOrder();
}

/** Round by round, each only where those before have not settled what was meant. */
async function rankByWords(query: TypedQuery, scope: Scope): Promise<ScoredPlace[]> {
  if (query.joined === "") return [];
  const readText = (place: PlaceCandidate): TextQuality | undefined => {
    const text = readTextQuality(query, place);
    return text.quality >= LOWEST_QUALITY ? text : undefined;
  };
  const ranking = createRanking({ centre: scope.centre, weights: SEARCH_WEIGHTS, readText });
  const first = await findByWords(query, scope);
  ranking.add(first.places);
  const found = ranking.inOrder();
  if (found.some(({ text }) => text.isComplete)) {
    const isNamed = found.some(({ text }) => text.isWholeName);
    const more = isNamed ? first.bearers : [...first.bearers, ...first.others];
    if (more.length > 0) ranking.add((await findNearest(more, scope)).places);
    return ranking.inOrder();
  }
  return rankWithTypos(query, scope, { ranking, others: first.others });
}

interface Begun {
  readonly ranking: Ranking;
  readonly others: readonly Wanted[];
}

/** No place holds all that was typed: it is half typed, or mistyped. */
async function rankWithTypos(
  query: TypedQuery,
  scope: Scope,
  { ranking, others }: Begun,
): Promise<ScoredPlace[]> {
  const alike = await findAlike(query, scope, others);
  ranking.add(alike.places);
  let complete = alike.complete;
  if (!hasNameAlike(ranking.inOrder())) {
    const types = readMistypedCategory(query.joined);
    if (types) return rankByTypes(types, query, scope);
    const mistyped = await findMistyped(query, scope);
    ranking.add(mistyped.places);
    complete = [...complete, ...mistyped.complete];
  }
  // The name that was probably meant may have nearer bearers than the one a typo led to.
  const [best] = ranking.inOrder();
  const isNearest = complete.some(({ id }) => id === best?.place.id);
  if (best && !isNearest) ranking.add(await findNamed(words(fold(best.place.title)), scope));
  return ranking.inOrder();
}

/** A name like the query, or one that begins with it. */
const hasNameAlike = (ranked: readonly ScoredPlace[]): boolean =>
  ranked.some(({ text }) => text.likeness >= ALIKE || text.isComplete);

function inSortOrder(ranked: readonly ScoredPlace[], sort: SortOrder = "relevance"): ScoredPlace[] {
  if (sort === "relevance") return [...ranked];
  const relevant = ranked.filter(({ text }) => text.quality >= RELEVANT_QUALITY);
  if (sort === "distance") return relevant.toSorted((a, b) => a.distanceMeters - b.distanceMeters);
  return relevant.toSorted((a, b) => b.place.rating - a.place.rating);
}

/** A place that was deleted since it was found is left out. */
async function toRankedPlaces(
  page: readonly ScoredPlace[],
  { readSummaries }: Search,
): Promise<RankedPlace[]> {
  const summaries = await readSummaries(page);
  return page.flatMap((scored) => {
    const summary = summaries.get(scored.place.id);
    return summary ? toRankedPlace(scored, summary) : [];
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
