import type { Coordinates } from "../place/coordinates.ts";
import type { PlaceSummaryDocument } from "../place/place-document.ts";
import type { TypeCode } from "../place/type-codes.ts";

/** A search after its parameters were checked. */
export interface SearchRequest {
  /** Trimmed, Unicode NFC, 1 to 256 characters. */
  readonly query: string;
  /** A bias, never a restriction. */
  readonly centre: Coordinates;
  readonly limit: number;
  readonly offset: number;
  readonly refinements?: Refinements;
  /** By relevance when absent. */
  readonly sort?: SortOrder;
}

export type SortOrder = "relevance" | "distance" | "rating";

/** Restrictions; a place must meet all that are given. */
export interface Refinements {
  /** One of these types, or of a type under them. */
  readonly types?: readonly TypeCode[];
  readonly openAt?: Temporal.Instant;
  readonly minRating?: number;
  /** In VND: the place's own price range is known and ends here or below. */
  readonly maxPrice?: number;
  readonly radiusMeters?: number;
}

/** How a place got its rank: parts that add up to the score. */
interface RankExplanation {
  /** How well it answers the words. */
  readonly text: number;
  readonly distance: number;
  readonly prominence: number;
  readonly score: number;
}

/** One place of an answer, in its order. */
export interface RankedPlace {
  readonly place: PlaceSummaryDocument;
  readonly distanceMeters: number;
  readonly explanation: RankExplanation;
}

/**
 * What the routes ask. Rejects with `engine_unavailable` (a ProblemError) when the engine does not answer in time, and with the
 * signal's reason when `unwanted` says that nobody waits for the answer any more.
 */
export interface PlaceSearch {
  search(request: SearchRequest, unwanted?: AbortSignal): Promise<RankedPlace[]>;
  /** Completes what is being typed: few, near and well-known places, each name once. */
  suggest(request: SearchRequest, unwanted?: AbortSignal): Promise<RankedPlace[]>;
}
