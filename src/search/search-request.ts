import type { Coordinates } from "../place/coordinates.ts";
import type { PlaceSummaryDocument } from "../place/place-document.ts";

/** A search after its parameters were checked. */
export interface SearchRequest {
  /** Trimmed, Unicode NFC, 1 to 256 characters. */
  readonly query: string;
  /** A bias, never a restriction. */
  readonly centre: Coordinates;
  readonly limit: number;
  readonly offset: number;
}

/** One place of an answer, in its order. */
export interface RankedPlace {
  readonly place: PlaceSummaryDocument;
  readonly distanceMeters: number;
}

/** What the routes ask. Rejects with `engine_unavailable` (a ProblemError) when the engine does not answer in time. */
export interface PlaceSearch {
  search(request: SearchRequest): Promise<RankedPlace[]>;
  /** Completes what is being typed: few, near and well-known places. */
  suggest(request: SearchRequest): Promise<RankedPlace[]>;
}
