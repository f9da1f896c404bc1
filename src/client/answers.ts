import type { PlaceDetail } from "../place/place-detail.ts";
import type { FullPlaceSummary, PlaceSummary } from "../place/place-summary.ts";

export type { FullPlaceSummary, PlaceDetail, PlaceSummary };

/** `Place` is `FullPlaceSummary` for `type: "full"`. */
export interface SearchAnswer<Place = PlaceSummary> {
  readonly local_result: readonly Place[];
}

export interface PlaceAnswer {
  readonly place_result: PlaceDetail;
}

/** A part of a text, in the units that `slice` counts. */
export interface TextRange {
  readonly offset: number;
  readonly length: number;
}

export interface Suggestion {
  readonly value: string;
  readonly subtext: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly data_id: string;
  readonly place_id?: string;
  /** With `include: ["match"]`. */
  readonly match?: { readonly value: readonly TextRange[] };
}

export interface AutocompleteAnswer {
  readonly suggestions: readonly Suggestion[];
}
