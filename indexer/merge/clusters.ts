import { setImmediate as breathe } from "node:timers/promises";
import { areOther } from "./same-place.ts";
import type { NumberedSignature, Pair, SignatureStore } from "./signature-store.ts";

/** Told of every pair that was joined. */
export type OnJoined = (one: NumberedSignature, other: NumberedSignature, pair: Pair) => void;

interface JoinOptions {
  readonly onJoined: OnJoined;
  readonly signal: AbortSignal;
}

/** Some hundredths of a second: whoever holds a lease must renew it in between. */
const PAIRS_PER_BREATH = 500;

/**
 * Joins the pairs to groups, the surest first: of each source a group has one place at most, and no two places of it may
 * contradict each other, whatever the one between them says. Returns the groups of two and more.
 */
export async function* joinPairs(
  store: SignatureStore,
  { onJoined, signal }: JoinOptions,
): AsyncGenerator<NumberedSignature[]> {
  const rings = createRings(store.last());
  const read = (numbers: readonly number[]): NumberedSignature[] =>
    numbers.map((number) => store.get(number)).filter((signature) => signature !== undefined);
  let looked = 0;
  for (const pair of store.pairs()) {
    const { one, other } = pair;
    if (++looked % PAIRS_PER_BREATH === 0) await breathe();
    signal.throwIfAborted();
    if (rings.areJoined(one, other)) continue;
    const [left, right] = [read(rings.of(one)), read(rings.of(other))];
    if (left.some((place) => right.some((candidate) => areOther(place, candidate)))) continue;
    rings.join(one, other);
    const [first, second] = read([one, other]);
    if (first && second) onJoined(first, second, pair);
  }
  for (const numbers of rings.groups()) yield read(numbers);
}

/** Groups of numbers from 1 on as rings in an array: four bytes for each number, however many there are. */
function createRings(last: number) {
  const next = Uint32Array.from({ length: last + 1 }, (_, number) => number);
  const of = (number: number): number[] => {
    const ring = [number];
    for (let at = next[number]!; at !== number; at = next[at]!) ring.push(at);
    return ring;
  };
  return {
    of,
    areJoined: (one: number, other: number): boolean => of(one).includes(other),
    /** Two rings become one when two of their members change what follows them. */
    join(one: number, other: number): void {
      [next[one], next[other]] = [next[other]!, next[one]!];
    },
    /** Those of two and more. */
    *groups(): Generator<number[]> {
      for (let number = 1; number <= last; number += 1) {
        const ring = of(number);
        if (ring.length > 1 && Math.min(...ring) === number) yield ring;
      }
    },
  };
}
