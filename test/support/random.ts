import { hashText } from "../../indexer/demo/random.ts";

/** Random draws that are the same on every machine for the same seed. */
export interface Random {
  /** A number in [0, 1). */
  fraction(): number;
  /** An integer from 0 to `limit − 1`. */
  below(limit: number): number;
  /** One element of a list. Throws a RangeError when the list is empty. */
  pick<T>(list: readonly T[]): T;
  /** The elements in random order. */
  shuffle<T>(list: readonly T[]): T[];
}

const TWO_TO_32 = 4_294_967_296;

/**
 * The generator mulberry32 (Tommy Ettinger, public domain). Its 32 bits of state suffice for some million
 * draws.
 */
export function createRandom(seed: number | string): Random {
  let state = (typeof seed === "string" ? hashText(seed) : seed) | 0;

  const fraction = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / TWO_TO_32;
  };
  const below = (limit: number): number => Math.floor(fraction() * limit);

  return {
    fraction,
    below,
    pick(list) {
      if (list.length === 0) throw new RangeError("There is nothing to pick from.");
      return list[below(list.length)]!;
    },
    shuffle(list) {
      const shuffled = [...list];
      for (let last = shuffled.length - 1; last > 0; last -= 1) {
        const other = below(last + 1);
        [shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!];
      }
      return shuffled;
    },
  };
}

/** A seed made from words and numbers, so that each run has a separate stream. */
export function seedOf(...parts: readonly (string | number)[]): number {
  return hashText(parts.join("/"));
}
