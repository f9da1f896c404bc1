import type { PlaceIndex } from "../place-index/place-index.ts";
import { planLookups } from "./plan.ts";
import { rankPlaces } from "./rank.ts";
import type { PlaceSearch, RankedPlace, SearchRequest } from "./search-request.ts";

/** How a place is found: plan the questions, ask the engine once, put the candidates in order, cut the page. */
export function createPlaceSearch(index: PlaceIndex): PlaceSearch {
  const rankAll = async (request: SearchRequest): Promise<RankedPlace[]> => {
    const candidates = await index.findPlaces(planLookups(request));
    return rankPlaces(request.query, request.centre, candidates.flat());
  };
  const search = async (request: SearchRequest): Promise<RankedPlace[]> => {
    const ranked = await rankAll(request);
    return ranked.slice(request.offset, request.offset + request.limit);
  };
  return { search, suggest: search };
}
