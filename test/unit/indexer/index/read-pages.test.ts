import { expect, test } from "vitest";
import { spreadNumbers, spreadPages } from "../../../../src/meilisearch/read-index.ts";

test("an index that is no larger than the sample is read as a whole", () => {
  expect(spreadPages(0, 10)).toEqual([]);
  expect(spreadPages(11, 10)).toEqual([{ offset: 0, limit: 11 }]);
});

test.each([12, 100, 12_345_678])(
  "of %i documents some are read from everywhere, none beyond the end",
  (documents) => {
    const pages = spreadPages(documents, 10);
    expect(pages).toHaveLength(5);
    for (const [spot, { offset, limit }] of pages.entries()) {
      expect(offset).toBeGreaterThanOrEqual(Math.floor((spot * documents) / 5) - 1);
      expect(offset + limit).toBeLessThanOrEqual(documents);
    }
  },
);

test("the sampled numbers follow no period", () => {
  const numbers = spreadNumbers(1_000, 100);
  expect(new Set(numbers).size).toBe(100);
  for (const period of [2, 5, 10]) {
    const inStep = numbers.filter((number) => number % period === 0).length;
    expect(inStep).toBeGreaterThan(50 / period);
    expect(inStep).toBeLessThan(150 / period);
  }
});
