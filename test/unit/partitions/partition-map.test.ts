import { cellToChildren, cellToParent, gridDisk, latLngToCell } from "h3-js";
import { describe, expect, it } from "vitest";
import { cellsOf } from "../../../src/place/geometry/cells.ts";
import { createRandom } from "../../support/random.ts";
import {
  cellNumber,
  cellRange,
  createPartitionFinder,
  partitionOf,
} from "../../../src/partitions/partition-map.ts";

const SAIGON = { latitude: 10.7769, longitude: 106.7009 };
const finest = latLngToCell(SAIGON.latitude, SAIGON.longitude, 9);

describe("the numbers of cells", () => {
  it("number a point as its finest cell", () => {
    expect(cellRange(finest)).toEqual([cellNumber(SAIGON), cellNumber(SAIGON)]);
  });

  it.each([4, 5, 6, 7, 8])("keep the cells inside a cell of resolution %i together", (resolution) => {
    const parent = cellToParent(finest, resolution);
    const [first, last] = cellRange(parent);
    const inside = cellToChildren(parent, Math.min(9, resolution + 3)).map(cellRange);
    expect(inside.every(([from, to]) => from >= first && to <= last)).toBe(true);
    const outside = gridDisk(parent, 2)
      .filter((cell) => cell !== parent)
      .map(cellRange);
    expect(outside.every(([from, to]) => to < first || from > last)).toBe(true);
  });

  it("differ for the base cells of the world", () => {
    const numbers = Array.from({ length: 500 }, (_, index) =>
      cellNumber({ latitude: -85 + (index % 25) * 7, longitude: -175 + Math.floor(index / 25) * 17 }),
    );
    expect(new Set(numbers).size).toBe(500);
  });
});

describe("partitions", () => {
  const number = cellNumber(SAIGON);
  const partitions = [{ first_cell: 0 }, { first_cell: number }, { first_cell: number + 1 }];

  it("hold their first cell and all up to the first cell of the next one", () => {
    expect([number - 1, number, number + 1, 2 ** 34].map((one) => partitionOf(partitions, one))).toEqual([
      0, 1, 2, 2,
    ]);
  });

  it("are found by cells, coarse ones on both sides of a border", () => {
    const { ofCells } = createPartitionFinder(partitions);
    expect(ofCells([finest])).toEqual([1]);
    expect(ofCells([cellToParent(finest, 5)])).toEqual([0, 1, 2]);
    expect(ofCells([])).toEqual([]);
  });

  it("are found by every cell of every place that they hold, though hexagons do not nest", () => {
    const random = createRandom(15);
    const points = Array.from({ length: 3_000 }, () => ({
      latitude: (Math.asin(2 * random.fraction() - 1) * 180) / Math.PI,
      longitude: 360 * random.fraction() - 180,
    }));
    const missed = points.filter((point) => {
      const own = cellNumber(point);
      // A partition of this one cell: the most that borders can separate.
      const { ofCells } = createPartitionFinder([
        { first_cell: 0 },
        { first_cell: own },
        { first_cell: own + 1 },
      ]);
      return cellsOf(point).some((cell) => !ofCells([cell]).includes(1));
    });
    expect(missed).toEqual([]);
  });
});
