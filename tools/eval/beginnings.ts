import type { EvalCase } from "./cases.ts";
import { type Dataset, type TruePlace, byDistance } from "./dataset.ts";

/**
 * The plainest baseline for half-typed names: the nearest places whose name begins with the typed text. It
 * uses only the dataset and a sorted list of names, so a search in a million takes microseconds.
 */
export function createBeginnings({ places }: Dataset): (asked: EvalCase, limit: number) => readonly string[] {
  const sorted = places.filter(({ isClosed }) => !isClosed).toSorted((a, b) => compare(a.folded, b.folded));
  return ({ query, centre }, limit) => {
    const from = firstNotBefore(sorted, query);
    // No letter of a folded name sorts after this one.
    const to = firstNotBefore(sorted, `${query}\u{10ffff}`);
    return byDistance(sorted.slice(from, to), centre)
      .slice(0, limit)
      .map(({ place }) => place.dataId);
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function firstNotBefore(sorted: readonly TruePlace[], text: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]!.folded < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
