import type { PlaceIndex } from "../place-index/place-index.ts";
import { readCategory, readMistypedCategory } from "./category.ts";
import { createDensityReader } from "./density.ts";
import { findByTypes, findByWords, findHolding, findMistyped, type Scope } from "./find-candidates.ts";
import { createRanking, type ScoredPlace } from "./rank.ts";
import { ringsAround } from "./rings.ts";
import type { PlaceSearch, RankedPlace, SearchRequest } from "./search-request.ts";
import { fold, words } from "../text/fold.ts";
import { readTypedQuery, type TypedQuery } from "./typed-query.ts";

/** A caller is told of a dead engine within a second; all rounds of a search together take no longer than this. */
const DEADLINE_MS = 800;

/** A whole name with one typo in ten letters reaches this. */
const CLEAR_QUALITY = 0.72;

/** How a place is found: read what the query means, find candidates, put them in order, cut the page. */
export function createPlaceSearch(index: PlaceIndex): PlaceSearch {
  const readDensity = createDensityReader(index);

  const createScope = ({ centre, offset, limit }: SearchRequest): Scope => {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    return {
      centre,
      rings: ringsAround(centre, readDensity()),
      wanted: offset + limit,
      ask: (lookups) => index.findPlaces(lookups, signal),
    };
  };

  const search = async (request: SearchRequest): Promise<RankedPlace[]> => {
    const ranked = await findAndRank(readTypedQuery(request.query), createScope(request));
    return ranked.slice(request.offset, request.offset + request.limit).map(toRankedPlace);
  };
  return { search, suggest: search };
}

/** A category nobody has near is still a name somewhere. */
async function findAndRank(query: TypedQuery, scope: Scope): Promise<ScoredPlace[]> {
  const types = readCategory(query.joined);
  const ofTypes = types ? await rankByTypes(types, scope) : [];
  return ofTypes.length > 0 ? ofTypes : rankByWords(query, scope);
}

async function rankByTypes(types: Parameters<typeof findByTypes>[0], scope: Scope): Promise<ScoredPlace[]> {
  const ranking = createRanking({ query: undefined, centre: scope.centre });
  ranking.add(await findByTypes(types, scope));
  return ranking.inOrder();
}

async function rankByWords(query: TypedQuery, scope: Scope): Promise<ScoredPlace[]> {
  if (query.joined === "") return [];
  const ranking = createRanking({ query, centre: scope.centre });
  ranking.add(await findByWords(query, scope));
  if (ranking.hasCompleteMatch()) return ranking.inOrder();
  ranking.add(await findMistyped(query, scope));
  const [best] = ranking.inOrder();
  const types = readMistypedCategory(query.joined);
  if (types && (best?.text.quality ?? 0) < CLEAR_QUALITY) return rankByTypes(types, scope);
  // The name that was probably meant may have nearer bearers than the one a typo led to.
  if (best) ranking.add(await findHolding(words(fold(best.place.title)), scope));
  return ranking.inOrder();
}

const toRankedPlace = ({ place, distanceMeters }: ScoredPlace): RankedPlace => ({
  place: place.readSummary(),
  distanceMeters,
});
