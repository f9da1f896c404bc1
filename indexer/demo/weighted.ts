import type { Random } from "./random.ts";

/** Draws one item, each as often as its weight says. */
export type WeightedPick<T> = (random: Random) => T;

/** Prepares a weighted draw over a list: running totals and a binary search. Throws when no weight is above 0. */
export function createWeightedPick<T>(items: readonly T[], weightOf: (item: T) => number): WeightedPick<T> {
  const totals = new Float64Array(items.length);
  let total = 0;
  for (const [index, item] of items.entries()) {
    total += weightOf(item);
    totals[index] = total;
  }
  if (total <= 0) throw new Error("nothing to choose from: every weight is 0");
  return (random) => items[firstAbove(totals, random.fraction() * total)]!;
}

function firstAbove(totals: Float64Array, value: number): number {
  let low = 0;
  let high = totals.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (totals[middle]! > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * A value of a long-tailed measure: `quantiles` are its values at even steps from the smallest to the largest, and what lies between
 * is interpolated. A table gives a log-normal shape without `Math.exp`, whose last digits differ between machines.
 */
export function drawFromQuantiles(quantiles: readonly number[], random: Random): number {
  const position = random.fraction() * (quantiles.length - 1);
  const index = Math.floor(position);
  const low = quantiles[index]!;
  return low + (quantiles[index + 1]! - low) * (position - index);
}
