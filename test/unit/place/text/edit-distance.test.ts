import { fc } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { editDistance, isOneEditAway } from "../../../../src/place/text/edit-distance.ts";

const shortText = fc.string({ maxLength: 30 });

describe("the distance to a whole name", () => {
  test.each([
    ["phohoa", "phohoa", 0],
    ["phoha", "phohoa", 1],
    ["phohooa", "phohoa", 1],
    ["phohia", "phohoa", 1],
    ["phohao", "phohoa", 1],
    ["", "pho", 3],
    ["pho", "", 3],
    ["kitten", "sitting", 3],
  ])("from %j to %j is %i", (typed, name, expected) => {
    expect(editDistance(typed, name).whole).toBe(expected);
  });

  test("is the same in both directions", () => {
    fc.assert(
      fc.property(shortText, shortText, (left, right) => {
        expect(editDistance(left, right).whole).toBe(editDistance(right, left).whole);
      }),
    );
  });

  test("is at least the difference in length, at most the longer length", () => {
    fc.assert(
      fc.property(shortText, shortText, (left, right) => {
        const { whole } = editDistance(left, right);
        expect(whole).toBeGreaterThanOrEqual(Math.abs(left.length - right.length));
        expect(whole).toBeLessThanOrEqual(Math.max(left.length, right.length));
      }),
    );
  });
});

test("at most one edit away is what the distance says", () => {
  const fewLetters = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 6 });
  fc.assert(
    fc.property(fewLetters, fewLetters, (left, right) => {
      expect(isOneEditAway(left, right)).toBe(editDistance(left, right).whole <= 1);
    }),
    { numRuns: 2_000 },
  );
});

describe("the distance to the beginning of a name", () => {
  test.each([
    ["congca", "congcaphe", 0],
    ["conkca", "congcaphe", 1],
    ["phe", "congcaphe", 3],
  ])("from %j to %j is %i", (typed, name, expected) => {
    expect(editDistance(typed, name).prefix).toBe(expected);
  });

  test("is never more than to the whole name", () => {
    fc.assert(
      fc.property(shortText, shortText, (typed, name) => {
        const { whole, prefix } = editDistance(typed, name);
        expect(prefix).toBeLessThanOrEqual(whole);
      }),
    );
  });

  test("is 0 for the beginning of a name", () => {
    fc.assert(
      fc.property(shortText, shortText, (typed, rest) => {
        expect(editDistance(typed, typed + rest).prefix).toBe(0);
      }),
    );
  });
});

test("texts longer than any name are compared by their beginning", () => {
  expect(editDistance("a".repeat(100_000), "a".repeat(100_000)).whole).toBe(0);
});
