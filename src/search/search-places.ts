import { typesUnder, type TypeCode } from "../place/type-codes.ts";
import type { PlaceCandidate, PlaceIndex } from "../place-index/place-index.ts";
import { fold, words } from "../text/fold.ts";
import { readCategory, readMistypedCategory } from "./category.ts";
import { createCensusReader } from "./census.ts";
import {
  findAlike,
  findByBeginning,
  findByTypes,
  findByWords,
  findNamed,
  findMistyped,
  type Scope,
} from "./find-candidates.ts";
import { createRanking, SEARCH_WEIGHTS, type ScoredPlace } from "./rank.ts";
import { meets } from "./refine.ts";
import { createScope, DEEP_POOL, PAGE_POOL } from "./scope.ts";
import type { PlaceSearch, RankedPlace, SearchRequest, SortOrder } from "./search-request.ts";
import { suggestPlaces } from "./suggest-places.ts";
import { LOWEST_QUALITY, readTextQuality, WHOLE_NAME, type TextQuality } from "./text-quality.ts";
import { readTypedQuery, type TypedQuery } from "./typed-query.ts";

/** A caller is told of a dead engine within a second; all rounds of a search together take no longer than this. */
const DEADLINE_MS = 800;

/** One typo in a name of five letters, two in one of ten: a name less like the query than this may not be what was meant. */
const ALIKE = 0.8;

/** All but a letter or two found reaches this: another order than by relevance is one of good answers only. */
const RELEVANT_QUALITY = 0.6;

/** Of the places of a category, one that has its very words as a name comes a little before its neighbours. */
const CATEGORY_NAME_BONUS = 0.03;

/** How a place is found: read what the query means, find candidates, put them in order, cut the page. */
export function createPlaceSearch(index: PlaceIndex): PlaceSearch {
  const readCensus = createCensusReader(index);
  // Begins to read it, so that the first searches need not do without.
  readCensus();
  return {
    search: async (request) => {
      const shared = { index, request, census: readCensus(), signal: AbortSignal.timeout(DEADLINE_MS) };
      const ranked = await rankAll(request, (pool) => createScope({ ...shared, pool }));
      return ranked.slice(request.offset, request.offset + request.limit).map(toRankedPlace);
    },
    suggest: async (request) => {
      const signal = AbortSignal.timeout(DEADLINE_MS);
      const scope = createScope({ index, request, census: readCensus(), signal, pool: PAGE_POOL });
      return (await suggestPlaces(readTypedQuery(request.query), scope))
        .slice(0, request.limit)
        .map(toRankedPlace);
    },
  };
}

/**
 * The whole list of which a request shows a page. What a deeper pool adds is put behind the first one's list, so that the order of
 * earlier pages does not depend on how far somebody pages.
 */
async function rankAll(
  request: SearchRequest,
  scopeOf: (pool: typeof PAGE_POOL) => Scope,
): Promise<readonly ScoredPlace[]> {
  // In another order than by relevance a place of the deeper pool may come before those of the first.
  const isByRelevance = request.sort === undefined || request.sort === "relevance";
  if (!isByRelevance) return (await rankPool(request, scopeOf(DEEP_POOL))).ranked;
  const first = await rankPool(request, scopeOf(PAGE_POOL));
  const isAll = first.found < PAGE_POOL.perLookup;
  if (isAll || first.ranked.length >= request.offset + request.limit) return first.ranked;
  const deep = await rankPool(request, scopeOf(DEEP_POOL));
  const shown = new Set(first.ranked.map(({ place }) => place.id));
  return [...first.ranked, ...deep.ranked.filter(({ place }) => !shown.has(place.id))];
}

interface RankedPool {
  /** How many there were before those went that the index had let through by mistake. */
  readonly found: number;
  readonly ranked: readonly ScoredPlace[];
}

async function rankPool({ query, refinements = {}, sort }: SearchRequest, scope: Scope): Promise<RankedPool> {
  const found = await findAndRank(readTypedQuery(query), scope);
  const meeting = found.filter((scored) => meets(refinements, scored));
  return { found: found.length, ranked: inSortOrder(meeting, sort) };
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
    const isNamedSo = readTextQuality(query, place).isWholeName;
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
  ranking.add(await findByWords(query, scope));
  const found = ranking.inOrder();
  if (found.some(({ text }) => text.isWholeName)) return found;
  if (found.some(({ text }) => text.isComplete)) {
    ranking.add(await findByBeginning(query, scope));
    return ranking.inOrder();
  }
  ranking.add(await findAlike(query, scope));
  if (!hasNameAlike(ranking.inOrder())) {
    const types = readMistypedCategory(query.joined);
    if (types) return rankByTypes(types, query, scope);
    ranking.add(await findMistyped(query, scope));
  }
  // The name that was probably meant may have nearer bearers than the one a typo led to.
  const [best] = ranking.inOrder();
  if (best) ranking.add(await findNamed(words(fold(best.place.title)), scope));
  return ranking.inOrder();
}

const hasNameAlike = (ranked: readonly ScoredPlace[]): boolean =>
  ranked.some(({ text }) => text.likeness >= ALIKE);

function inSortOrder(ranked: readonly ScoredPlace[], sort: SortOrder = "relevance"): ScoredPlace[] {
  if (sort === "relevance") return [...ranked];
  const relevant = ranked.filter(({ text }) => text.quality >= RELEVANT_QUALITY);
  if (sort === "distance") return relevant.toSorted((a, b) => a.distanceMeters - b.distanceMeters);
  return relevant.toSorted((a, b) => b.place.rating - a.place.rating);
}

const toRankedPlace = ({
  place,
  distanceMeters,
  text,
  distance,
  prominence,
  score,
}: ScoredPlace): RankedPlace => ({
  place: place.readSummary(),
  distanceMeters,
  explanation: { text: text.quality, distance, prominence, score },
});
