import { describe, expect, test } from "vitest";
import { cellsAround, cellsOf } from "../../../src/place/geometry/cells.ts";
import { createDensity } from "../../../src/meilisearch/place-index.ts";

const HANOI = { latitude: 21.0285, longitude: 105.8542 };

describe("the density", () => {
  test("tells the places of every cell it was given, neighbours and sizes apart", () => {
    const cells = [...cellsAround(HANOI, 9, 3), ...cellsAround(HANOI, 8, 3), ...cellsAround(HANOI, 4, 3)];
    const counts = Object.fromEntries(cells.map((cell, index) => [cell, index + 1]));
    const density = createDensity(counts);
    expect(cells.map((cell) => density.placesIn(cell))).toStrictEqual(cells.map((_, index) => index + 1));
    expect(Object.fromEntries(density.entries())).toStrictEqual(counts);
  });

  test("of a cell without places is none", () => {
    const [first = "", ...others] = cellsOf(HANOI);
    const density = createDensity({ [first]: 7 });
    expect(others.map((cell) => density.placesIn(cell))).toStrictEqual([0, 0, 0, 0, 0]);
    expect(createDensity({}).placesIn(first)).toBe(0);
  });
});
