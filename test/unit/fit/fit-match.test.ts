import { expect, test } from "vitest";
import {
  confidencesOf,
  MATCH_FEATURES,
  scoreOf,
  type MatchFeatures,
} from "../../../src/same-place/likelihood.ts";
import { fitChoices } from "../../../tools/fit/fit-match.ts";

const featuresOf = (some: Partial<MatchFeatures>): MatchFeatures =>
  Object.fromEntries(MATCH_FEATURES.map((name) => [name, some[name] ?? 0])) as MatchFeatures;

const RIGHT = { features: featuresOf({ bias: 1, phone_same: 1 }), isRight: true };
const WRONG = { features: featuresOf({ bias: 1, distance: 5 }), isRight: false };

test("the right candidates get most of the probability, and none where there is none", () => {
  const weights = fitChoices([
    { candidates: [WRONG, RIGHT] },
    { candidates: [RIGHT] },
    { candidates: [WRONG] },
    { candidates: [] },
  ]);
  const shares = (candidates: readonly (typeof RIGHT)[]): number[] =>
    confidencesOf(candidates.map(({ features }) => scoreOf(features, weights)));
  expect(shares([WRONG, RIGHT])[1]).toBeGreaterThan(0.9);
  expect(shares([WRONG])[0]).toBeLessThan(0.1);
});

test("weights keep the signs that they must have, and those that are decided stay", () => {
  const contradicting = { features: featuresOf({ bias: 1, distance: 5, numbers_differ: 1 }), isRight: true };
  const weights = fitChoices([{ candidates: [contradicting] }]);
  expect(weights.distance).toBeLessThanOrEqual(0);
  expect(weights.numbers_differ).toBe(-4);
});
