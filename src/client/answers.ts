import type { ReverseAnswer as ReverseBody } from "../answers/reverse-response.ts";
import type { Suggestion } from "../answers/autocomplete-response.ts";
import type { RequestedPlace } from "../answers/place-response.ts";
import type { SearchResult } from "../answers/search-response.ts";
import type { Understood } from "../answers/understood.ts";

/** The response types, from the schemas of the OpenAPI document. */
export type { QuerySuggestion, Suggestion, SuggestionFeatures } from "../answers/autocomplete-response.ts";
export type { PlaceAnswer, PlaceFeature, PlacesFeatures } from "../answers/place-response.ts";
export type { PlaceResult as PlaceDetail } from "../answers/place-response.ts";
export type { ReverseFeatures } from "../answers/reverse-response.ts";
export type { ProblemBody } from "../answers/problem.ts";
export type {
  NearbyFeatures,
  SearchFeatures,
  SearchResult as PlaceSummary,
} from "../answers/search-response.ts";
export type { KindsAnswer } from "../answers/kinds.ts";
export type { MatchAnswer } from "../answers/match-response.ts";
export type { Understood } from "../answers/understood.ts";
export type { WriteAnswer } from "../answers/write-response.ts";
export type { UsageAnswer } from "../answers/usage.ts";

/** A summary with the fields that `type=full` adds. */
export type FullPlaceSummary = SearchResult & Required<Pick<SearchResult, "opening_hours" | "features">>;

/** `Place` is `FullPlaceSummary` for `type: "full"`. */
export interface SearchAnswer<Place = SearchResult> {
  /** With `include: ["explain"]`: what the query was understood to mean. */
  readonly understood?: Understood;
  readonly local_result: readonly Place[];
  /** With `include: ["total"]`: how many places match. 1000 means 1,000 or more; with `busy_max`, 300 means 300 or more. */
  readonly total?: number;
}

/** `Place` is `FullPlaceSummary` for `type: "full"`. */
export type NearbyAnswer<Place = SearchResult> = Omit<SearchAnswer<Place>, "understood">;

/** `Place` is `FullPlaceSummary` for `type: "full"`. */
export interface ReverseAnswer<Place = SearchResult> {
  readonly reverse_result: ReverseBody["reverse_result"];
  readonly local_result: readonly Place[];
}

/** `One` includes `QuerySuggestion` for `include: ["queries"]`. */
export interface AutocompleteAnswer<One = Suggestion> {
  readonly suggestions: readonly One[];
}

/** A part of a text in UTF-16 units, as `slice` counts. */
export interface TextRange {
  readonly offset: number;
  readonly length: number;
}

/** The response of `places`: the places that exist, in the order of the request, and the ids that no place has. */
export interface PlacesAnswer<Place = RequestedPlace> {
  readonly place_results: readonly (Place & Pick<RequestedPlace, "redirected_from">)[];
  readonly unknown_ids: readonly string[];
}

/** A place with the fields that `fields` named; `data_id` is always there. */
export type Chosen<Place extends { readonly data_id: string }> = Parts<Place> & Pick<Place, "data_id">;

type Parts<Value> = Value extends readonly (infer Element)[]
  ? readonly Parts<Element>[]
  : Value extends object
    ? { readonly [Name in keyof Value]?: Parts<Value[Name]> }
    : Value;
