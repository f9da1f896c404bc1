import { describe, expect, test } from "vitest";
import {
  isOutOfBusiness,
  prominence,
  prominenceLevel,
  prominenceShare,
} from "../../../../src/place/document/prominence.ts";

const knownBy = (reviews: { rating: number; reviews: number }): number =>
  prominence({ ...reviews, business_status: "operational" });

describe("prominence", () => {
  test.each(["closed_permanently", "closed_temporarily"] as const)(
    "of a place that is %s is below that of every other",
    (business_status) => {
      const closed = prominence({ rating: 5, reviews: 9_000, business_status });
      expect(closed).toBeLessThan(knownBy({ rating: 0, reviews: 0 }));
      expect([closed, 0].map(isOutOfBusiness)).toStrictEqual([true, false]);
      expect([prominenceShare(closed), prominenceLevel(closed)]).toStrictEqual([0, 0]);
    },
  );

  test("of a place without ratings is 0", () => {
    expect(knownBy({ rating: 0, reviews: 0 })).toBe(0);
  });

  test("of two perfect reviews is less than that of many good ones", () => {
    expect(knownBy({ rating: 5, reviews: 2 })).toBeLessThan(knownBy({ rating: 4.4, reviews: 300 }));
  });

  test("of a badly rated place is less than that of a well rated one with as many reviews", () => {
    expect(knownBy({ rating: 2, reviews: 100 })).toBeLessThan(knownBy({ rating: 4.5, reviews: 100 }));
  });

  test("as a share is 1 for the best-known places and never more", () => {
    expect(prominenceShare(knownBy({ rating: 5, reviews: 50_000 }))).toBe(1);
    expect(prominenceShare(knownBy({ rating: 4, reviews: 100 }))).toBeLessThan(1);
    expect(prominenceShare(0)).toBe(0);
  });

  test("as a level is a whole number that grows with it", () => {
    const levels = [0, 10, 100, 1_000, 10_000].map((reviews) =>
      prominenceLevel(knownBy({ rating: 4.5, reviews })),
    );
    expect(levels.every(Number.isInteger)).toBe(true);
    expect(levels).toStrictEqual([...new Set(levels)].toSorted((a, b) => a - b));
  });
});
