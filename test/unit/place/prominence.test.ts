import { describe, expect, test } from "vitest";
import { prominence, prominenceLevel, prominenceShare } from "../../../src/place/prominence.ts";

describe("prominence", () => {
  test("of a place without ratings is 0", () => {
    expect(prominence({ rating: 0, reviews: 0 })).toBe(0);
  });

  test("of two perfect reviews is less than that of many good ones", () => {
    expect(prominence({ rating: 5, reviews: 2 })).toBeLessThan(prominence({ rating: 4.4, reviews: 300 }));
  });

  test("of a badly rated place is less than that of a well rated one with as many reviews", () => {
    expect(prominence({ rating: 2, reviews: 100 })).toBeLessThan(prominence({ rating: 4.5, reviews: 100 }));
  });

  test("as a share is 1 for the best-known places and never more", () => {
    expect(prominenceShare(prominence({ rating: 5, reviews: 50_000 }))).toBe(1);
    expect(prominenceShare(prominence({ rating: 4, reviews: 100 }))).toBeLessThan(1);
    expect(prominenceShare(0)).toBe(0);
  });

  test("as a level is a whole number that grows with it", () => {
    const levels = [0, 10, 100, 1_000, 10_000].map((reviews) =>
      prominenceLevel(prominence({ rating: 4.5, reviews })),
    );
    expect(levels.every(Number.isInteger)).toBe(true);
    expect(levels).toStrictEqual([...new Set(levels)].toSorted((a, b) => a - b));
  });
});
