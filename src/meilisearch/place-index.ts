import type { Coordinates } from "../place/coordinates.ts";
import type { PlaceDocument, PlaceSummaryDocument } from "../place/place-document.ts";

/**
 * Which places may answer. All members must hold, but of `names`, `nameWords` and `wordSets` one is enough. An absent one holds
 * for every place.
 */
export interface PlaceFilter {
  /** H3 cells: the place lies in one of them. */
  readonly cells?: readonly string[];
  /** A second set of cells it must lie in as well. */
  readonly within?: readonly string[];
  /** Type codes: the place has one of them. */
  readonly types?: readonly string[];
  /** Names folded and without spaces: the place bears one of them. */
  readonly names?: readonly string[];
  /** Folded words: its names hold all of them. */
  readonly nameWords?: readonly string[];
  /** Sets of folded words: its names, type and address hold all words of one of the sets. */
  readonly wordSets?: readonly (readonly string[])[];
  /** Parts of the week (`slotsAt`) or dates with hours of their own: the place may be open in one of them. */
  readonly openSlots?: readonly string[];
  readonly specialDates?: readonly string[];
  readonly minRating?: number;
  /** The upper end of a known price range is not above it. */
  readonly maxPrice?: number;
  /** The first letters of one of its names, folded and without spaces, `MAX_NAME_BEGINNING` at most. */
  readonly nameBeginning?: string;
  /** The first letters of any word of its names, folded, `MAX_WORD_BEGINNING` at most. */
  readonly wordBeginning?: string;
}

/** One question to the engine. Without text the prominent places come first. */
export interface PlaceLookup {
  readonly filter: PlaceFilter;
  /** A name folded and without spaces: finds names that are it, begin with it, or are a typo or two away. */
  readonly joinedName?: string;
  /** The same without its first letter: finds names whose first letter is wrong, which the engine counts as two typos. */
  readonly joinedTail?: string;
  /** Words in any field, with typos; the last may be half typed. */
  readonly words?: string;
  /** 0 asks only how many there are, which costs next to nothing. */
  readonly limit: number;
}

/**
 * Beginnings up to these lengths are filed as whole values, since the shorter a beginning is the longer the engine's own prefix
 * search takes. With six letters of a name few other names begin; three of a word are enough beside the words before it.
 */
export const MAX_NAME_BEGINNING = 6;
export const MAX_WORD_BEGINNING = 3;

/** What is needed to put a place in order; the rest is read when the place is on the page (`readSummaries`). */
export interface PlaceCandidate {
  readonly id: string;
  readonly title: string;
  /** Title and other names, folded (`fold` in src/text). */
  readonly foldedNames: readonly string[];
  /** The type's labels and the address, folded. */
  readonly foldedRest: string;
  readonly type: string;
  readonly location: Coordinates;
  readonly prominence: number;
  readonly rating: number;
}

/** What one lookup found. */
export interface PlaceAnswer {
  readonly places: readonly PlaceCandidate[];
  /** How many there are in all; exact for a lookup without text, an estimate for one with. */
  readonly total: number;
}

/** Whether the index can be asked, and why not. */
export type IndexState =
  | { readonly state: "ready"; readonly places: number; readonly builtAt: string }
  | { readonly state: "missing" | "unreachable" }
  | { readonly state: "wrong_version"; readonly found: string; readonly wanted: string };

/** The gazetteer as the server reads it. Every method but `readState` rejects with `engine_unavailable` on failure. */
export interface PlaceIndex {
  /** One round trip; the answers stand in the order of the lookups. `signal` ends the wait for them. */
  findPlaces(lookups: readonly PlaceLookup[], signal: AbortSignal): Promise<PlaceAnswer[]>;
  /** The summaries of candidates, by their ids. One that went since it was found is missing. */
  readSummaries(
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, PlaceSummaryDocument>>;
  /** `dataId` in its canonical form. `undefined` when no place has it. `signal`: nobody waits for it any more. */
  getPlace(dataId: string, signal?: AbortSignal): Promise<PlaceDocument | undefined>;
  /** Takes from a moment to some seconds: nothing for the path of a request. */
  readCensus(): Promise<Census>;
  readState(): Promise<IndexState>;
  /** Lets the engine load what it would load while the first caller waits. Never rejects. */
  warmUp(): Promise<void>;
  close(): Promise<void>;
}

/** What is known of the gazetteer as a whole. */
export interface Census {
  readonly places: number;
  readonly density: Density;
  /** Places of each type code, without those of the types under it. */
  readonly types: ReadonlyMap<string, number>;
  readonly timezones: readonly string[];
}

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
