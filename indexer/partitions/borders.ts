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
 * The first cells of partitions that hold equally many places, as far as whole cells allow. Partitions beyond the number of cells
 * that have places stay empty.
 */
export function cutIntoPartitions(cells: CellCounts, partitions: number): number[] {
  const total = cells.reduce((sum, [, places]) => sum + places, 0);
  if (total === 0)
    return Array.from({ length: partitions }, (_, index) => Math.floor((index * CELL_NUMBERS) / partitions));
  const first = [0];
  let before = 0;
  for (const [number, places] of cells) {
    // The border that leaves the partition nearer to its share: before this cell or after it.
    const wanted = (first.length * total) / partitions;
    if (first.length < partitions && before > 0 && before + places / 2 > wanted) first.push(number);
    before += places;
  }
  while (first.length < partitions) first.push(Math.max(cells.at(-1)?.[0] ?? 0, first.at(-1)!) + 1);
  return first;
}
