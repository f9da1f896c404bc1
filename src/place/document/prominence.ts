import type { PlaceDocument } from "./place-document.ts";

/**
 * How well known a place is. The indexer stores it and ranking uses it. Changing a number here changes the
 * index.
 */

/** Average reviews added to every place's reviews, because a rating from two reviews says little. */
const PRIOR_REVIEWS = 10;
const PRIOR_RATING = 4;

/** The prominence of the best-known places. Higher values count as this. */
const HIGHEST_PROMINENCE = 45;

/**
 * Fifteen levels are enough for the engine's first selection among hundreds of places; ranking then uses the
 * exact value.
 */
const LEVEL_STEP = 3;

/** A place that closed, for good or for now, comes after every other, however well known it is. */
const CLOSED_PROMINENCE = -1;

/**
 * A Bayesian average rating times the logarithm of the reviews: 0 for an unknown place, about 45 for the best known, -1 for one that
 * is closed.
 */
export function prominence({
  rating,
  reviews,
  business_status,
}: Pick<PlaceDocument, "rating" | "reviews" | "business_status">): number {
  if (business_status !== "operational") return CLOSED_PROMINENCE;
  const bayesianRating = (PRIOR_RATING * PRIOR_REVIEWS + rating * reviews) / (PRIOR_REVIEWS + reviews);
  return Math.round(bayesianRating * Math.log1p(reviews) * 100) / 100;
}

/** Prominence in about fifteen whole steps, because the engine visits every distinct value. */
export const prominenceLevel = (value: number): number => Math.round(Math.max(0, value) / LEVEL_STEP);

/** Prominence in steps too small to notice, by which lists are sorted; so few values that the engine sorts by them fast. */
export const shownProminence = (value: number): number => Math.round(value * 10) / 10;

/** Whether a place with this prominence is not in business, for good or for now. */
export const isOutOfBusiness = (value: number): boolean => value < 0;

/** Prominence as a share, 0 to 1, of that of the best-known places. */
export const prominenceShare = (value: number): number =>
  Math.min(1, Math.max(0, value) / HIGHEST_PROMINENCE);
