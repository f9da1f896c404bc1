/** A source of chance that gives the same draws for the same seed on every machine. */
export interface Random {
  /** 0 up to, but never, 1. */
  fraction(): number;
  /** A whole number from 0 up to, but never, `end`. */
  below(end: number): number;
  /** @throws {RangeError} when there is nothing to pick from. */
  pick<T>(items: readonly T[]): T;
}

/** Mulberry32 (Tommy Ettinger, public domain): 32 bits of state are plenty for some million draws. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  function fraction(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (end: number): number => Math.floor(fraction() * end);
  return {
    fraction,
    below,
    pick(items) {
      if (items.length === 0) throw new RangeError("There is nothing to pick from.");
      return items[below(items.length)]!;
    },
  };
}

/** A seed from words and numbers (FNV-1a, 32 bits), so that each run of the bench has chances of its own. */
export function seedOf(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const character of parts.join("/")) {
    hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193) >>> 0;
  }
  return hash;
}
