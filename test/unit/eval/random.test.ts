import { describe, expect, test } from "vitest";
import { createRandom } from "../../eval/random.ts";

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
});
