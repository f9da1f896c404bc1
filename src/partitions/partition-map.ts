import { cellToCenterChild, gridDisk } from "h3-js";
import * as v from "valibot";
import { cellsOf } from "../place/geometry/cells.ts";
import type { Coordinates } from "../place/geometry/coordinates.ts";
import { memoize } from "../place/text/memoize.ts";

/**
 * Which part of the world each partition holds. Cells of the finest resolution that is indexed are numbered so that the cells
 * inside a coarser one follow each other (the order of H3 indexes). A partition holds a range of these numbers, so neighbours
 * mostly share a partition, and a place near a border is found from both sides because a lookup names the cells around it.
 */

const partitionSchema = v.strictObject({
  /** The number (`cellNumber`) of its first cell; 0 for the first partition. The next partition begins where it ends. */
  first_cell: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** The names of the engines that hold it. */
  engines: v.pipe(v.array(v.string()), v.minLength(1)),
  /**
   * Those of them that missed changes, while others took them. They are neither read nor written to until they have caught up, even
   * if all others are away.
   */
  behind: v.optional(v.array(v.string())),
});

const generationSchema = v.strictObject({
  /**
   * Part of the names of the indexes: `places_mb3k2f_0` is the first partition of generation `mb3k2f`. Empty for the index `places`
   * that one engine had before there was a map.
   */
  generation: v.pipe(v.string(), v.regex(/^[0-9a-z]*$/)),
  /** The version of the form of the indexes (`INDEX_VERSION`). */
  index_version: v.string(),
  /** When the import that built it began; ISO 8601. */
  built_at: v.string(),
  partitions: v.pipe(v.array(partitionSchema), v.minLength(1)),
});

/** The partitions that one import built. */
export type Generation = v.InferOutput<typeof generationSchema>;

/**
 * Says which generation is live. It is stored in every engine, in an index that holds nothing else, and written last by an import:
 * servers switch with it. The one with the highest sequence counts.
 */
export const partitionMapSchema = v.strictObject({
  /** Grows with every import and rollback. 0 before the first map was stored. */
  sequence: v.pipe(v.number(), v.integer(), v.minValue(0)),
  live: generationSchema,
  /** The one that was live before, for `rollback`. */
  previous: v.optional(generationSchema),
});

export type PartitionMap = v.InferOutput<typeof partitionMapSchema>;

/** The name of the index of a partition, the same on each of its engines. */
export const partitionUid = (prefix: string, generation: string, partition: number): string =>
  isNamed(generation) ? `${prefix}_${generation}_${partition}` : prefix;

/** Whether a generation has a name. The writes of one without were not counted. */
export const isNamed = (generation: string): boolean => generation !== "";

/** The index that holds the partition map. */
export const mapUid = (prefix: string): string => `${prefix}_map`;

/** The nine hexadecimal digits of a cell's name after those of mode and resolution: base cell and nine digits of three bits. */
const NUMBER_DIGITS = [2, 11] as const;
const FINEST_RESOLUTION = 9;
const BITS_PER_DIGIT = 3;
/** The last hexadecimal digit has two bits of a tenth digit. */
const LEFT_OUT = 4;

/** The number of the last finest cell inside a cell, in which all digits that it does not use are at their highest. */
const lastCellIn = (cell: string): number =>
  Math.floor(Number.parseInt(cell.slice(...NUMBER_DIGITS), 16) / LEFT_OUT);

const resolutionOf = (cell: string): number => Number.parseInt(cell[1] ?? "", 16);

/**
 * The first and the last number of the finest cells inside a cell of resolution 0 to 9.
 */
export function cellRange(cell: string): readonly [first: number, last: number] {
  const last = lastCellIn(cell);
  const cells = 2 ** (BITS_PER_DIGIT * (FINEST_RESOLUTION - resolutionOf(cell)));
  return [last - (last % cells), last];
}

/** The number of the finest cell that holds the point. */
export const cellNumber = (point: Coordinates): number => cellRange(cellsOf(point).at(-1) ?? "")[0];

type Partitions = readonly { readonly first_cell: number }[];

/** Finds the partitions of a generation by place. */
export interface PartitionFinder {
  /** The number of the partition that holds a point. */
  readonly ofPoint: (point: Coordinates) => number;
  /** The numbers of all partitions that may hold a place in one of the cells, in order. */
  readonly ofCells: (cells: readonly string[]) => readonly number[];
}

export function createPartitionFinder(partitions: Partitions): PartitionFinder {
  const partitionsOfCell = memoize((cell: string): readonly number[] => {
    const found = coveringCells(cell).flatMap((inner) => between(partitions, cellRange(inner)));
    return [...new Set(found)];
  });
  // The lookups of a search name the same few rings again and again.
  const known = new WeakMap<readonly string[], readonly number[]>();
  const find = (cells: readonly string[]): readonly number[] =>
    [...new Set(cells.flatMap(partitionsOfCell))].toSorted((one, other) => one - other);
  return {
    ofPoint: (point) => (partitions.length === 1 ? 0 : partitionOf(partitions, cellNumber(point))),
    ofCells: (cells) => (partitions.length === 1 ? [0] : known.getOrInsertComputed(cells, () => find(cells))),
  };
}

/**
 * Cells whose finest cells hold every point of a cell. Hexagons do not nest: a point near the edge of a cell may lie in a finest
 * cell that belongs to its neighbour. The cells around the middle, one resolution finer, reach beyond the edge on all sides.
 */
function coveringCells(cell: string): string[] {
  const resolution = resolutionOf(cell);
  if (resolution === FINEST_RESOLUTION) return [cell];
  return gridDisk(cellToCenterChild(cell, resolution + 1), COVERING_STEPS);
}

/** The seven cells inside and the twelve around them. */
const COVERING_STEPS = 2;

function between(partitions: Partitions, [first, last]: readonly [number, number]): number[] {
  const from = partitionOf(partitions, first);
  return Array.from({ length: partitionOf(partitions, last) - from + 1 }, (_, index) => from + index);
}

/** The number of the partition that holds a cell number. */
export function partitionOf(partitions: Partitions, number: number): number {
  let from = 0;
  let to = partitions.length;
  while (to - from > 1) {
    const middle = (from + to) >>> 1;
    if (partitions[middle]!.first_cell <= number) from = middle;
    else to = middle;
  }
  return from;
}
