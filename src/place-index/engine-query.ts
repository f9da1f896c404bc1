import type { SearchParams } from "meilisearch";
import { JOINED_NAME_FIELDS, JOINED_TAIL_FIELDS, WORD_FIELDS } from "./index-settings.ts";
import { CANDIDATE_MEMBERS } from "./indexed-place.ts";
import type { PlaceFilter, PlaceLookup } from "./place-index.ts";

/** A lookup in the engine's words. */
export function toEngineQuery(lookup: PlaceLookup): SearchParams {
  const { filter, joinedName, joinedTail, words, nearestTo, limit } = lookup;
  return {
    ...(joinedTail !== undefined && { q: joinedTail, attributesToSearchOn: JOINED_TAIL_FIELDS }),
    ...(joinedName !== undefined && { q: joinedName, attributesToSearchOn: JOINED_NAME_FIELDS }),
    ...(words !== undefined && {
      q: words,
      attributesToSearchOn: WORD_FIELDS,
      matchingStrategy: "frequency" as const,
    }),
    ...(nearestTo && { sort: [`_geoPoint(${nearestTo.latitude}, ${nearestTo.longitude}):asc`] }),
    filter: toFilter(filter),
    limit,
    attributesToRetrieve: [...CANDIDATE_MEMBERS],
  };
}

/** Folded words hold letters and digits only, cells and type codes come from our own tables: a value needs quotes, no escaping. */
const quoted = (value: string): string => `"${value}"`;

const oneOf = (field: string, values: readonly string[]): string =>
  `${field} IN [${values.map(quoted).join(", ")}]`;

const allWords = (words: readonly string[]): string =>
  `(${words.map((word) => `words = ${quoted(word)}`).join(" AND ")})`;

function toFilter({ cells, types, wordSets, prefix }: PlaceFilter): string[] {
  return [
    ...(cells ? [oneOf("cells", cells)] : []),
    ...(types ? [oneOf("type", types)] : []),
    ...(wordSets ? [wordSets.map(allWords).join(" OR ")] : []),
    ...(prefix === undefined ? [] : [`prefixes = ${quoted(prefix)}`]),
  ];
}
