import { describe, expect, test } from "vitest";
import { FEATURE_NAMES, type FeatureName, type Features, type Weights } from "../../../src/search/score.ts";
import {
  type FitOptions,
  type Found,
  type RankedCase,
  type Sign,
  figureOf,
  fitWeights,
} from "../../../tools/fit/fit-weights.ts";
import { createRandom } from "../../support/random.ts";

const toWeights = (some: Partial<Weights>): Weights =>
  Object.fromEntries(FEATURE_NAMES.map((name) => [name, some[name] ?? 0])) as Weights;

const SIGNS = Object.fromEntries(
  FEATURE_NAMES.map((name): [string, Sign] => [name, name === "begins" ? "positive" : "negative"]),
) as Record<FeatureName, Sign>;

const PRESENT = toWeights({ distance: -0.1, begins: 0.1, mistyped: -0.02, closed: -0.3 });

const OPTIONS: FitOptions = {
  present: PRESENT,
  signs: SIGNS,
  fixed: new Set<FeatureName>(["distance"]),
  penalty: 1e-4,
  blur: 0.01,
};

const scoreOf = (features: Partial<Features>, weights: Weights): number =>
  FEATURE_NAMES.reduce((sum, name) => sum + (features[name] ?? 0) * weights[name], 0);

const bestOf = ({ ways }: Found, weights: Weights): number =>
  Math.max(...ways.map((features) => scoreOf(features, weights)));

/** Queries with random places, of which the first by these weights is right. */
function casesInOrder(weights: Weights, { group = "names", queries = 150 } = {}): RankedCase[] {
  const random = createRandom(`cases ${group}`);
  return Array.from({ length: queries }, () => {
    const places = Array.from({ length: 5 }, () => [
      { distance: 5 * random.fraction(), begins: random.below(2), mistyped: random.below(2) },
    ]);
    const best = Math.max(...places.map((ways) => bestOf({ isRight: false, ways }, weights)));
    const found = places.map((ways) => ({
      isRight: bestOf({ isRight: false, ways }, weights) === best,
      ways,
    }));
    return { group, kind: "exact", judged: "rank", found };
  });
}

const figureWith = (cases: readonly RankedCase[], weights: Weights): number =>
  cases.reduce((sum, { found, judged }) => {
    const scores = found.map((place) => bestOf(place, weights));
    return (
      sum +
      figureOf(
        scores,
        found.map(({ isRight }) => isRight),
        judged,
      ) /
        cases.length
    );
  }, 0);

describe("fitting weights", () => {
  test("finds the weights behind an order, on the scale of the one that is fixed", () => {
    const cases = casesInOrder(toWeights({ distance: -0.1, begins: 0.4, mistyped: -0.2 }));
    const fitted = fitWeights(cases, OPTIONS);
    expect(fitted.distance).toBe(-0.1);
    expect(fitted.begins).toBeCloseTo(0.4, 1);
    expect(fitted.mistyped).toBeCloseTo(-0.2, 1);
    expect(figureWith(cases, PRESENT)).toBeLessThan(0.85);
    expect(figureWith(cases, fitted)).toBeGreaterThan(0.97);
  });

  test("gives the same weights for the same cases", () => {
    const cases = casesInOrder(toWeights({ distance: -0.1, begins: 0.4, mistyped: -0.2 }));
    expect(fitWeights(cases, OPTIONS)).toEqual(fitWeights(cases, OPTIONS));
  });

  test("gives no weight another sign, whatever the cases say", () => {
    const fitted = fitWeights(
      casesInOrder(toWeights({ distance: -0.1, begins: 0.4, mistyped: 0.2 })),
      OPTIONS,
    );
    expect(fitted.mistyped).toBe(0);
    expect(fitted.begins).toBeGreaterThan(0.2);
  });

  test("leaves what no case speaks of, and everything where a move costs more than it brings", () => {
    const cases = casesInOrder(toWeights({ distance: -0.1, begins: 0.4, mistyped: -0.2 }));
    expect(fitWeights(cases, OPTIONS).closed).toBe(-0.3);
    expect(fitWeights(cases, { ...OPTIONS, penalty: 1e3 })).toEqual(PRESENT);
  });

  test("makes no group worse, however much another would gain", () => {
    const many = casesInOrder(toWeights({ distance: -0.1, begins: 0.4 }), { group: "names" });
    const contrary = casesInOrder(toWeights({ distance: -0.1 }), { group: "sentences", queries: 20 });
    const fitted = fitWeights([...many, ...contrary], OPTIONS);
    expect(figureWith(contrary, fitted)).toBeGreaterThanOrEqual(figureWith(contrary, PRESENT));
    expect(figureWith(contrary, fitWeights(many, OPTIONS))).toBeLessThan(figureWith(contrary, PRESENT));
  });

  test("weighs a place by the best of its readings", () => {
    const right: Found = { isRight: true, ways: [{ mistyped: 1 }, { begins: 1, distance: 5 }] };
    const wrong: Found = { isRight: false, ways: [{ distance: 1 }] };
    const one: RankedCase = { group: "names", kind: "exact", judged: "rank", found: [wrong, right] };
    const cases = [one, one];
    const weights = toWeights({ distance: -0.1, begins: 0.1, mistyped: -0.3 });
    expect(figureWith(cases, weights)).toBe(0.5);
    const fitted = fitWeights(cases, { ...OPTIONS, present: weights });
    expect(figureWith(cases, fitted)).toBe(1);
    expect(fitWeights([one], { ...OPTIONS, present: weights }), "in one half of the cases alone").toEqual(
      weights,
    );
  });
});

describe("the figure of an order", () => {
  test("is 1/rank of the first right place, and 0 beyond the page", () => {
    expect(figureOf([3, 2, 1], [false, true, true], "rank")).toBe(0.5);
    expect(figureOf([3, 2, 1], [false, false, false], "rank")).toBe(0);
    const scores = Array.from({ length: 21 }, (_, at) => -at);
    expect(
      figureOf(
        scores,
        scores.map((score) => score === -20),
        "rank",
      ),
    ).toBe(0);
  });

  test("is the share of so many wanted places among the first", () => {
    const judged = { first: 3, wanted: 2 };
    expect(figureOf([4, 3, 2, 1], [true, true, true, true], judged)).toBe(1);
    expect(figureOf([4, 3, 2, 1], [true, false, false, true], judged)).toBe(0.5);
    expect(figureOf([4, 3, 2, 1], [false, false, false, true], judged)).toBe(0);
  });

  test("is less, if blurred, where another place scores nearly as much", () => {
    const near = figureOf([1, 0.99], [true, false], "rank", 0.03);
    expect(near).toBeGreaterThan(figureOf([0.99, 1], [true, false], "rank", 0.03));
    expect(near).toBeLessThan(figureOf([1, 0.5], [true, false], "rank", 0.03));
  });
});
