import type { PlaceSummaryDocument } from "../place/document/place-document.ts";
import type { RankedSearch } from "./candidates.ts";
import { sumOfNumbers } from "./match-words.ts";
import { PLACES } from "./numbers.ts";
import { affectsOrder, type Wishes } from "./reading/reading.ts";
import { byScore, type ScoredPlace } from "./score.ts";

/** The order of places by what a query wishes of them: a price, a rating, features. */

/** Adds to the scores what the places have of the wished price, rating and features, and sorts again. */
export async function orderByWishes(
  places: readonly ScoredPlace[],
  { readings, readSummaries, weights }: RankedSearch,
): Promise<readonly ScoredPlace[]> {
  const isWishing = readings.readings.some(({ wishes }) => affectsOrder(wishes));
  if (!isWishing || places.length === 0) return places;
  const first = places.slice(0, PLACES.orderedByWishes);
  const summaries = await readSummaries(first.map(({ place }) => place));
  const prices = [...summaries.values()].flatMap(({ pricing }) => (pricing.max > 0 ? [pricing.max] : []));
  const median = prices.toSorted((a, b) => a - b)[prices.length >> 1] ?? 0;
  const known = new Set([...summaries.values()].flatMap(featuresOf));
  const wished = first.map((one) => {
    const summary = summaries.get(one.place.id);
    const wishes = summary ? shareOfWishes(summary, one.reading.wishes, { medianPrice: median, known }) : 0;
    return wishes === 0
      ? one
      : { ...one, features: { ...one.features, wishes }, score: one.score + wishes * weights.wishes };
  });
  return [...wished, ...places.slice(PLACES.orderedByWishes)].toSorted(byScore);
}

const featuresOf = ({ features }: PlaceSummaryDocument): readonly string[] => Object.values(features).flat();

/**
 * Which share of the wishes a place meets, -1 to 1. An unknown price, rating or feature meets none; the opposite price counts against it.
 * A feature that is known of no place says nothing about any.
 */
function shareOfWishes(
  summary: PlaceSummaryDocument,
  { price, isWellRated, features: wished }: Wishes,
  { medianPrice, known }: { readonly medianPrice: number; readonly known: ReadonlySet<string> },
): number {
  const { pricing, rating, reviews } = summary;
  const has = new Set(featuresOf(summary));
  const ofPlace = pricing.max <= medianPrice ? "cheap" : "expensive";
  const asPriced = pricing.max > 0 ? (price === ofPlace ? 1 : -1) : 0;
  const met = [
    ...(price ? [asPriced] : []),
    ...(isWellRated
      ? [reviews > 0 ? Math.max(0, (rating - PLACES.neutralRating) / (5 - PLACES.neutralRating)) : 0]
      : []),
    ...wished.filter((code) => known.has(code)).map((code) => (has.has(code) ? 1 : 0)),
  ];
  return sumOfNumbers(met) / Math.max(1, met.length);
}
