import type { Area } from "../place/geometry/areas.ts";
import type { Bounds, Coordinates } from "../place/geometry/coordinates.ts";
import type { Polygon, Route } from "../place/geometry/shapes.ts";
import type { PlaceExtra, PlaceSummaryDocument } from "../place/document/place-document.ts";
import type { AskedRecord } from "../same-place/likelihood.ts";
import type { MatchedRecords } from "./match-records.ts";
import type { Completion } from "./reading/complete-query.ts";
import type { LandmarkReading, Reading } from "./reading/reading.ts";
import type { CustomCondition } from "../place/document/own-fields.ts";
import type { TypeCode } from "../place/document/type-codes.ts";

/** A search after its parameters were checked. */
export interface SearchRequest {
  /** Trimmed, Unicode NFC, 1 to `MAX_QUERY_LENGTH` characters; empty for every place, which needs an order other than relevance. */
  readonly query: string;
  /** Places near it come first; it never excludes a place. */
  readonly centre: Coordinates;
  readonly limit: number;
  readonly offset: number;
  readonly refinements?: Refinements;
  /** Places in this rectangle come first, where they match about as well. Lists by distance and rating ignore it. */
  readonly preferred?: Bounds;
  /** The moment of the request, to the minute: "đang mở cửa" means now. Without it, opening wishes are left out. */
  readonly now?: Temporal.Instant;
  /** What the response needs of each place besides its summary. */
  readonly extras?: readonly PlaceExtra[];
  /** By relevance when absent. */
  readonly sort?: SortOrder;
  /** Whether to count all matches, too. */
  readonly isCounted?: boolean;
}

export type SortOrder = "relevance" | "distance" | "rating" | "prominence" | "detour";

/** Restrictions; a place must meet all that are given. */
export interface Refinements {
  /** One of these types, or of a type under them. */
  readonly types?: readonly TypeCode[];
  readonly openAt?: Temporal.Instant;
  readonly minRating?: number;
  /** Conditions on the data team's own fields. */
  readonly custom?: readonly CustomCondition[];
  /** In VND: the price range of the place is known and ends here or below. */
  readonly maxPrice?: number;
  readonly radiusMeters?: number;
  readonly bounds?: Bounds;
  readonly polygon?: Polygon;
  /** The corridor beside a way; `detour` sorts by how far from it a place is. */
  readonly route?: Route;
  /** The place is usually at most so busy, in percent, at the moment; unknown busyness does not match. */
  readonly busy?: { readonly at: Temporal.Instant; readonly maxPercent: number };
}

/** How a place got its rank: `text`, `distance` and `prominence` add up to `score`, and so do the `parts`. */
interface RankExplanation {
  /** How well the place matches the words of the query. */
  readonly text: number;
  readonly distance: number;
  readonly prominence: number;
  readonly score: number;
  /** Each feature of the place (weights.json) with what it adds to the score. */
  readonly parts: Readonly<Record<string, number>>;
  /** True when the query wishes opening hours that no place has, and they were left out. */
  readonly isWishDropped?: boolean;
}

/** One place of a result. */
export interface RankedPlace {
  readonly place: PlaceSummaryDocument;
  readonly distanceMeters: number;
  readonly explanation: RankExplanation;
}

/** The places of a page. */
export interface FoundPlaces {
  readonly places: readonly RankedPlace[];
  /** The numbers of the partitions that may hold a match and that no engine could read; mostly none. */
  readonly missingPartitions: readonly number[];
  /** How many places match exactly, at most `MOST_COUNTED`, if the request asks. */
  readonly total?: number;
  /** What the query was understood to mean: the reading of the first place. Absent for suggestions. */
  readonly reading?: Reading;
  /** A landmark that the query names and no place or street has. */
  readonly landmarkNotFound?: LandmarkReading;
}

/**
 * The search as the routes call it. Rejects with `engine_unavailable` (a ProblemError) when the engine does not respond in
 * time, and with the signal's reason when the signal is aborted because no caller waits any more.
 */
export interface PlaceSearch {
  search(request: SearchRequest, signal?: AbortSignal): Promise<FoundPlaces>;
  /** The likeliest place of each record, in their order. */
  match(records: readonly AskedRecord[], signal?: AbortSignal): Promise<MatchedRecords>;
  /** Completes a query that is being typed: few, near and well-known places, each name once. */
  suggest(request: SearchRequest, signal?: AbortSignal): Promise<FoundPlaces>;
  /** The kinds and areas that a half-typed query may become, likeliest first, without a lookup; at most `limit`. */
  complete(query: string, centre: Coordinates, limit: number): readonly Completion[];
  /** The known areas whose boxes contain the point. */
  areasAt(point: Coordinates): readonly Area[];
  /** The name of the district among areas; empty without one. */
  districtOf(areaIds: readonly string[] | undefined): string;
  /** Another number when the words of the index were changed since. Looks for changes, at most once a second. */
  epoch(): number;
  /** How many places each type code has, as last counted. Rejects with `engine_unavailable` when they cannot be counted. */
  countTypes(): Promise<ReadonlyMap<string, number>>;
}
