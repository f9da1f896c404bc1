/** How many places lie in an H3 cell, of every resolution that places are filed under. */
export interface Density {
  /** 0 for a cell without places. */
  placesIn(cell: string): number;
  /** All cells that have places, in the order of their names, with how many. */
  entries(): Iterable<readonly [string, number]>;
}

/** The digits that tell cells apart: behind them all cells of our resolutions have the same. 48 bits, which a number holds exactly. */
const TELLING_DIGITS = 12;

/** What stands behind them. */
const LAST_DIGITS = "fff";

const keyOf = (cell: string): number => Number.parseInt(cell.slice(0, TELLING_DIGITS), 16);

/**
 * Keeps the counts of cells. There are some hundred thousand: two sorted arrays of numbers take 12 bytes for each where a Map with
 * the names took about 100.
 */
export function createDensity(counts: Readonly<Record<string, number>>): Density {
  const cells = Object.keys(counts);
  const keys = Float64Array.from(cells, keyOf).sort();
  const places = new Uint32Array(keys.length);
  for (const cell of cells) places[indexOf(keys, keyOf(cell))] = counts[cell] ?? 0;
  return {
    placesIn(cell) {
      const key = keyOf(cell);
      const index = indexOf(keys, key);
      return keys[index] === key ? (places[index] ?? 0) : 0;
    },
    *entries() {
      for (const [index, key] of keys.entries()) yield [key.toString(16) + LAST_DIGITS, places[index] ?? 0];
    },
  };
}

/** Where the key is or would be. */
function indexOf(keys: Float64Array, key: number): number {
  let from = 0;
  let to = keys.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((keys[middle] ?? Infinity) < key) from = middle + 1;
    else to = middle;
  }
  return from;
}
