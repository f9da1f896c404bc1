import { expect, test } from "vitest";
import { withFewCells, type Overview } from "../../../src/search/overview.ts";

type Level = Overview["levels"][number];

const levelOf = (cells: number): Level =>
  Array.from({ length: cells }, (_, cell) => ({ outline: [cell, cell], places: cell + 1 }));

const overviewOf = (...sizes: number[]): Overview => ({ places: 9, types: [], levels: sizes.map(levelOf) });

test("for a map that draws no cells, the fine ones are left out but for the densest", () => {
  const { levels } = withFewCells(overviewOf(2_000, 700, 90, 8));
  expect(levels).toEqual([[{ outline: [1_999, 1_999], places: 2_000 }], levelOf(90), levelOf(8)]);
});

test("an overview of few cells stays as it is", () => {
  const overview = overviewOf(400, 90);
  expect(withFewCells(overview)).toBe(overview);
  expect(withFewCells(overviewOf())).toEqual(overviewOf());
});
