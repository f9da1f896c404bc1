import type * as v from "valibot";
import type { autocompleteAnswerSchema } from "./answers/autocomplete-response.ts";
import type { placeAnswerSchema } from "./answers/place-response.ts";
import type { searchAnswerSchema } from "./answers/search-response.ts";

/** The types of what the API answers, for who calls it. They are inferred from the schemas that the OpenAPI document is made of. */

/** `GET /api/maps/search` */
export type SearchAnswer = v.InferOutput<typeof searchAnswerSchema>;
/** One element of `local_result`; members that depend on `type` and `include` are optional. */
export type SearchResult = SearchAnswer["local_result"][number];

/** `GET /api/maps/place` */
export type PlaceAnswer = v.InferOutput<typeof placeAnswerSchema>;
export type PlaceResult = PlaceAnswer["place_result"];

/** `GET /api/maps/autocomplete` */
export type AutocompleteAnswer = v.InferOutput<typeof autocompleteAnswerSchema>;
export type Suggestion = AutocompleteAnswer["suggestions"][number];

/** `GET /api/usage` */
export type { UsageAnswer } from "./answers/usage.ts";

/** Whatever is not a success, of every operation. */
export type { ProblemBody } from "./answers/problem.ts";
