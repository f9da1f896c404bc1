import type { PlaceDocument } from "./place-document.ts";

/** How well known a place is. The indexer stores it, ranking weighs it. Changing a number here changes the index. */

/** Reviews that every place is given before its own: a rating of two reviews says little. */
const PRIOR_REVIEWS = 10;
const PRIOR_RATING = 4;

/** The prominence of the best-known places: more counts as this much. */
const HIGHEST_PROMINENCE = 45;

/** Fifteen levels are enough for the engine's first choice among hundreds; ranking then uses the exact value. */
const LEVEL_STEP = 3;

/** A Bayesian average rating times the logarithm of the reviews: 0 for an unknown place, about 45 for the best known. */
export function prominence({ rating, reviews }: Pick<PlaceDocument, "rating" | "reviews">): number {
  const bayesianRating = (PRIOR_RATING * PRIOR_REVIEWS + rating * reviews) / (PRIOR_REVIEWS + reviews);
  return Math.round(bayesianRating * Math.log1p(reviews) * 100) / 100;
}

/** A prominence in about fifteen whole steps: the engine visits every value that occurs. */
export const prominenceLevel = (value: number): number => Math.round(value / LEVEL_STEP);

/** A prominence as a share, 0 to 1, of that of the best-known places. */
export const prominenceShare = (value: number): number => Math.min(1, value / HIGHEST_PROMINENCE);
