import { foldedNamesOf } from "../../src/meilisearch/index-form.ts";
import { pairOf, type WordPairs } from "../../src/meilisearch/word-pairs.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { fold, words } from "../../src/place/text/fold.ts";

/** Counts the pairs of words of an import. */
export type PairCounter = ReturnType<typeof createPairCounter>;

/**
 * A place takes some 40 µs. Of a million, 150,000 are read, which takes 6 s; at the end one in 32 counts, and a pair that 200 have is found
 * six times.
 */
const MOST_SAMPLED = 50_000;

/** Counted at a time, also of places whose every word is another: some 40 MB. */
const MOST_PAIRS = 400_000;

/** A lookup of fewer places than LOOKUPS.few looks everywhere anyway. A million demo places have 11,000 such pairs: 170 KB. */
const LEAST_PLACES = 200;

/** With a word left out in between: "Lý Thường Kiệt" is found by "ly kiet". */
const WINDOW = 2;

/** The fractional parts of its multiples are spread evenly and do not follow the rhythm of any data. */
const GOLDEN_RATIO = (1 + Math.sqrt(5)) / 2;

export function createPairCounter(mostSampled = MOST_SAMPLED) {
  const inNames = new Map<string, number>();
  const inAddresses = new Map<string, number>();
  let [met, sampled, step] = [0, 0, 1];
  return {
    /** Takes note of a place. */
    meet(place: PlaceDocument): void {
      met += 1;
      if ((met * GOLDEN_RATIO) % 1 >= 1 / step) return;
      const names = new Set(foldedNamesOf(place).flatMap((name) => pairsIn(words(name))));
      const address = new Set(pairsIn(words(fold(place.location.address.full))));
      for (const pair of names) inNames.set(pair, (inNames.get(pair) ?? 0) + 1);
      for (const pair of address.difference(names)) inAddresses.set(pair, (inAddresses.get(pair) ?? 0) + 1);
      sampled += 1;
      if (sampled < mostSampled && inNames.size + inAddresses.size < MOST_PAIRS) return;
      // From here on half as many are read, so what was counted counts half.
      [sampled, step] = [sampled / 2, step * 2];
      halve(inNames);
      halve(inAddresses);
    },
    /** The pairs that many places have, and about how many of those that were met. */
    pairs: (): WordPairs => ({ inNames: scaleUp(inNames, step), inAddresses: scaleUp(inAddresses, step) }),
  };
}

function pairsIn(inOrder: readonly string[]): string[] {
  return inOrder.flatMap((word, at) =>
    inOrder.slice(Math.max(0, at - WINDOW), at).map((one) => pairOf(one, word)),
  );
}

function halve(counts: Map<string, number>): void {
  for (const [pair, count] of counts) {
    if (count > 1) counts.set(pair, count / 2);
    else counts.delete(pair);
  }
}

const scaleUp = (counts: ReadonlyMap<string, number>, step: number): Record<string, number> =>
  Object.fromEntries(
    [...counts].flatMap(([pair, count]) =>
      count * step >= LEAST_PLACES ? [[pair, Math.round(count * step)] as const] : [],
    ),
  );
