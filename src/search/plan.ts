import { cellsAround } from "../place/cells.ts";
import type { Coordinates } from "../place/coordinates.ts";
import type { PlaceLookup } from "../place-index/place-index.ts";
import { fold, joinWords } from "../text/fold.ts";
import { readCategory } from "./category.ts";
import type { SearchRequest } from "./search-request.ts";

/** More than a page: what the engine puts first by words alone is put in order here by distance and prominence too. */
const CANDIDATES_PER_LOOKUP = 60;

/** One after the other: the neighbourhood (about 2 km around), the city (about 18 km around), everywhere. */
function ringsAround(centre: Coordinates): (string[] | undefined)[] {
  return [cellsAround(centre, 8, 2), cellsAround(centre, 6, 2), undefined];
}

/** The questions one search puts to the engine, all in one round trip. */
export function planLookups({ query, centre, limit, offset }: SearchRequest): PlaceLookup[] {
  const rings = ringsAround(centre);
  const needed = Math.max(CANDIDATES_PER_LOOKUP, offset + limit);
  const types = readCategory(query);
  if (types)
    return rings.map((cells) => ({
      words: "",
      field: "names",
      ...(cells && { cells }),
      types,
      limit: needed,
    }));
  const joined = joinWords(fold(query));
  return rings.flatMap((cells): PlaceLookup[] => [
    { words: query, field: "names", ...(cells && { cells }), limit: needed },
    { words: joined, field: "joined_names", ...(cells && { cells }), limit: needed },
  ]);
}
