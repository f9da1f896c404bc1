/**
 * Fits the weights of a sum of features to what should come before what: pairwise logistic regression with a weight for each
 * pair, a penalty on weights far from the present ones, and signs that must hold. It draws nothing at random, so the same pairs give the same weights.
 */

/** Numbers by the name of their feature; an absent one is 0. */
export type Numbers = Readonly<Record<string, number>>;

/** A place that should come before another of the same query. */
interface Pair {
  /** Its features minus those of the other. */
  readonly difference: Numbers;
  /** How much it matters that they are in this order. */
  readonly weight: number;
}

/** The pairs of one query. */
export interface Query {
  /** In which of the folds of the cross-validation it is. */
  readonly fold: number;
  readonly pairs: readonly Pair[];
}

export type Sign = "positive" | "negative" | "any";

export interface FitOptions {
  /** The weights so far, of all features. */
  readonly present: Numbers;
  readonly signs: Readonly<Record<string, Sign>>;
  /** Features that keep their weights, at least one with a weight and pairs: the fitted weights have the same scale. */
  readonly fixed: ReadonlySet<string>;
  /** Chosen by cross-validation when absent. */
  readonly penalty?: number;
}

export interface Fit {
  readonly weights: Numbers;
  readonly penalty: number;
  /** The mean loss of pairs: as they are fitted, and in the cross-validation. */
  readonly loss: number;
  readonly validatedLoss: number;
  /** The features whose weights were not fitted. */
  readonly kept: readonly string[];
}

export const FOLDS = 5;
/** From hardly other weights than the present ones to weights that repeat the cases. The weights of all pairs add up to 1. */
const PENALTIES = [1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6];
/** A feature that says anything in fewer queries keeps its weight: they may be about something else. */
export const LEAST_QUERIES = 20;
/** Weights with more digits say nothing. */
const DECIMALS = 3;

/**
 * The weights that put the better place of each pair first, as far as they can.
 * @throws {Error} when the pairs contradict the weights that are fixed: there is no scale to fit the others on.
 */
export function fitWeights(queries: readonly Query[], options: FitOptions): Fit {
  const kept = keptFeatures(queries, options);
  const problem = toProblem(queries, options, kept);
  const start = startOf(problem, options);
  const validated = (options.penalty === undefined ? PENALTIES : [options.penalty]).map((penalty) => ({
    penalty,
    loss: validate(problem, penalty, start),
  }));
  const best = validated.reduce((least, one) => (one.loss < least.loss ? one : least));
  const fitted = approach(problem, best.penalty, problem.rows, start);
  if (fitted[0]! <= LEAST_SCALE)
    throw new Error("The cases contradict the weights that are fixed, such as that of the distance.");
  const scale = fitted[0]! / problem.spread[0]!;
  const weights = Object.fromEntries(
    Object.entries(options.present).map(([name, weight]) => {
      const column = problem.columns.indexOf(name);
      return [name, column < 0 ? weight : round(fitted[column]! / problem.spread[column]! / scale)];
    }),
  );
  const loss = errorOf(problem.rows, fitted);
  return { weights, penalty: best.penalty, loss, validatedLoss: best.loss, kept: [...kept] };
}

const round = (value: number): number => Math.round(value * 10 ** DECIMALS) / 10 ** DECIMALS + 0;

function keptFeatures(queries: readonly Query[], { present, fixed }: FitOptions): Set<string> {
  const counts = new Map<string, number>();
  for (const { pairs } of queries) {
    const seen = new Set(pairs.flatMap(({ difference }) => namesIn(difference)));
    for (const name of seen) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return new Set(
    Object.keys(present).filter((name) => fixed.has(name) || (counts.get(name) ?? 0) < LEAST_QUERIES),
  );
}

const namesIn = (difference: Numbers): string[] =>
  Object.keys(difference).filter((name) => difference[name] !== 0);

/** A pair as numbers: the columns that are not 0, and their values. */
interface Row {
  readonly columns: readonly number[];
  readonly values: readonly number[];
  readonly weight: number;
  readonly fold: number;
}

interface Problem {
  /** Features by column. The first column is the sum of the features that keep their weights: its factor is the scale. */
  readonly columns: readonly string[];
  /** What a column was divided by, so that the penalty is the same for frequent and for rare features. */
  readonly spread: readonly number[];
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  readonly rows: readonly Row[];
}

/** The scale is more than 0, or the fitted weights would mean nothing beside those that are kept. */
const LEAST_SCALE = 1e-3;
const MOST_SCALE = 1e3;

function toProblem(
  queries: readonly Query[],
  { present, signs }: FitOptions,
  kept: ReadonlySet<string>,
): Problem {
  const columns = ["", ...Object.keys(present).filter((name) => !kept.has(name))];
  const total = sumOf(queries.flatMap(({ pairs }) => pairs.map(({ weight }) => weight)));
  const values = (difference: Numbers): number[] =>
    columns.map((name) =>
      name === ""
        ? sumOf([...kept].map((one) => (present[one] ?? 0) * (difference[one] ?? 0)))
        : (difference[name] ?? 0),
    );
  const dense = queries.flatMap(({ fold, pairs }) =>
    pairs.map(({ difference, weight }) => ({ values: values(difference), weight: weight / total, fold })),
  );
  const spread = columns.map(
    (_, column) => Math.sqrt(sumOf(dense.map((row) => row.weight * row.values[column]! ** 2))) || 1,
  );
  const rows = dense.map(({ values: all, weight, fold }): Row => {
    const used = columns.flatMap((_, column) => (all[column] === 0 ? [] : [column]));
    return { columns: used, values: used.map((column) => all[column]! / spread[column]!), weight, fold };
  });
  const isAny = (name: string, sign: Sign): boolean => (signs[name] ?? "any") === sign;
  return {
    columns,
    spread,
    lower: columns.map((name) => (name === "" ? LEAST_SCALE : isAny(name, "positive") ? 0 : -Infinity)),
    upper: columns.map((name) => (name !== "" && isAny(name, "negative") ? 0 : Infinity)),
    rows,
  };
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** The weights so far as factors, on the scale on which they fit best. */
function startOf({ columns, spread, rows }: Problem, { present }: FitOptions): readonly number[] {
  const factors = columns.map((name, column) => (name === "" ? 1 : (present[name] ?? 0)) * spread[column]!);
  const margins = rows.map((row) => marginOf(row, factors));
  let scale = 1;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    let [slope, curve] = [0, RIDGE];
    for (const [at, { weight }] of rows.entries()) {
      const wrong = 1 / (1 + Math.exp(scale * margins[at]!));
      slope += weight * wrong * margins[at]!;
      curve += weight * wrong * (1 - wrong) * margins[at]! ** 2;
    }
    scale = Math.min(MOST_SCALE, Math.max(LEAST_SCALE, scale + slope / curve));
  }
  return factors.map((factor) => factor * scale);
}

/** The share of pairs in the wrong order of each fifth of the queries, with the weights of the others. */
function validate(problem: Problem, penalty: number, start: readonly number[]): number {
  return sumOf(
    Array.from({ length: FOLDS }, (_, fold) => {
      const others = problem.rows.filter((row) => row.fold !== fold);
      const left = problem.rows.filter((row) => row.fold === fold);
      return errorOf(left, approach(problem, penalty, others, start));
    }),
  );
}

/** How often the weights of pairs are set again to how likely they can be put in order. */
const ROBUST_STEPS = 5;

/**
 * A pair that is far from its order will stay so: a word that was not understood, half a name that many have. Logistic
 * regression would bend all weights to make it less wrong. Each pair therefore counts as much as the weights of the step before
 * could put it in order, which makes the share of pairs in the wrong order less instead of the logistic loss.
 */
function approach(
  problem: Problem,
  penalty: number,
  rows: readonly Row[],
  start: readonly number[],
): readonly number[] {
  let factors = start;
  for (let step = 0; step < ROBUST_STEPS; step += 1) {
    const weighed = rows.map((row) => ({ ...row, weight: row.weight * chanceOf(row, factors) }));
    factors = minimise(problem, { penalty, rows: weighed, from: factors, present: start });
  }
  return factors;
}

/** How likely a pair is in its order. */
const chanceOf = (row: Row, factors: readonly number[]): number =>
  1 / (1 + Math.exp(-marginOf(row, factors)));

const errorOf = (rows: readonly Row[], factors: readonly number[]): number =>
  sumOf(rows.map((row) => row.weight * (1 - chanceOf(row, factors))));

function marginOf({ columns, values }: Row, factors: readonly number[]): number {
  let margin = 0;
  for (let at = 0; at < columns.length; at += 1) margin += factors[columns[at]!]! * values[at]!;
  return margin;
}

/** −log of the chance that the better place is first, without overflow. */
const logisticLoss = (margin: number): number =>
  Math.log1p(Math.exp(-Math.abs(margin))) + Math.max(0, -margin);

const lossOf = (rows: readonly Row[], factors: readonly number[]): number => {
  let loss = 0;
  for (const row of rows) loss += row.weight * logisticLoss(marginOf(row, factors));
  return loss;
};

/** The cases are few, and the present weights know more than they say: what they do not speak of stays. */
const penaltyOf = (factors: readonly number[], { penalty, present }: Prior): number =>
  (penalty / 2) * sumOf(factors.map((factor, column) => (factor - present[column]!) ** 2));

interface Prior {
  readonly penalty: number;
  /** The factors of the present weights. */
  readonly present: readonly number[];
}

const MOST_STEPS = 60;
/** A step that promises less is the last. */
const LEAST_GAIN = 1e-8;
const MOST_HALVINGS = 30;

/** Newton's method; each step solves its quadratic model within the bounds, and is halved until it makes the loss less. */
function minimise(
  problem: Problem,
  { rows, from, ...prior }: Prior & { readonly rows: readonly Row[]; readonly from: readonly number[] },
): readonly number[] {
  const objective = (at: readonly number[]): number => lossOf(rows, at) + penaltyOf(at, prior);
  let factors = from;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const model = modelAt(rows, factors, prior);
    const towards = solveWithin(problem, model, factors);
    const gain = -sumOf(towards.map((change, column) => change * model.gradient[column]!));
    if (gain < LEAST_GAIN) break;
    const before = objective(factors);
    let next = factors;
    for (let halving = 0; halving < MOST_HALVINGS; halving += 1) {
      const share = 0.5 ** halving;
      next = factors.map((factor, column) => factor + share * towards[column]!);
      if (objective(next) <= before - 1e-4 * share * gain) break;
    }
    factors = next;
  }
  return factors;
}

interface Model {
  readonly gradient: readonly number[];
  readonly hessian: readonly (readonly number[])[];
}

/** Keeps the second derivatives invertible where features always come together. */
const RIDGE = 1e-9;

function modelAt(rows: readonly Row[], factors: readonly number[], { penalty, present }: Prior): Model {
  const gradient = factors.map((factor, column) => penalty * (factor - present[column]!));
  const hessian = factors.map((_, row) =>
    factors.map((_factor, column) => (row === column ? penalty + RIDGE : 0)),
  );
  for (const row of rows) {
    const wrong = 1 / (1 + Math.exp(marginOf(row, factors)));
    const slope = row.weight * wrong;
    const curve = slope * (1 - wrong);
    for (let one = 0; one < row.columns.length; one += 1) {
      const at = row.columns[one]!;
      gradient[at]! -= slope * row.values[one]!;
      for (let other = 0; other < row.columns.length; other += 1)
        hessian[at]![row.columns[other]!]! += curve * row.values[one]! * row.values[other]!;
    }
  }
  return { gradient, hessian };
}

const MOST_SWEEPS = 2_000;
const LEAST_CHANGE = 1e-12;

/** The change to where a quadratic model is least, one column after the other and each within its bounds. */
function solveWithin(
  { lower, upper }: Problem,
  { gradient, hessian }: Model,
  factors: readonly number[],
): number[] {
  const change = factors.map(() => 0);
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep += 1) {
    let largest = 0;
    for (const [column, factor] of factors.entries()) {
      const slope = gradient[column]! + sumOf(change.map((one, at) => one * hessian[column]![at]!));
      const wanted = factor + change[column]! - slope / hessian[column]![column]!;
      const next = Math.min(upper[column]!, Math.max(lower[column]!, wanted)) - factor;
      largest = Math.max(largest, Math.abs(next - change[column]!));
      change[column] = next;
    }
    if (largest < LEAST_CHANGE) break;
  }
  return change;
}
