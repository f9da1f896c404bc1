import type { Kind } from "./kinds/kind.ts";
import type { Random } from "./random.ts";
import { drawFromQuantiles } from "./weighted.ts";

/** What people think of a place, in numbers. */
export interface Standing {
  /** 0 for unrated, else 1.0–5.0 with one decimal. */
  readonly rating: number;
  readonly reviews: number;
  /** The stars of all reviews when there are few: the rating is their mean. */
  readonly stars: readonly number[];
}

/** Ratings at every tenth from the worst place to the best: two thirds lie between 3.8 and 4.8. */
const RATING_QUANTILES = [2.3, 3.6, 3.9, 4.05, 4.2, 4.3, 4.4, 4.55, 4.7, 4.85, 5] as const;
/** Numbers of reviews at every twenty-fourth; a log-normal shape with a long tail. */
const REVIEW_QUANTILES = [
  1, 2, 3, 4, 6, 8, 10, 13, 16, 20, 25, 31, 38, 47, 58, 71, 88, 110, 140, 180, 240, 330, 480, 800, 2600,
] as const;
/** Up to so many reviews the mean is worked out from their stars, so that the two agree. */
const FEW_REVIEWS = 8;
const UNRATED: Standing = { rating: 0, reviews: 0, stars: [] };
/** The share of unrated places where a kind says nothing. */
const USUAL_UNRATED = 0.15;

/** What sets a place apart from others of its kind. */
export interface Renown {
  /** So many times more reviews. */
  readonly fame: number;
  /** Everybody knows it: it is rated by thousands, and well. */
  readonly isLandmark: boolean;
}

const oneDecimal = (value: number): number => Math.round(value * 10) / 10;

/** The rating and the number of reviews of a place. */
export function drawStanding(kind: Kind, { fame, isLandmark }: Renown, random: Random): Standing {
  if (isLandmark) return drawLandmarkStanding(random);
  if (random.chance((kind.unrated ?? USUAL_UNRATED) / fame)) return UNRATED;
  const mean = drawFromQuantiles(RATING_QUANTILES, random) + (kind.mood ?? 0);
  const reviews = Math.max(
    1,
    Math.round(drawFromQuantiles(REVIEW_QUANTILES, random) * (kind.fame ?? 1) * fame),
  );
  if (reviews > FEW_REVIEWS)
    return { rating: oneDecimal(Math.min(5, Math.max(1.2, mean))), reviews, stars: [] };
  const stars = Array.from({ length: reviews }, () => drawStars(mean, random));
  return { rating: oneDecimal(stars.reduce((sum, star) => sum + star, 0) / reviews), reviews, stars };
}

function drawLandmarkStanding(random: Random): Standing {
  return {
    rating: oneDecimal(3.9 + 0.8 * random.fraction()),
    reviews: random.between(900, 14_000),
    stars: [],
  };
}

/** Few people give three stars: a single opinion scatters widely around the mean, mostly upwards. */
function drawStars(mean: number, random: Random): number {
  if (random.chance(0.12)) return random.between(1, 3);
  return Math.min(5, Math.max(1, Math.round(mean + 0.3 + random.bell() * 0.7)));
}

/** Stars for the reviews that are shown: their mean is as near to the rating as whole stars come, then spread without moving it. */
export function spreadStars(rating: number, count: number, random: Random): number[] {
  const total = Math.min(5 * count, Math.max(count, Math.round(rating * count)));
  const low = Math.floor(total / count);
  const higher = total - low * count;
  const stars = Array.from({ length: count }, (_, index) => low + (index < higher ? 1 : 0));
  for (let turn = 0; turn < count; turn += 1) moveOneStar(stars, random);
  return stars;
}

function moveOneStar(stars: number[], random: Random): void {
  const from = random.below(stars.length);
  const to = random.below(stars.length);
  if (from === to || stars[from]! <= 1 || stars[to]! >= 5) return;
  stars[from]! -= 1;
  stars[to]! += 1;
}
