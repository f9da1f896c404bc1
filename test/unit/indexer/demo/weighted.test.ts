import { describe, expect, test } from "vitest";
import { createRandom } from "../../../../indexer/demo/random.ts";
import { createWeightedPick, drawFromQuantiles } from "../../../../indexer/demo/weighted.ts";

describe("a weighted draw", () => {
  test("refuses a list in which nothing weighs anything", () => {
    expect(() => createWeightedPick(["a", "b"], () => 0)).toThrow("every weight is 0");
    expect(() => createWeightedPick([], () => 1)).toThrow("every weight is 0");
  });

  test("never draws what weighs nothing and draws the rest by its weight", () => {
    const pick = createWeightedPick(["never", "seldom", "often", "never again"], (item) =>
      item.startsWith("never") ? 0 : item === "often" ? 9 : 1,
    );
    const random = createRandom(1);
    const draws = Array.from({ length: 5000 }, () => pick(random));
    expect(new Set(draws)).toEqual(new Set(["seldom", "often"]));
    expect(draws.filter((draw) => draw === "seldom").length / draws.length).toBeCloseTo(0.1, 1);
  });
});

test("half of the draws from quantiles lie below the middle one, none outside", () => {
  const random = createRandom(2);
  const draws = Array.from({ length: 5000 }, () => drawFromQuantiles([1, 10, 1000], random));
  expect(Math.min(...draws)).toBeGreaterThanOrEqual(1);
  expect(Math.max(...draws)).toBeLessThan(1000);
  expect(draws.filter((draw) => draw < 10).length / draws.length).toBeCloseTo(0.5, 1);
});
