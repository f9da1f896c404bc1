import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { median, percentile } from "../../bench/measure/percentiles.ts";

describe("percentile", () => {
  test("of no values there is none", () => {
    expect(percentile([], 0.5)).toBeUndefined();
  });

  test.each([
    [0.5, 50],
    [0.95, 95],
    [0.99, 99],
    [0.991, 100],
    [1, 100],
    [0, 1],
  ])("the share %d of 1 … 100 does not exceed %d", (share, expected) => {
    const oneToHundred = Array.from({ length: 100 }, (_, index) => index + 1);
    expect(percentile(oneToHundred, share)).toBe(expected);
  });

  test("at least that share of the values does not exceed it", () => {
    const lists = fc.array(fc.float({ noNaN: true }), { minLength: 1 });
    const shares = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(lists, shares, (values, share) => {
        const ascending = values.toSorted((a, b) => a - b);
        const found = percentile(ascending, share)!;
        const within = values.filter((value) => value <= found);
        expect(within.length).toBeGreaterThanOrEqual(share * values.length);
      }),
    );
  });
});

describe("median", () => {
  test("of no values it is not a number", () => {
    expect(median([])).toBeNaN();
  });

  test.each([
    [[3, 1, 2], 2],
    [[4, 1, 3, 2], 2.5],
    [[Number.NaN, 7], 7],
  ])("of %j it is %d", (values, expected) => {
    expect(median(values)).toBe(expected);
  });
});
