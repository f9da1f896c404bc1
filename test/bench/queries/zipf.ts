import type { Random } from "./random.ts";

/**
 * Draws ranks 0 … `size` − 1, rank r with a probability proportional to 1 / (r + 1)^exponent (Zipf's law). The sums of the
 * probabilities are laid out once; a draw is a binary search in them.
 */
export function createZipf(size: number, exponent: number): (random: Random) => number {
  const sums = new Float64Array(size);
  let sum = 0;
  for (let rank = 0; rank < size; rank += 1) {
    sum += 1 / (rank + 1) ** exponent;
    sums[rank] = sum;
  }
  return (random) => firstAbove(sums, random.fraction() * sum);
}

/** The first place in the ascending list whose value is above the target. */
function firstAbove(ascending: Float64Array, target: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! > target) high = middle;
    else low = middle + 1;
  }
  return low;
}
