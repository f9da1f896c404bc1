import { expect, test } from "vitest";
import { createRandom } from "../../bench/queries/random.ts";
import { fitSlope, type Sample } from "../../soak/measure/slope.ts";

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
