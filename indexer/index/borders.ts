import { readCounts, readSample, toCensus } from "../../src/meilisearch/read-index.ts";
import type { IndexConnection } from "../../src/meilisearch/connection.ts";
import { cellRange } from "../../src/partitions/partition-map.ts";
import type { Topology } from "../../src/partitions/topology.ts";
import { connectGeneration } from "./connect-generation.ts";
import { createReplicaChoice } from "./read-partitions.ts";
import { readMap } from "./store-map.ts";

/** Where places are: the numbers of finest cells (`cellNumber`), in order, each with how many places it has or stands for. */
export type CellCounts = readonly (readonly [number: number, places: number])[];

/** What decides on the borders of partitions. */
export interface Borders {
  readonly cells: CellCounts;
  /** About how many places there are. */
  readonly places: number;
}

/** Base cells have seven bits, and nine digits of three bits follow them. */
const CELL_NUMBERS = 2 ** 34;

/**
 * How far a border may lie from where all partitions would hold equally many places, as a part of a partition. With a million demo places
 * in three partitions, the 60,000 places around a caller then lie in 1.38 of them on average instead of 1.52; with 20 % it is hardly less.
 */
const TOLERANCE = 0.1;

/**
 * The first cells of partitions that hold about equally many places, as far as whole cells allow. A border lies between coarse cells if it
 * can, since it then rather passes by a town than through it. Partitions beyond the number of cells that have places stay empty.
 */
export function cutIntoPartitions(cells: CellCounts, partitions: number): number[] {
  const total = cells.reduce((sum, [, places]) => sum + places, 0);
  if (total === 0)
    return Array.from({ length: partitions }, (_, index) => Math.floor((index * CELL_NUMBERS) / partitions));
  const share = total / partitions;
  const first = [0];
  let best: { readonly number: number; readonly resolution: number; readonly misses: number } | undefined;
  let before = 0;
  let last = 0;
  for (const [number, places] of cells) {
    const misses = Math.abs(before - first.length * share);
    if (first.length < partitions && before > 0 && misses <= TOLERANCE * share) {
      const resolution = resolutionBetween(last, number);
      const isBetter =
        best === undefined ||
        resolution < best.resolution ||
        (resolution === best.resolution && misses < best.misses);
      if (isBetter) best = { number, resolution, misses };
    }
    // The border that leaves the partition nearer to its share, before this cell or after it, where none is near enough.
    const isNearest = before + places / 2 > first.length * share;
    const isLast = before + places > (first.length + TOLERANCE) * share;
    if (first.length < partitions && before > 0 && (best ? isLast : isNearest)) {
      first.push(best?.number ?? number);
      best = undefined;
    }
    before += places;
    last = number;
  }
  while (first.length < partitions) first.push(Math.max(cells.at(-1)?.[0] ?? 0, first.at(-1)!) + 1);
  return first;
}

/** The resolution of the coarsest cells that two finest cells, by their numbers, do not have in common. */
function resolutionBetween(one: number, other: number): number {
  let resolution = FINEST_RESOLUTION;
  let [a, b] = [one, other];
  while (resolution > 0 && Math.floor(a / CHILDREN) !== Math.floor(b / CHILDREN)) {
    [a, b] = [Math.floor(a / CHILDREN), Math.floor(b / CHILDREN)];
    resolution -= 1;
  }
  return resolution;
}

const FINEST_RESOLUTION = 9;
/** Each digit of a cell has three bits. */
const CHILDREN = 8;

/** Where the places of the live index are. `undefined` where there is none, and for the demo's, which says nothing of other places. */
export async function readLastBorders(topology: Topology): Promise<Borders | undefined> {
  const map = await readMap(topology);
  if (map === undefined) return undefined;
  const connected = connectGeneration(topology, map.live);
  try {
    const choice = createReplicaChoice(connected);
    const replicas = await Promise.all(
      connected.partitions.keys().map((partition) => choice.firstOf(partition)),
    );
    const partitions = replicas.map(({ connection }) => connection);
    return (await areDemo(partitions)) ? undefined : await readBordersOf(partitions);
  } finally {
    await connected.close();
  }
}

/** Demo places name their source. Enough to tell them from others. */
const SAMPLE = 50;

async function areDemo(partitions: readonly IndexConnection[]): Promise<boolean> {
  const samples = await Promise.all(partitions.map((partition) => readSample(partition, SAMPLE)));
  return samples.flatMap(({ places }) => places).every(({ source }) => source === "demo");
}

async function readBordersOf(partitions: readonly IndexConnection[]): Promise<Borders> {
  const { density, places } = toCensus(await Promise.all(partitions.map(readCounts)));
  const cells = [...density.entries()]
    // The second digit of a cell's name is its resolution.
    .filter(([cell]) => cell[1] === String(FINEST_RESOLUTION))
    .map(([cell, count]) => [cellRange(cell)[0], count] as const)
    .toSorted(([one], [other]) => one - other);
  return { cells, places };
}
