import { distanceMeters, type Coordinates } from "../place/coordinates.ts";
import type { PlaceCandidate } from "../place-index/place-index.ts";
import { readTextQuality, type TextQuality } from "./text-quality.ts";
import type { TypedQuery } from "./typed-query.ts";

/** How much being near adds to a text quality of 0 to 1. */
const DISTANCE_WEIGHT = 0.12;
/** Half of it is left at this distance: a walk, or a short ride. */
const HALF_DISTANCE_METERS = 1_500;
/** How much being well known adds. Less than distance: callers mostly want what is near. */
const PROMINENCE_WEIGHT = 0.03;
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

/** What candidates are measured by. Without a query (a category was asked for) only distance and prominence count. */
export interface RankedBy {
  readonly query: TypedQuery | undefined;
  readonly centre: Coordinates;
}

/** Collects candidates, each place once, and puts them in order. */
export interface Ranking {
  add(candidates: readonly PlaceCandidate[]): void;
  /** Whether one of them holds all that was typed without a typo. */
  hasCompleteMatch(): boolean;
  /** Best first; ties by id, so that the same request always has the same order. */
  inOrder(): ScoredPlace[];
}

export function createRanking(by: RankedBy): Ranking {
  const scored = new Map<string, ScoredPlace>();
  return {
    add(candidates) {
      for (const place of candidates) if (!scored.has(place.id)) scored.set(place.id, scorePlace(place, by));
    },
    hasCompleteMatch: () => scored.values().some(({ text }) => text.isComplete),
    inOrder: () =>
      [...scored.values()].toSorted((a, b) => b.score - a.score || (a.place.id < b.place.id ? -1 : 1)),
  };
}

const NO_TEXT: TextQuality = { quality: 0, isWholeName: false, isComplete: true };

function scorePlace(place: PlaceCandidate, { query, centre }: RankedBy): ScoredPlace {
  const text = query ? readTextQuality(query, place) : NO_TEXT;
  const meters = distanceMeters(centre, place.location);
  const distance = (DISTANCE_WEIGHT * HALF_DISTANCE_METERS) / (HALF_DISTANCE_METERS + meters);
  // Who types a whole name wants the nearest place of that name, whatever others think of it.
  const prominence = text.isWholeName
    ? 0
    : PROMINENCE_WEIGHT * Math.min(1, place.prominence / HIGHEST_PROMINENCE);
  return {
    place,
    distanceMeters: meters,
    text,
    distance,
    prominence,
    score: text.quality + distance + prominence,
  };
}
