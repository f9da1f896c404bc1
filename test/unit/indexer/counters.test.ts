import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createDistinctCounter, createSample } from "../../../indexer/import/fill-index.ts";
import { allowedRejections } from "../../../indexer/clean/rejects.ts";

const range = (length: number): number[] => Array.from({ length }, (_, index) => index);

describe("createDistinctCounter", () => {
  test.each([0, 1, 100, 5_000, 20_000, 100_000])(
    "%i different texts are estimated within five percent",
    (count) => {
      const counter = createDistinctCounter();
      for (const index of range(count)) counter.add(`0x${index.toString(16)}`);
      expect(Math.abs(counter.estimate() - count)).toBeLessThanOrEqual(count * 0.05);
    },
  );

  test("repeats count once", () => {
    const counter = createDistinctCounter();
    for (const index of range(10_000)) counter.add(String(index % 10));
    expect(Math.round(counter.estimate())).toBe(10);
  });
});

describe("createSample", () => {
  test("it stays small and is spread over the stream", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 1, max: 40 }), (length, maxSize) => {
        const sample = createSample<number>(maxSize);
        for (const value of range(length)) sample.add(value);
        const values = sample.values();
        expect(values.length).toBeLessThanOrEqual(maxSize);
        expect(values.length).toBeGreaterThanOrEqual(Math.min(length, Math.floor(maxSize / 2)));
        expect(values[0]).toBe(length === 0 ? undefined : 0);
        const widestGap = Math.max(0, ...values.map((value, index) => (values[index + 1] ?? length) - value));
        expect(widestGap).toBeLessThanOrEqual(Math.max(1, (4 * length) / maxSize));
      }),
    );
  });
});

describe("allowedRejections", () => {
  test.each([
    [1_000_000, 1, 10_000],
    [5_000, 1, 50],
    [100, 1, 10],
    [12, 1, 6],
    [1, 1, 0],
    [0, 1, 0],
    [1_000_000, 0, 0],
    [100, 100, 100],
    [100_000, 0.1, 100],
  ])("of %i records at %d percent %i may be invalid", (read, percent, allowed) => {
    expect(allowedRejections(read, percent)).toBe(allowed);
  });
});
