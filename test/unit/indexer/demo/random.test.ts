import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createRandom,
  createWeightedPick,
  drawFromQuantiles,
  hashText,
} from "../../../../indexer/demo/random.ts";

const uint32 = fc.integer({ min: 0, max: 0xffff_ffff });

describe("the random source", () => {
  test("gives the same numbers for seed 1 on every machine", () => {
    const random = createRandom(1);
    random.restart(7);
    expect([random.below(1_000_000), random.below(1_000_000), random.fraction()]).toEqual([
      279_284, 33_133, 0.9211050011217594,
    ]);
  });

  test("gives other numbers for another seed and for another stream", () => {
    const firstOf = (seed: number, stream: number) => {
      const random = createRandom(seed);
      random.restart(stream);
      return random.fraction();
    };
    const draws = [firstOf(1, 1), firstOf(2, 1), firstOf(1, 2), firstOf(0, 0), firstOf(0xffff_ffff, 1)];
    expect(new Set(draws).size).toBe(draws.length);
  });

  test("a stream does not depend on earlier draws", () => {
    fc.assert(
      fc.property(uint32, uint32, (seed, stream) => {
        const fresh = createRandom(seed);
        fresh.restart(stream);
        const used = createRandom(seed);
        used.restart(stream ^ 1);
        used.fraction();
        used.restart(stream);
        expect(used.fraction()).toBe(fresh.fraction());
      }),
    );
  });

  test("between stays within its bounds", () => {
    fc.assert(
      fc.property(uint32, fc.integer({ min: -50, max: 50 }), fc.nat({ max: 100 }), (seed, low, width) => {
        const drawn = createRandom(seed).between(low, low + width);
        expect(drawn).toBeGreaterThanOrEqual(low);
        expect(drawn).toBeLessThanOrEqual(low + width);
      }),
    );
  });

  test("chance 0 never happens and chance 1 always does", () => {
    const random = createRandom(3);
    const draws = Array.from({ length: 200 }, () => [random.chance(0), random.chance(1)]);
    expect(draws.every(([never, always]) => !never && always)).toBe(true);
  });

  test("draws are spread evenly", () => {
    const random = createRandom(4);
    const counts = [0, 0, 0, 0, 0];
    for (let draw = 0; draw < 10_000; draw += 1) counts[random.below(5)]! += 1;
    // Five deviations of a count of 10,000 × 1/5 are 200.
    for (const count of counts) expect(Math.abs(count - 2000)).toBeLessThan(200);
  });

  test("the bell is centred on 0 with a deviation of 1", () => {
    const random = createRandom(5);
    const draws = Array.from({ length: 10_000 }, () => random.bell());
    const mean = draws.reduce((sum, draw) => sum + draw, 0) / draws.length;
    const variance = draws.reduce((sum, draw) => sum + draw * draw, 0) / draws.length;
    expect(Math.abs(mean)).toBeLessThan(0.05);
    expect(Math.abs(variance - 1)).toBeLessThan(0.07);
  });
});

test("texts are hashed with FNV-1a", () => {
  expect([hashText(""), hashText("a"), hashText("foobar")]).toEqual([0x811c9dc5, 0xe40c292c, 0xbf9cf968]);
});

describe("a weighted draw", () => {
  test("refuses a list without weights", () => {
    expect(() => createWeightedPick(["a", "b"], () => 0)).toThrow("every weight is 0");
    expect(() => createWeightedPick([], () => 1)).toThrow("every weight is 0");
  });

  test("never draws items without weight and draws the rest by weight", () => {
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
