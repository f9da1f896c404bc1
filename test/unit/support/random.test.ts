import { describe, expect, test } from "vitest";
import { createRandom, seedOf } from "../../support/random.ts";

describe("random draws", () => {
  test("are the same for the same seed, and others for another", () => {
    const draw = (seed: string): number[] => {
      const random = createRandom(seed);
      return Array.from({ length: 5 }, () => random.fraction());
    };
    expect(draw("exact 1")).toEqual(draw("exact 1"));
    expect(draw("exact 1")).not.toEqual(draw("exact 2"));
  });

  test("fall evenly", () => {
    const random = createRandom("even");
    const counts = [0, 0, 0, 0];
    for (let drawn = 0; drawn < 4000; drawn++) counts[random.below(4)]! += 1;
    expect(Math.min(...counts)).toBeGreaterThan(900);
    expect(Math.max(...counts)).toBeLessThan(1100);
  });

  test("shuffle every element to another place and lose none", () => {
    const letters = Array.from("abcdefghij");
    const shuffled = createRandom("shuffle").shuffle(letters);
    expect(shuffled).not.toEqual(letters);
    expect(shuffled.toSorted()).toEqual(letters);
  });

  test("are refused from an empty list", () => {
    expect(() => createRandom("empty").pick([])).toThrow("nothing to pick from");
  });

  test("give these very numbers, which the cases of the evaluation and the requests of the bench depend on", () => {
    expect([createRandom("exact 1").below(1_000_000), createRandom(1).below(1_000_000)]).toEqual([
      239_068, 627_073,
    ]);
    expect(seedOf("import", 7)).toBe(2_894_267_298);
  });
});
