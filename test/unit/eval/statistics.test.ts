import { describe, expect, test } from "vitest";
import { estimateMean, estimateShare } from "../../eval/statistics.ts";

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
