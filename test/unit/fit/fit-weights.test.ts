import { describe, expect, test } from "vitest";
import {
  type FitOptions,
  FOLDS,
  fitWeights,
  LEAST_QUERIES,
  type Numbers,
  type Query,
} from "../../../tools/fit/fit-weights.ts";
import { createRandom } from "../../support/random.ts";

const TRUE_WEIGHTS: Numbers = { distance: -0.1, name: 0.4, typo: -0.2 };

const scoreOf = (features: Numbers, weights: Numbers): number =>
  Object.entries(features).reduce((sum, [name, value]) => sum + value * (weights[name] ?? 0), 0);

/** Pairs of random places in the order of the weights. */
function pairsInOrder(weights: Numbers, { queries = 200, pairs = 10 } = {}): Query[] {
  const random = createRandom("pairs");
  return Array.from({ length: queries }, (_, number) => ({
    fold: number % FOLDS,
    pairs: Array.from({ length: pairs }, () => {
      const place = (): Numbers => ({
        distance: 5 * random.fraction(),
        name: random.below(2),
        typo: random.fraction(),
      });
      const places = [place(), place()].toSorted((a, b) => scoreOf(b, weights) - scoreOf(a, weights));
      const [better, worse] = places as [Numbers, Numbers];
      const difference = Object.fromEntries(
        Object.keys(better).map((name) => [name, better[name]! - worse[name]!]),
      );
      return { difference, weight: 1 };
    }),
  }));
}

const OPTIONS: FitOptions = {
  present: { distance: -0.1, name: 0, typo: 0 },
  signs: { distance: "negative", name: "positive", typo: "negative" },
  fixed: new Set(["distance"]),
  penalty: 1e-4,
};

describe("fitting weights", () => {
  test("finds the weights behind an order, on the scale of the one that is fixed", () => {
    const { weights, kept } = fitWeights(pairsInOrder(TRUE_WEIGHTS), OPTIONS);
    expect(weights["distance"]).toBe(-0.1);
    expect(weights["name"]).toBeCloseTo(0.4, 1);
    expect(weights["typo"]).toBeCloseTo(-0.2, 1);
    expect(kept).toEqual(["distance"]);
  });

  test("gives the same weights for the same pairs", () => {
    const queries = pairsInOrder(TRUE_WEIGHTS);
    expect(fitWeights(queries, OPTIONS)).toEqual(fitWeights(queries, OPTIONS));
  });

  test("gives a weight of the wrong sign 0, and fits the others beside it", () => {
    const queries = pairsInOrder({ distance: -0.1, name: 0.4, typo: 0.2 });
    const { weights } = fitWeights(queries, OPTIONS);
    expect(weights["typo"]).toBe(0);
    expect(weights["name"]).toBeGreaterThan(0.2);
  });

  test("hardly minds pairs that no weights put in order", () => {
    const misread = Array.from({ length: 30 }, (_, number) => ({
      fold: number % FOLDS,
      pairs: [{ difference: { distance: 40, name: -1 }, weight: 5 }],
    }));
    const { weights } = fitWeights([...pairsInOrder(TRUE_WEIGHTS), ...misread], OPTIONS);
    expect(weights["name"]).toBeGreaterThan(0.3);
    expect(weights["name"]).toBeLessThan(0.6);
  });

  test("keeps the weight of a feature that few queries have", () => {
    const rare = (queries: number): readonly Query[] =>
      pairsInOrder(TRUE_WEIGHTS).map((query, number) => ({
        ...query,
        pairs:
          number < queries
            ? query.pairs.map(({ difference, weight }) => ({
                difference: { ...difference, rare: 1 },
                weight,
              }))
            : query.pairs,
      }));
    const options: FitOptions = { ...OPTIONS, present: { ...OPTIONS.present, rare: 0.123 } };
    expect(fitWeights(rare(LEAST_QUERIES - 1), options).weights["rare"]).toBe(0.123);
    expect(fitWeights(rare(LEAST_QUERIES), options).kept).not.toContain("rare");
  });

  test("stays at the present weights where the penalty is large", () => {
    const present = { distance: -0.1, name: 0.3, typo: -0.25 };
    const { weights } = fitWeights(pairsInOrder(TRUE_WEIGHTS), { ...OPTIONS, present, penalty: 1e3 });
    expect(weights["name"]).toBeCloseTo(0.3, 2);
    expect(weights["typo"]).toBeCloseTo(-0.25, 2);
  });

  test("chooses the penalty that does best for the queries left out", () => {
    const queries = pairsInOrder(TRUE_WEIGHTS, { queries: 40, pairs: 5 });
    const { penalty: _, ...options } = OPTIONS;
    const chosen = fitWeights(queries, options);
    const errors = [1e-1, 1e-3, 1e-5].map(
      (penalty) => fitWeights(queries, { ...OPTIONS, penalty }).validatedLoss,
    );
    expect(chosen.validatedLoss).toBeLessThanOrEqual(Math.min(...errors));
    expect(errors[0]).toBeGreaterThan(chosen.validatedLoss);
  });

  test("fails where the pairs contradict the weights that are fixed", () => {
    const queries = pairsInOrder({ distance: 0.1, name: 0.4, typo: -0.2 });
    expect(() => fitWeights(queries, OPTIONS)).toThrow("the weights that are fixed");
  });

  test("rounds to three decimals", () => {
    for (const weight of Object.values(fitWeights(pairsInOrder(TRUE_WEIGHTS), OPTIONS).weights))
      expect(weight).toBe(Number(weight.toFixed(3)));
  });
});
