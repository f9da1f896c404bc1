import {
  FEATURE_NAMES,
  type FeatureName,
  type Features,
  type Weights,
  sumOf,
} from "../../src/search/score.ts";

/**
 * Fits the weights of a sum of features to the figures that responses are judged by: one weight after the other moves to where the
 * mean figure of all groups is best, until no move helps (coordinate ascent, as in Och 2003, "Minimum error rate training"). It draws
 * nothing at random.
 */

/** The figure of a response: 1/rank of the first right place; or the share of so many wanted places among the first. */
export type Judged = "rank" | { readonly first: number; readonly wanted: number };

/** A place that was found. */
export interface Found {
  readonly isRight: boolean;
  /** Its features for each reading that it matches: the best of them counts. */
  readonly ways: readonly Partial<Features>[];
}

/** What was found for a query, and how its order is judged. */
export interface RankedCase {
  readonly group: string;
  readonly kind: string;
  readonly judged: Judged;
  readonly found: readonly Found[];
}

export type Sign = "positive" | "negative" | "any";

export interface FitOptions {
  /** The weights so far. */
  readonly present: Weights;
  readonly signs: Readonly<Record<FeatureName, Sign>>;
  /** Features that keep their weights. */
  readonly fixed: ReadonlySet<FeatureName>;
  readonly blur?: number;
  readonly penalty?: number;
}

/**
 * Two scores that differ by this much are in their order with a chance of 73 %: an order that a hair decides is half a success. This
 * alone would make all weights larger, since they all blur less then; that no group may become worse stops it.
 */
const BLUR = 0.03;
/** What it costs to double a weight, as a figure: what the cases do not speak of stays. */
const PENALTY = 0.003;
/** How far a weight moves at once, as a share of itself. */
const MOVES = [-1, -0.5, -0.25, -0.1, -0.04, 0.04, 0.1, 0.25, 0.5, 1];
/** Added to a weight before the share is taken, so that small ones move too. */
const LEAST_SCALE = 0.05;
/**
 * A move that promises less in either half of the cases is noise. With 2e-5 for all of them together, 14 weights moved, and new searches
 * with other cases were worse in seven kinds and better in four.
 */
const LEAST_GAIN = 5e-5;
const MOST_PASSES = 12;
/** More digits say nothing. */
const ROUND = 1_000;
const PAGE = 20;
/** Figures are sums of many fractions. */
const ROUNDING = 1e-9;

/** A case in numbers. */
interface Row {
  readonly group: string;
  /** Its share of the mean of all groups: each group counts alike, in it each kind, and in it each case. */
  readonly share: number;
  /** Every other case, of each kind. */
  readonly half: number;
  readonly judged: Judged;
  readonly isRight: readonly boolean[];
  /** The place of each way. */
  readonly placeOf: Int32Array;
  readonly values: ReadonlyMap<FeatureName, Float64Array>;
  /** The scores of the ways, and the figures, with the weights of the moment. */
  readonly scores: Float64Array;
  blurred: number;
  exact: number;
}

/** The weights with the best figures, none of a group worse than with the present ones. */
export function fitWeights(cases: readonly RankedCase[], options: FitOptions): Weights {
  const { present, signs, fixed, blur = BLUR, penalty = PENALTY } = options;
  const weights: Record<FeatureName, number> = { ...present };
  const rows = toRows(cases, present, blur);
  const least = figuresOf(rows);
  const costOf = (name: FeatureName, weight: number): number =>
    penalty * ((weight - present[name]) / (Math.abs(present[name]) + LEAST_SCALE)) ** 2;
  const isAllowed = (those: readonly Row[], name: FeatureName, change: number): boolean => {
    const figures = figuresOf(rows);
    for (const row of those)
      figures.set(row.group, figures.get(row.group)! + row.share * (judge(row, 0, name, change) - row.exact));
    return [...figures].every(([group, figure]) => figure >= least.get(group)! - ROUNDING);
  };
  const move = (name: FeatureName, those: readonly Row[]): number => {
    let best = { gain: 0, weight: weights[name] };
    for (const share of MOVES) {
      const weight = withSign(weights[name] + share * (Math.abs(present[name]) + LEAST_SCALE), signs[name]);
      const change = weight - weights[name];
      if (change === 0) continue;
      const saved = costOf(name, weights[name]) - costOf(name, weight);
      const gains = [saved / 2, saved / 2];
      for (const row of those) gains[row.half]! += row.share * (judge(row, blur, name, change) - row.blurred);
      const gain = gains[0]! + gains[1]!;
      const isSure = Math.min(...gains) > LEAST_GAIN;
      if (isSure && gain > best.gain && isAllowed(those, name, change)) best = { gain, weight };
    }
    const change = best.weight - weights[name];
    if (change === 0) return 0;
    weights[name] = best.weight;
    for (const row of those) addTo(row, name, change, blur);
    return best.gain;
  };
  const moving = FEATURE_NAMES.filter((name) => !fixed.has(name)).map(
    (name) => [name, rows.filter(({ values }) => values.has(name))] as const,
  );
  for (let pass = 0; pass < MOST_PASSES; pass += 1)
    if (moving.reduce((gain, [name, those]) => gain + move(name, those), 0) === 0) break;
  for (const [name] of moving) weights[name] = Math.round(weights[name] * ROUND) / ROUND + 0;
  return weights;
}

const withSign = (weight: number, sign: Sign): number =>
  sign === "positive" ? Math.max(0, weight) : sign === "negative" ? Math.min(0, weight) : weight;

/** Cases without a right place, or with no other, have the same figure in any order. */
const isOpen = ({ found }: RankedCase): boolean =>
  found.some(({ isRight }) => isRight) && found.some(({ isRight }) => !isRight);

function toRows(cases: readonly RankedCase[], weights: Weights, blur: number): Row[] {
  const shareOf = sharesOf(cases);
  return cases.filter(isOpen).map((one, index) => {
    const ways = one.found.flatMap((place, at) => place.ways.map((features) => ({ at, features })));
    const names = new Set(ways.flatMap(({ features }) => Object.keys(features) as FeatureName[]));
    const valuesOf = (name: FeatureName): Float64Array =>
      Float64Array.from(ways, ({ features }) => features[name] ?? 0);
    const row: Row = {
      group: one.group,
      share: shareOf(one),
      half: index % 2,
      judged: one.judged,
      isRight: one.found.map(({ isRight }) => isRight),
      placeOf: Int32Array.from(ways, ({ at }) => at),
      values: new Map([...names].map((name) => [name, valuesOf(name)])),
      scores: Float64Array.from(ways, ({ features }) => sumOf(features, weights)),
      blurred: 0,
      exact: 0,
    };
    row.blurred = judge(row, blur);
    row.exact = judge(row, 0);
    return row;
  });
}

/** The share of each case in the mean of all groups. */
function sharesOf(cases: readonly RankedCase[]): (one: RankedCase) => number {
  const keyOf = ({ group, kind }: RankedCase): string => `${group}: ${kind}`;
  const ofKind = Map.groupBy(cases, keyOf);
  const ofGroup = Map.groupBy(cases, ({ group }) => group);
  const kinds = new Map([...ofGroup].map(([group, those]) => [group, new Set(those.map(keyOf)).size]));
  return (one) => 1 / (ofGroup.size * kinds.get(one.group)! * ofKind.get(keyOf(one))!.length);
}

function figuresOf(rows: readonly Row[]): Map<string, number> {
  const figures = new Map<string, number>();
  for (const { group, share, exact } of rows) figures.set(group, (figures.get(group) ?? 0) + share * exact);
  return figures;
}

function addTo(row: Row, name: FeatureName, change: number, blur: number): void {
  const values = row.values.get(name)!;
  for (const [way, value] of values.entries()) row.scores[way]! += change * value;
  row.blurred = judge(row, blur);
  row.exact = judge(row, 0);
}

/** The figure of a case, if the weight of a feature changes by so much. */
function judge(
  { scores, placeOf, isRight, judged, values }: Row,
  blur: number,
  name?: FeatureName,
  change = 0,
): number {
  const best = new Float64Array(isRight.length).fill(-Infinity);
  const ofFeature = name && values.get(name);
  for (let way = 0; way < scores.length; way += 1) {
    const score = scores[way]! + (ofFeature ? change * ofFeature[way]! : 0);
    if (score > best[placeOf[way]!]!) best[placeOf[way]!] = score;
  }
  return figureOf(best, isRight, judged, blur);
}

/** The figure of an order by these scores. */
export function figureOf(
  scores: ArrayLike<number>,
  isRight: readonly boolean[],
  judged: Judged,
  blur = 0,
): number {
  const rankOf = (place: number, most: number): number => {
    let rank = 1;
    for (let other = 0; other < scores.length && rank < most; other += 1)
      if (other !== place) rank += chanceOf(scores[other]! - scores[place]!, blur);
    return rank;
  };
  if (judged === "rank") {
    let first = -1;
    for (let place = 0; place < scores.length; place += 1)
      if (isRight[place] && (first < 0 || scores[place]! > scores[first]!)) first = place;
    const rank = first < 0 ? Infinity : rankOf(first, PAGE + 1);
    return rank > PAGE ? 0 : 1 / rank;
  }
  let sum = 0;
  for (let place = 0; place < scores.length && sum < judged.wanted; place += 1)
    if (isRight[place]) sum += Math.max(0, Math.min(1, judged.first + 1 - rankOf(place, judged.first + 1)));
  return Math.min(1, sum / judged.wanted);
}

/** How likely a place comes before another that scores so much less. */
const chanceOf = (difference: number, blur: number): number => {
  if (blur === 0) return difference > 0 ? 1 : 0;
  const ratio = difference / blur;
  return ratio > SURE ? 1 : ratio < -SURE ? 0 : 1 / (1 + Math.exp(-ratio));
};
/** Beyond, the chance is less than .001 or more than .999. */
const SURE = 7;
