import { describe, expect, test } from "vitest";
import { cutIntoPartitions } from "../../../indexer/index/borders.ts";
import { createMovedPlaces } from "../../../indexer/index/moved-places.ts";
import { partitionOf } from "../../../src/partitions/partition-map.ts";

/** How many places each partition gets. */
function countPlaces(cells: readonly (readonly [number, number])[], partitions: number): number[] {
  const first = cutIntoPartitions(cells, partitions).map((first_cell) => ({ first_cell }));
  const counts = first.map(() => 0);
  for (const [number, places] of cells) counts[partitionOf(first, number)]! += places;
  return counts;
}

describe("borders of partitions", () => {
  test("without places divide the world evenly", () => {
    const first = cutIntoPartitions([], 4);
    expect(first[0]).toBe(0);
    expect(first[2]).toBe(2 * first[1]!);
  });

  test("give each partition equally many places within a tenth, however unevenly they lie", () => {
    const cells = Array.from({ length: 1_000 }, (_, index) => [index * index, 1 + (index % 3)] as const);
    const counts = countPlaces(cells, 8);
    expect(counts).toHaveLength(8);
    for (const count of counts) expect(Math.abs(count - 1_999 / 8)).toBeLessThan((2 * 0.1 * 1_999) / 8 + 3);
  });

  test("lie between coarse cells, unless that makes a partition much larger than another", () => {
    const elsewhere = 8 ** 5;
    const twoTowns = (near: number, far: number) => [
      ...Array.from({ length: near }, (_, index) => [index, 1] as const),
      ...Array.from({ length: far }, (_, index) => [elsewhere + index, 1] as const),
    ];
    expect(cutIntoPartitions(twoTowns(108, 92), 2)).toEqual([0, elsewhere]);
    expect(cutIntoPartitions(twoTowns(92, 108), 2)).toEqual([0, elsewhere]);
    expect(cutIntoPartitions(twoTowns(130, 70), 2)[1]).toBeLessThan(elsewhere);
  });

  test("never cut a cell, so a partition may be empty", () => {
    expect(countPlaces([[5, 1_000]], 3)).toEqual([1_000, 0, 0]);
    expect(
      countPlaces(
        [
          [5, 1],
          [6, 1_000],
          [7, 1],
        ],
        2,
      ),
    ).toSatisfy((counts: number[]) => counts.includes(1));
  });

  test("rise from the first partition, which begins at zero, to the last", () => {
    for (const cells of [
      [],
      [[5, 1]],
      [
        [0, 9],
        [1, 1],
      ],
    ] as const) {
      const first = cutIntoPartitions(cells, 5);
      expect(first[0]).toBe(0);
      expect(first).toEqual([...new Set(first)].toSorted((one, other) => one - other));
    }
  });
});

describe("places that the input has twice", () => {
  test("are found when the records lie in different partitions, with the partition of the last", () => {
    const moved = createMovedPlaces(100);
    for (const partition of [0, 0, 2, 1]) moved.meet("0xa", partition);
    moved.meet("0xb", 3);
    moved.meet("0xb", 3);
    expect(moved.take()).toEqual(new Map([["0xa", 1]]));
    expect(moved.take().size).toBe(0);
  });

  test("are rarely suspected by mistake", () => {
    const moved = createMovedPlaces(100_000);
    for (let place = 0; place < 100_000; place += 1) moved.meet(`0x${place.toString(16)}`, place % 8);
    expect(moved.take().size).toBeLessThan(500);
  });
});
