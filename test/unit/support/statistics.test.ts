import { describe, expect, test } from "vitest";
import {
  type Sample,
  estimateMean,
  estimateShare,
  fitSlope,
  median,
  percentile,
} from "../../support/statistics.ts";
import * as fc from "fast-check";
import { createRandom } from "../../support/random.ts";

describe("a share of cases", () => {
  // By the formula; at the ends it is n / (n + z²) and z² / (n + z²).
  test.each([
    [400, 400, 0.9905, 1],
    [0, 20, 0, 0.1611],
    [90, 100, 0.8256, 0.9448],
  ])("of %i in %i has Wilson's interval", (right, cases, low, high) => {
    const estimate = estimateShare(Array.from({ length: cases }, (_, number) => number < right));
    expect(estimate.value).toBeCloseTo(right / cases, 10);
    expect(estimate.low).toBeCloseTo(low, 3);
    expect(estimate.high).toBeCloseTo(high, 3);
  });

  test("of no cases is unknown", () => {
    expect(estimateShare([])).toEqual({ value: Number.NaN, low: 0, high: 1 });
  });
});

describe("a mean", () => {
  test("has the interval of the normal approximation", () => {
    const estimate = estimateMean(Array.from({ length: 100 }, (_, number) => number % 2));
    // s = √(100/99 × 1/4) = .5025, 1.96 × s / 10 = .0985
    expect(estimate.value).toBeCloseTo(0.5, 10);
    expect(estimate.low).toBeCloseTo(0.4015, 3);
    expect(estimate.high).toBeCloseTo(0.5985, 3);
  });

  test("of one case may be anything", () => {
    expect(estimateMean([1])).toEqual({ value: 1, low: 0, high: 1 });
  });
});

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

/** One sample a second. */
const samplesOf = (count: number, valueAt: (second: number) => number): Sample[] =>
  Array.from({ length: count }, (_, second) => ({ atMs: second * 1_000, value: valueAt(second) }));

test("too few samples tell nothing", () => {
  expect(fitSlope(samplesOf(7, (second) => second))).toBeUndefined();
});

test("samples of one moment tell nothing", () => {
  expect(fitSlope(Array.from({ length: 20 }, (_, value) => ({ atMs: 5, value })))).toBeUndefined();
});

test("a straight line is found exactly", () => {
  const slope = fitSlope(samplesOf(60, (second) => 100 + second / 10));
  expect(slope?.perMinute).toBeCloseTo(6);
  expect(slope?.plusMinus).toBeCloseTo(0);
});

test("what only goes up and down is not taken for growth", () => {
  const random = createRandom(1);
  const slope = fitSlope(samplesOf(120, () => 100 + 20 * random.fraction()));
  expect(Math.abs(slope!.perMinute)).toBeLessThan(slope!.plusMinus);
});

test("growth under a saw of collections is still seen", () => {
  const slope = fitSlope(samplesOf(600, (second) => 100 + second / 6 + (second % 20)));
  expect(slope!.perMinute - slope!.plusMinus).toBeGreaterThan(5);
});
