import { distanceMeters } from "../../src/place/coordinates.ts";
import { type EvalCase, type Kind, isAutocomplete } from "./cases.ts";
import { TOP } from "./category-cases.ts";
import { TOP_BRANCHES } from "./name-cases.ts";
import type { Dataset, TruePlace } from "./dataset.ts";
import { PAGE, SUGGESTIONS } from "./ask.ts";
import { findCeiling } from "./ceiling.ts";
import { type Estimate, estimateMean, estimateShare } from "../support/statistics.ts";

/** How good one answer is. */
export interface Outcome {
  readonly asked: EvalCase;
  readonly answer: readonly string[];
  /** Of the first right place, from 1; undefined when none came. */
  readonly rank: number | undefined;
  /** Category: the share of the ten that should have come that are of it. Chain: how many of the five nearest are the first five. */
  readonly share?: number;
  /** The mean distance of the first ten, for a category. */
  readonly meters?: number;
}

export function scoreAnswer(asked: EvalCase, answer: readonly string[], dataset: Dataset): Outcome {
  if (asked.expected.types) return scoreCategory(asked, answer, dataset);
  const { dataIds, isChain, nearestFive } = asked.expected;
  const isRight = (id: string): boolean =>
    dataIds.includes(id) || (isChain === true && isNearerBranch(id, asked, dataset));
  const first = answer.slice(0, TOP_BRANCHES);
  return {
    asked,
    answer,
    rank: rankOf(answer, isRight),
    ...(nearestFive && {
      share: nearestFive.filter((id) => first.includes(id)).length / nearestFive.length,
    }),
  };
}

function rankOf(answer: readonly string[], isRight: (dataId: string) => boolean): number | undefined {
  const at = answer.findIndex(isRight);
  return at < 0 ? undefined : at + 1;
}

/** A page that is short misses what it does not show: there are more than ten places of every category asked for. */
function scoreCategory(asked: EvalCase, answer: readonly string[], { byDataId }: Dataset): Outcome {
  const { types } = asked.expected;
  const isOf = (dataId: string): boolean => types?.includes(byDataId.get(dataId)?.type ?? "") ?? false;
  const top = answer.slice(0, TOP);
  const distances = top.flatMap((dataId) => {
    const place = byDataId.get(dataId);
    return place ? [distanceMeters(asked.centre, place.location)] : [];
  });
  return {
    asked,
    answer,
    rank: rankOf(answer, isOf),
    share: top.filter(isOf).length / TOP,
    ...(distances.length > 0 && { meters: distances.reduce((sum, one) => sum + one, 0) / distances.length }),
  };
}

/** A branch may carry its street in its name: "Highlands Coffee Bà Triệu" answers "Highlands Coffee" when it is nearer. */
function isNearerBranch(dataId: string, { centre, expected }: EvalCase, { byDataId }: Dataset): boolean {
  const place = byDataId.get(dataId);
  const nearest = byDataId.get(expected.dataIds[0] ?? "");
  if (!place || !nearest || !place.folded.startsWith(`${expected.name} `)) return false;
  const metersTo = ({ location }: TruePlace): number => distanceMeters(centre, location);
  return metersTo(place) <= metersTo(nearest);
}

/** What one kind of case (autocomplete: one number of typed characters) came to. */
export interface KindResult {
  readonly kind: Kind;
  readonly typed?: number;
  readonly cases: number;
  /** Mean reciprocal rank of the first right place among the 20 (or four suggestions); 0 where it is not there. */
  readonly mrr: Estimate;
  /** Share of cases whose first place is right. */
  readonly first: Estimate;
  /** Share of cases with a right place anywhere in the answer. */
  readonly found: Estimate;
  /** Category: share of the first ten. Chain: share of the five nearest. */
  readonly share?: Estimate;
  /** Category: mean distance of the first ten, and of the ten nearest. */
  readonly meters?: number;
  readonly idealMeters?: number;
  readonly ceiling?: KindCeiling;
  /** What issue and docs ask for, and whether it is reached. */
  readonly goal?: { readonly wanted: number; readonly reached: boolean };
  /** The figure that the kind is judged by (`judgedBy`), of each baseline. */
  readonly baselines?: Readonly<Record<string, number>>;
  readonly outcomes: readonly Outcome[];
}

/** MRR and share found of the two perfect rankers. */
interface KindCeiling {
  readonly byDistance: { readonly mrr: number; readonly found: number };
  readonly byLikelihood: { readonly mrr: number; readonly found: number };
}

/** The cases, parted into the rows of the report. */
function toRows(cases: readonly EvalCase[]): EvalCase[][] {
  const rows = Map.groupBy(cases, ({ kind, expected }) => `${kind} ${expected.typed ?? ""}`);
  return [...rows.values()];
}

const reciprocal = (rank: number | undefined): number => (rank === undefined ? 0 : 1 / rank);

function measure(outcomes: readonly Outcome[]): KindResult {
  const { kind, expected } = outcomes[0]!.asked;
  const limit = isAutocomplete(kind) ? SUGGESTIONS : PAGE;
  const ranks = outcomes.map(({ rank }) => (rank !== undefined && rank <= limit ? rank : undefined));
  const result = {
    kind,
    ...(expected.typed !== undefined && { typed: expected.typed }),
    cases: outcomes.length,
    mrr: estimateMean(ranks.map(reciprocal)),
    first: estimateShare(ranks.map((rank) => rank === 1)),
    found: estimateShare(ranks.map((rank) => rank !== undefined)),
    ...measureShare(outcomes),
    outcomes,
  };
  return { ...result, ...goalOf(result) };
}

function measureShare(outcomes: readonly Outcome[]): Pick<KindResult, "share" | "meters" | "idealMeters"> {
  const shares = outcomes.flatMap(({ share }) => (share === undefined ? [] : [share]));
  if (shares.length === 0) return {};
  const measured = outcomes.flatMap(({ meters, asked }) =>
    meters === undefined || asked.expected.idealMeters === undefined
      ? []
      : [{ meters, ideal: asked.expected.idealMeters }],
  );
  const mean = (values: number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
  return {
    share: estimateMean(shares),
    ...(measured.length > 0 && {
      meters: mean(measured.map(({ meters }) => meters)),
      idealMeters: mean(measured.map(({ ideal }) => ideal)),
    }),
  };
}

function ceilingOf(cases: readonly EvalCase[], dataset: Dataset): Pick<KindResult, "ceiling"> {
  const found = findCeiling(cases, dataset);
  return found
    ? { ceiling: { byDistance: toFigures(found.byDistance), byLikelihood: toFigures(found.byLikelihood) } }
    : {};
}

const toFigures = (ranks: readonly (number | undefined)[]): { mrr: number; found: number } => ({
  mrr: estimateMean(ranks.map(reciprocal)).value,
  found: estimateShare(ranks.map((rank) => rank !== undefined)).value,
});

type Answers = readonly (readonly string[])[];

/** The answers judged, row by row. */
function judge(cases: readonly EvalCase[], answers: Answers, dataset: Dataset): KindResult[] {
  const answerOf = new Map(cases.map((asked, number) => [asked, answers[number] ?? []]));
  return toRows(cases).map((row) =>
    measure(row.map((asked) => scoreAnswer(asked, answerOf.get(asked) ?? [], dataset))),
  );
}

/** The API's answers judged, each row with what a perfect ranker could reach. */
export function evaluate(cases: readonly EvalCase[], answers: Answers, dataset: Dataset): KindResult[] {
  return judge(cases, answers, dataset).map((result) => ({
    ...result,
    ...ceilingOf(
      result.outcomes.map(({ asked }) => asked),
      dataset,
    ),
  }));
}

/** The results with the figures of a baseline beside them, where it was asked. */
export function addBaseline(
  results: readonly KindResult[],
  name: string,
  asked: { readonly cases: readonly EvalCase[]; readonly answers: Answers; readonly dataset: Dataset },
): KindResult[] {
  const judged = judge(asked.cases, asked.answers, asked.dataset);
  return results.map((result) => {
    const other = judged.find(({ kind, typed }) => kind === result.kind && typed === result.typed);
    return other ? { ...result, baselines: { ...result.baselines, [name]: judgedBy(other) } } : result;
  });
}

/** What the product promises on a real city. MRR, but for the kinds below. */
const GOALS: Partial<Record<Kind, number>> = {
  exact: 0.995,
  "no-marks": 0.995,
  "typo-1": 0.985,
  "typo-2": 0.9,
  "first-60": 0.88,
  joined: 0.99,
  swapped: 0.9,
  "word-missing": 0.9,
  far: 0.995,
  /** Of the first ten, how many are of the category. */
  category: 0.95,
  /** The nearest branch in first place. */
  chain: 0.98,
  /** The right name among the four. */
  autocomplete: 0.75,
};

/** The goal of autocomplete is that of this many characters. */
const TYPED_OF_GOAL = 4;

type Measured = Pick<KindResult, "kind" | "mrr" | "first" | "found"> &
  Partial<Pick<KindResult, "typed" | "share">>;

/** The figure that a kind is judged by. */
export function judgedBy({ kind, mrr, first, found, share }: Measured): number {
  if (isAutocomplete(kind)) return found.value;
  if (kind === "chain" || kind === "address" || kind === "street-ward") return first.value;
  if (kind === "category" || kind === "category-typo") return share?.value ?? 0;
  return mrr.value;
}

function goalOf(measured: Measured): Pick<KindResult, "goal"> {
  const wanted = GOALS[measured.kind];
  const isOther = measured.typed !== undefined && measured.typed !== TYPED_OF_GOAL;
  return wanted === undefined || isOther ? {} : { goal: { wanted, reached: judgedBy(measured) >= wanted } };
}
