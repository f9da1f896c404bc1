/** Draws that are the same on every machine for the same seed. */
export interface Random {
  /** A number in [0, 1). */
  fraction(): number;
  /** An integer from 0 to `limit − 1`. */
  below(limit: number): number;
  /** One element of a list that is not empty. */
  pick<T>(list: readonly T[]): T;
  /** The elements in another order. */
  shuffle<T>(list: readonly T[]): T[];
}

const TWO_TO_32 = 4_294_967_296;

/** A 32-bit number for a text (FNV-1a over its UTF-16 units). */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** The generator mulberry32 (Tommy Ettinger), seeded with a text: each kind of case has a stream of its own. */
export function createRandom(seed: string): Random {
  let state = hashText(seed);

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
    pick: (list) => list[below(list.length)]!,
    shuffle(list) {
      const shuffled = [...list];
      for (let last = shuffled.length - 1; last > 0; last--) {
        const other = below(last + 1);
        [shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!];
      }
      return shuffled;
    },
  };
}
