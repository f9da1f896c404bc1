import type { Bounds, Coordinates } from "../place/geometry/coordinates.ts";
import type {
  PlaceDocument,
  PlaceExtra,
  PlaceSummaryDocument,
  StoredPlace,
} from "../place/document/place-document.ts";
import { shownProminence } from "../place/document/prominence.ts";
import type { CustomCondition } from "../place/document/own-fields.ts";
import type { StoredVocabulary } from "./stored-vocabulary.ts";
import type { WordPairs } from "./word-pairs.ts";

/** A folded word, or several of which one is enough: what was typed, and what it may be a typo of. */
export type WordForms = string | readonly string[];

/** The forms of a word. */
export const formsOf = (word: WordForms): readonly string[] => (typeof word === "string" ? [word] : word);

/**
 * Which places match. All given fields must match, but of `names`, `nameWords` and `wordSets` one is enough. An absent field
 * matches every place.
 */
export interface PlaceFilter {
  /** H3 cells: the place lies in one of them. */
  readonly cells?: readonly string[];
  /** Lists of cells: the place also lies in one of each. */
  readonly within?: readonly (readonly string[])[];
  /** The place lies in this rectangle, or at its edge. Costs the engine some milliseconds in a large index; cells cost less. */
  readonly bounds?: Bounds;
  /** Ids of areas (src/place/geometry/areas): the place lies in one of them. */
  readonly areas?: readonly string[];
  /** Type codes: the place has one of them. */
  readonly types?: readonly string[];
  /** Names folded and without spaces: the place has one of them, or meets one of the next two. */
  readonly names?: readonly string[];
  /** Folded words: the names of the place hold all of them. An alternative to `names`. */
  readonly nameWords?: readonly WordForms[];
  /** Sets of folded words: names, type and address of the place hold all words of one set. An alternative to `names`. */
  readonly wordSets?: readonly (readonly WordForms[])[];
  /** Parts of the week (`slotsAt`) and special days: the place may be open in one of them. */
  readonly openSlots?: readonly string[];
  readonly specialDates?: readonly string[];
  /** The hours of the place are others than usual on one of these dates. */
  readonly special?: readonly string[];
  /** Hours and how busy a place is then (`busySlotsAt`): the place may be so in one of them. */
  readonly busySlots?: readonly string[];
  /** Also in this rectangle. Its edges lie less than a millimetre further out. */
  readonly inside?: Bounds;
  readonly minRating?: number;
  /** The upper end of the price range is known and at most this. */
  readonly maxPrice?: number;
  /** Conditions on declared fields of the data team, all of which must hold. */
  readonly custom?: readonly CustomCondition[];
  /** The place has one of these phones or websites (`contactKeys`). */
  readonly contacts?: readonly string[];
  /** The place matches one of these filters. */
  readonly anyOf?: readonly PlaceFilter[];
  /** The place matches none of these. */
  readonly noneOf?: readonly PlaceFilter[];
  /** The first letters, at most `MAX_NAME_BEGINNING`, of a name, folded and without spaces. */
  readonly nameBeginning?: string;
  /** The first letters, at most `MAX_WORD_BEGINNING`, of any word of a name, folded. */
  readonly wordBeginning?: string;
}

/** One query to the engine. Without text the most prominent places come first. */
export interface PlaceLookup {
  readonly filter: PlaceFilter;
  /** A name folded and without spaces: finds names equal to it, beginning with it, or one or two typos away. */
  readonly joinedName?: string;
  /** The order of the places; by prominence when absent. */
  readonly order?: LookupOrder;
  /** 0 only counts the matches, which costs almost nothing. */
  readonly limit: number;
  /** Places come without names and address: enough to say which lie where, in a quarter of the bytes. */
  readonly withoutNames?: boolean;
}

/**
 * Nearest first: exact but for places within a metre of each other. With 1,000 matches or more the engine reads the positions
 * of all places of the index. Best rating first: then most reviews, then by id. Most prominent first (`shownProminence`): then by id.
 */
export type LookupOrder =
  | { readonly by: "distance"; readonly from: Coordinates }
  | { readonly by: "rating" }
  | { readonly by: "prominence" };

/** How the engine sorts by rating and by prominence. */
export const compareBy = (
  by: "rating" | "prominence",
  one: PlaceCandidate,
  other: PlaceCandidate,
): number => {
  const difference =
    by === "rating"
      ? other.rating - one.rating || other.reviews - one.reviews
      : shownProminence(other.prominence) - shownProminence(one.prominence);
  return difference || (one.id < other.id ? -1 : 1);
};

/**
 * Beginnings of names and words are looked up to these lengths. Few names share their first six letters; of a word three are
 * enough, next to the words before it.
 */
export const MAX_NAME_BEGINNING = 6;
export const MAX_WORD_BEGINNING = 3;

/**
 * The lengths of which an index stores the beginnings of names. Those of three to five letters are put together from the few of six
 * letters that begin so; that takes too long for one letter or two, which begin thousands.
 */
export const NAME_BEGINNINGS: readonly number[] = [1, 2, MAX_NAME_BEGINNING];

/** What ranking needs of a place. The rest is read for the places of the page only (`readSummaries`). */
export interface PlaceCandidate {
  readonly id: string;
  readonly title: string;
  /** Title and other names, folded (`fold`). */
  readonly foldedNames: readonly string[];
  /** The labels of the type and the address, folded. */
  readonly foldedRest: string;
  readonly type: string;
  readonly location: Coordinates;
  readonly prominence: number;
  readonly rating: number;
  readonly reviews: number;
}

/** A place as a lookup found it: its location says where it is stored. */
export type FoundPlace = Pick<PlaceCandidate, "id" | "location">;

/** What one lookup found. */
export interface LookupResult {
  readonly places: readonly PlaceCandidate[];
  /** Number of all matches: exact without text, an estimate with text. */
  readonly total: number;
}

/** The engines of an index that is divided among several, and its partitions. */
export interface DivisionState {
  readonly engines: readonly { readonly name: string; readonly isUp: boolean }[];
  readonly partitions: readonly PartitionState[];
}

/** The numbers of the partitions that no engine can read. */
export const lostIn = ({ partitions }: DivisionState): number[] =>
  partitions
    .filter(({ replicas }) => !replicas.some(({ state }) => state === "current"))
    .map(({ number }) => number);

/** How many replicas on engines that respond are missing or have missed writes. */
export const countBehind = ({ partitions }: DivisionState): number =>
  partitions
    .flatMap(({ replicas }) => replicas)
    .filter(({ state }) => state === "missing" || state === "stale").length;

interface PartitionState {
  readonly number: number;
  /** Without one that is current, the partition is lost. */
  readonly replicas: readonly { readonly engine: string; readonly state: ReplicaState }[];
}

/** `stale`: it has missed writes, or still works on them. `missing`: the engine responds and does not have it whole. */
export type ReplicaState = "current" | "stale" | "missing" | "down";

/** Whether the index can be searched, and if not, why. */
export type IndexState =
  | {
      readonly state: "ready";
      readonly places: number;
      readonly builtAt: string;
      readonly division?: DivisionState;
    }
  | { readonly state: "missing" | "unreachable" }
  /** The engine cannot read its data, or was not started on it. */
  | { readonly state: "damaged"; readonly engine: "up" | "down" }
  | { readonly state: "wrong_version"; readonly found: string; readonly wanted: string };

/** How a search reads places. */
interface PlaceReader {
  /** One round trip; the results are in the order of the lookups. `signal` ends the wait for them. */
  findPlaces(lookups: readonly PlaceLookup[], signal: AbortSignal): Promise<LookupResult[]>;
  /** The summaries of candidates by their ids, with the named extras, without those that were deleted since they were found. */
  readSummaries(
    places: readonly FoundPlace[],
    signal: AbortSignal,
    extras?: readonly PlaceExtra[],
  ): Promise<ReadonlyMap<string, PlaceSummaryDocument>>;
}

/** How one request reads places: all of it from the same import, whatever is imported meanwhile. */
export interface PinnedReader extends PlaceReader {
  /** The numbers of partitions that might hold a match and could not be asked so far; none with one engine. */
  missingPartitions(): readonly number[];
}

/** The places as the server reads them. Every method but `readState` and `warmUp` rejects with `engine_unavailable` on failure. */
export interface PlaceIndex extends PlaceReader {
  /** For one request, around this point: without the places there it has no response. */
  pin(centre?: Coordinates): PinnedReader;
  /** `dataId` in its canonical form; `undefined` when no place has it. `signal` ends the wait. */
  getPlace(dataId: string, signal?: AbortSignal): Promise<StoredPlace | undefined>;
  /** The places with these data ids, each as `getPlace` returns it and in the order of the ids. */
  getPlaces(dataIds: readonly string[], signal?: AbortSignal): Promise<(StoredPlace | undefined)[]>;
  /** Takes up to some seconds: too long for a request to wait. */
  readCensus(): Promise<Census>;
  /** The areas and words that came with the import; `undefined` when none did. */
  readVocabulary(): Promise<StoredVocabulary | undefined>;
  /** The words that were added since the import, as rows of a vocabulary file; empty without any. */
  readWords(): Promise<string>;
  readState(): Promise<IndexState>;
  /** The size of all documents, and about so many places from all over the index. Takes longer than a request of a caller may. */
  readSample(size: number): Promise<IndexSample>;
  /** Makes the engine load its dictionaries, so that the first caller does not wait for that. Never rejects. */
  warmUp(): Promise<void>;
  close(): Promise<void>;
}

/** A look at what an index holds. */
export interface IndexSample {
  readonly documentBytes: number;
  readonly places: readonly PlaceDocument[];
}

/** Counts of all places of an index. */
export interface Census {
  /** Whether every partition was counted. */
  readonly isWhole: boolean;
  readonly places: number;
  readonly density: Density;
  /** Number of places of each type code, without the types under it. */
  readonly types: ReadonlyMap<string, number>;
  readonly timezones: readonly string[];
  /** How many places have each word in a name, and in an address. */
  readonly words: {
    readonly inNames: Readonly<Record<string, number>>;
    readonly inAddresses: Readonly<Record<string, number>>;
    readonly pairs: WordPairs;
  };
}

/** How many places lie in an H3 cell, for every resolution of `CELL_RESOLUTIONS`. */
export interface Density {
  /** 0 for a cell without places. */
  placesIn(cell: string): number;
  /** All cells that have places and their counts, sorted by cell. */
  entries(): Iterable<readonly [string, number]>;
}

/** Cells of our resolutions differ in their first digits only. These are 48 bits, which a number holds exactly. */
const SIGNIFICANT_DIGITS = 12;

/** The digits after them. */
const LAST_DIGITS = "fff";

const keyOf = (cell: string): number => Number.parseInt(cell.slice(0, SIGNIFICANT_DIGITS), 16);

/**
 * Stores the counts of cells. For some hundred thousand cells, two sorted arrays of numbers take 12 bytes each; a Map of cell
 * names took about 100.
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

/** The position of a key in sorted keys, or where it would be. */
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
