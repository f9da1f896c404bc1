/** A source of draws. Only integer and IEEE arithmetic: every machine gets the same numbers. */
export interface Random {
  /** Begins the stream with that number (0 to 2³²−1) of this seed. Streams do not depend on each other. */
  restart(stream: number): void;
  /** A number in [0, 1) with 32 random bits. */
  fraction(): number;
  /** An integer from 0 to `limit − 1`. */
  below(limit: number): number;
  /** An integer from `low` to `high`, both included. */
  between(low: number, high: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** One element of a list that is not empty. */
  pick<T>(list: readonly T[]): T;
  /** About normal, mean 0 and deviation 1, never beyond ±4.3: the sum of six uniform draws needs no logarithm. */
  bell(): number;
}

const TWO_TO_32 = 4_294_967_296;
/** Rounds thrown away after seeding; the author of sfc32 asks for at least 12 before the state is well mixed. */
const WARM_UP_ROUNDS = 15;
/** √(6 × 1/12) is the deviation of a sum of six uniform draws. */
const BELL_SCALE = 1 / Math.sqrt(0.5);

/**
 * The generator sfc32 (Chris Doty-Humphrey, PractRand), seeded with `seed` and the number of the stream.
 * The state is a typed array: plain variables above 2³⁰ would be boxed by the engine, and that halves the speed.
 */
export function createRandom(seed: number): Random {
  const state = new Int32Array(4);

  function nextUint32(): number {
    const a = state[0]!;
    const b = state[1]!;
    const c = state[2]!;
    const d = state[3]!;
    const sum = (((a + b) | 0) + d) | 0;
    state[3] = d + 1;
    state[0] = b ^ (b >>> 9);
    state[1] = c + (c << 3);
    state[2] = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  }

  function restart(stream: number): void {
    state.set([seed | 0, stream | 0, 0x9e3779b9 | 0, 1]);
    for (let round = 0; round < WARM_UP_ROUNDS; round += 1) nextUint32();
  }

  const fraction = () => nextUint32() / TWO_TO_32;
  const below = (limit: number) => Math.floor((nextUint32() / TWO_TO_32) * limit);

  restart(0);
  return {
    restart,
    fraction,
    below,
    between: (low, high) => low + below(high - low + 1),
    chance: (probability) => nextUint32() < probability * TWO_TO_32,
    pick: (list) => list[below(list.length)]!,
    bell: () =>
      (fraction() + fraction() + fraction() + fraction() + fraction() + fraction() - 3) * BELL_SCALE,
  };
}

/** A 32-bit number for a text (FNV-1a over its UTF-16 units): the seed of what must not depend on `--seed`. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** Draws one item, each in proportion to its weight. */
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
