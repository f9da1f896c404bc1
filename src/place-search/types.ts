import type { QuerySuggestion, Suggestion } from "../client/answers.ts";
import type { Client, HereaboutsError } from "../client/client.ts";

/** What pages know of `<place-search>`. */

/** Of the texts and of the requests. */
export type Language = "vi" | "en";

/** A place, or a text to search with: a kind of place or an area. */
export type Suggested = Suggestion | QuerySuggestion;

/** What the element asks: a client of `createClient`, or something that answers like it. */
export interface PlaceSource {
  autocomplete(
    parameters: {
      readonly q: string;
      readonly lat?: number | undefined;
      readonly lng?: number | undefined;
      readonly limit?: number;
      readonly include?: readonly ("match" | "queries")[];
    },
    options: { readonly signal: AbortSignal },
  ): Promise<{ readonly suggestions: readonly Suggested[] }>;
  /** Missing where the page answers `place-query` itself. */
  readonly search?: Client["search"];
}

/** A text to search with; `suggestion` is the kind or area that it comes from. */
export interface PlaceQuery {
  readonly query: string;
  readonly suggestion?: QuerySuggestion;
}

/** The places that a search has found, best first. */
export interface PlaceResults {
  readonly query: string;
  readonly places: readonly Suggestion[];
}

/** All events bubble, also out of a shadow tree. */
export interface PlaceSearchEventMap {
  /** A place was chosen. */
  "place-select": CustomEvent<Suggestion>;
  /** Somebody searches for a text. `preventDefault()` keeps the element from listing results itself. */
  "place-query": CustomEvent<PlaceQuery>;
  /** The element lists the results of a search. */
  "place-results": CustomEvent<PlaceResults>;
  /** The text was cleared. */
  "place-clear": CustomEvent<null>;
  /** A request failed; the element says so itself. */
  "place-error": CustomEvent<HereaboutsError>;
}
