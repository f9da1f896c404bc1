import { distanceMeters, type Coordinates } from "../place/coordinates.ts";
import type { PlaceCandidate } from "../place-index/place-index.ts";
import type { TextQuality } from "./text-quality.ts";

/** How much being near and being well known add to a text quality of 0 to 1. */
export interface Weights {
  readonly distance: number;
  readonly prominence: number;
}

/**
 * Of a search. Words decide first; being near is worth about a typo, being well known a quarter of that: callers mostly want
 * what is near.
 */
export const SEARCH_WEIGHTS: Weights = { distance: 0.12, prominence: 0.03 };

/**
 * Of suggestions: a few letters say little, so being near and being well known weigh more. Share of right names among four after
 * four letters on the demo gazetteer (`eval`), for any place and for those that many look for: .55 and .79 with 0.12 and 0.12,
 * .76 and .77 with these, .78 and .75 with 0.3 and 0.06.
 */
export const SUGGESTION_WEIGHTS: Weights = { distance: 0.25, prominence: 0.06 };

/** Half of what being near adds is left at this distance: a walk, or a short ride. */
const HALF_DISTANCE_METERS = 1_500;

/** The prominence of the best-known places (`prominence` in src/place-index). */
const HIGHEST_PROMINENCE = 45;

/** A candidate with the parts of its score; they add up to it. */
export interface ScoredPlace {
  readonly place: PlaceCandidate;
  readonly distanceMeters: number;
  readonly text: TextQuality;
  readonly distance: number;
  readonly prominence: number;
  readonly score: number;
}

/** What candidates are measured by. */
export interface RankedBy {
  readonly centre: Coordinates;
  readonly weights: Weights;
  /** `undefined` for a place that is no answer at all. */
  readonly readText: (place: PlaceCandidate) => TextQuality | undefined;
}

/** Collects candidates, each place once, and puts them in order. */
export interface Ranking {
  readonly add: (candidates: readonly PlaceCandidate[]) => void;
  /** Best first; ties by id, so that the same request always has the same order. */
  readonly inOrder: () => ScoredPlace[];
}

export function createRanking(by: RankedBy): Ranking {
  const seen = new Set<string>();
  const scored: ScoredPlace[] = [];
  return {
    add(candidates) {
      for (const place of candidates) {
        if (seen.has(place.id)) continue;
        seen.add(place.id);
        const text = by.readText(place);
        if (text) scored.push(scorePlace(place, text, by));
      }
    },
    inOrder: () => scored.toSorted((a, b) => b.score - a.score || (a.place.id < b.place.id ? -1 : 1)),
  };
}

function scorePlace(place: PlaceCandidate, text: TextQuality, { centre, weights }: RankedBy): ScoredPlace {
  const meters = distanceMeters(centre, place.location);
  const distance = (weights.distance * HALF_DISTANCE_METERS) / (HALF_DISTANCE_METERS + meters);
  // Who types a whole name wants the nearest place of that name, whatever others think of it.
  const prominence = text.isWholeName
    ? 0
    : weights.prominence * Math.min(1, place.prominence / HIGHEST_PROMINENCE);
  return {
    place,
    distanceMeters: meters,
    text,
    distance,
    prominence,
    score: text.quality + distance + prominence,
  };
}
