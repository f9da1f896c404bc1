import type { PlaceLookup } from "../../src/meilisearch/place-index.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { createPlaceSearch } from "../../src/search/search-places.ts";
import type { FoundPlaces, SearchRequest } from "../../src/search/search-request.ts";
import { buildPlace, type PlaceFacts } from "./build-place.ts";
import { createMemoryIndex } from "./memory-index.ts";
import { pointAt } from "./points.ts";

/** Where the callers of searches in memory are: the middle of Saigon. */
export const CENTRE = { latitude: 10.776, longitude: 106.7 };

/** A place so far east of the centre. */
export const placeAt = (meters: number, title: string, facts: PlaceFacts = {}): PlaceDocument =>
  buildPlace({ title, ...facts, location: { ...pointAt(CENTRE, meters, 90), ...facts.location } });

export const requestOf = (query: string, more: Partial<SearchRequest> = {}): SearchRequest => ({
  query,
  centre: CENTRE,
  limit: 20,
  offset: 0,
  ...more,
});

export const titlesOf = ({ places }: Pick<FoundPlaces, "places">): string[] =>
  places.map(({ place }) => place.title);

interface MemoryAnswer extends FoundPlaces {
  readonly titles: readonly string[];
  /** What was asked of the index, round by round. */
  readonly rounds: readonly (readonly PlaceLookup[])[];
}

/** Searches among places in memory, which are counted before. */
export async function searchAmong(
  places: readonly PlaceDocument[],
  query: string,
  more: Partial<SearchRequest> & { readonly operation?: "search" | "suggest" } = {},
): Promise<MemoryAnswer> {
  const { operation = "search", ...request } = more;
  const index = createMemoryIndex(places);
  const search = createPlaceSearch(index);
  await search.prepared;
  const found = await search[operation](requestOf(query, request));
  return { ...found, titles: titlesOf(found), rounds: index.rounds };
}
