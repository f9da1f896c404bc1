import type { SearchResult } from "../api-types.ts";

/** What the operations answer, from the schemas that the OpenAPI document is made of. */
export type {
  AutocompleteAnswer,
  PlaceAnswer,
  PlaceResult as PlaceDetail,
  ProblemBody,
  SearchResult as PlaceSummary,
  Suggestion,
  UsageAnswer,
} from "../api-types.ts";

/** What `type=full` adds is there. */
export type FullPlaceSummary = SearchResult & Required<Pick<SearchResult, "opening_hours" | "features">>;

/** `Place` is `FullPlaceSummary` for `type: "full"`. */
export interface SearchAnswer<Place = SearchResult> {
  readonly local_result: readonly Place[];
}

/** A part of a text, in the units that `slice` counts. */
export interface TextRange {
  readonly offset: number;
  readonly length: number;
}
