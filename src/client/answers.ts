import type * as v from "valibot";
import type { autocompleteAnswerSchema, placeAnswerSchema, searchAnswerSchema } from "../place/answers.ts";

/** What the operations answer, from the schemas that the OpenAPI document is made of. */

type SearchBody = v.InferOutput<typeof searchAnswerSchema>;
export type PlaceSummary = SearchBody["local_result"][number];

/** What `type=full` adds is there. */
export type FullPlaceSummary = PlaceSummary & Required<Pick<PlaceSummary, "opening_hours" | "features">>;

/** `Place` is `FullPlaceSummary` for `type: "full"`. */
export interface SearchAnswer<Place = PlaceSummary> {
  readonly local_result: readonly Place[];
}

export type PlaceAnswer = v.InferOutput<typeof placeAnswerSchema>;
export type PlaceDetail = PlaceAnswer["place_result"];

export type AutocompleteAnswer = v.InferOutput<typeof autocompleteAnswerSchema>;
export type Suggestion = AutocompleteAnswer["suggestions"][number];

/** A part of a text, in the units that `slice` counts. */
export interface TextRange {
  readonly offset: number;
  readonly length: number;
}
