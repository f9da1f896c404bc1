import type { SearchResult } from "../api-types.ts";

/** The response types, from the schemas of the OpenAPI document. */
export type {
  AutocompleteAnswer,
  PlaceAnswer,
  PlaceResult as PlaceDetail,
  ProblemBody,
  SearchResult as PlaceSummary,
  Suggestion,
  UsageAnswer,
} from "../api-types.ts";

/** A summary with the fields that `type=full` adds. */
export type FullPlaceSummary = SearchResult & Required<Pick<SearchResult, "opening_hours" | "features">>;

/** `Place` is `FullPlaceSummary` for `type: "full"`. */
export interface SearchAnswer<Place = SearchResult> {
  readonly local_result: readonly Place[];
}

/** A part of a text in UTF-16 units, as `slice` counts. */
export interface TextRange {
  readonly offset: number;
  readonly length: number;
}
