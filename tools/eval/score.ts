import { areaKeysOf } from "./area-cases.ts";
import { createBeginnings } from "./beginnings.ts";
import { fulfils, kindTest } from "./phrase-cases.ts";
import { isTypeCode, TYPE_CODES } from "../../src/place/document/type-codes.ts";
import { fold } from "../../src/place/text/fold.ts";
import { distanceMeters } from "../../src/place/geometry/coordinates.ts";
import { type EvalCase, type Kind, NAME_KINDS, type Wanted, isAutocomplete } from "./cases.ts";
import { TOP } from "./category-cases.ts";
import { TOP_BRANCHES } from "./name-cases.ts";
import type { Dataset, TruePlace } from "./dataset.ts";
import { PAGE, SUGGESTIONS } from "./ask.ts";
import { findCeiling } from "./ceiling.ts";
import { type Estimate, estimateMean, estimateShare } from "../../test/support/statistics.ts";

/** How good one response is. */
export interface Outcome {
  readonly asked: EvalCase;
  readonly answer: readonly string[];
  /** Of the first right place, from 1; undefined when none came. */
  readonly rank: number | undefined;
  /** Category: the share of the ten that should have come that are of it. Chain: how many of the five nearest are the first five. */
  readonly share?: number;
  /** The mean distance of the first ten, for a category. */
  readonly meters?: number;
  /** Whether the first result is right, where more is wanted of it than of the others. */
  readonly isFirstRight?: boolean;
}

export function scoreAnswer(asked: EvalCase, answer: readonly string[], dataset: Dataset): Outcome {
  if (asked.expected.wanted) return scoreWanted(asked, asked.expected.wanted, answer, dataset);
  if (asked.expected.types) return scoreCategory(asked, answer, dataset);
  const { dataIds, isChain, nearestFive } = asked.expected;
  const isRight = (id: string): boolean =>
    dataIds.includes(id) ||
    ((isChain === true || MAY_GO_ON.has(asked.kind)) && isNearerBranch(id, asked, dataset));
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

/** The share of the first results, as many as can be right, that are as wanted. */
function scoreWanted(
  asked: EvalCase,
  wanted: Wanted,
  answer: readonly string[],
  { byDataId }: Dataset,
): Outcome {
  const {
    type,
    inNames = [],
    types,
    withinMeters = Infinity,
    firstWithinMeters = withinMeters,
    dataIds,
    area,
    wish,
  } = wanted;
  const isOfKind = type === undefined ? () => true : kindTest({ type, inNames });
  const isRight = (dataId: string, most: number): boolean => {
    const place = byDataId.get(dataId);
    return (
      place !== undefined &&
      isOfKind(place) &&
      (types === undefined || types.includes(place.type)) &&
      distanceMeters(asked.centre, place.location) <= most &&
      (dataIds === undefined || dataIds.includes(dataId)) &&
      (area === undefined || areaKeysOf(place).includes(area)) &&
      (wish === undefined || fulfils(wish)(place))
    );
  };
  const first = answer.slice(0, wanted.count);
  return {
    asked,
    answer,
    rank: rankOf(answer, (dataId) => isRight(dataId, withinMeters)),
    share: first.filter((dataId) => isRight(dataId, withinMeters)).length / wanted.count,
    isFirstRight: answer[0] !== undefined && isRight(answer[0], firstWithinMeters),
  };
}

/** Whoever looks for a name is also served by a nearer place whose title goes on after it, or whose type says the rest of it. */
const MAY_GO_ON: ReadonlySet<Kind> = new Set([...NAME_KINDS, "joined-short", "english-name", "question"]);

/** How names say a type, folded. */
function wordsOfType(type: string): string[] {
  if (!isTypeCode(type)) return [];
  const { vi, en, words } = TYPE_CODES[type];
  return [vi, en, ...words].map(fold);
}

/**
 * A branch may carry its street in its name: "Highlands Coffee Bà Triệu" is right for "Highlands Coffee" when it is nearer. Or its kind only
 * in its type: "Petrolimex" for "Cây xăng Petrolimex".
 */
function isNearerBranch(dataId: string, { centre, expected }: EvalCase, { byDataId }: Dataset): boolean {
  const place = byDataId.get(dataId);
  const nearest = byDataId.get(expected.dataIds[0] ?? "");
  if (!place || !nearest) return false;
  const isOfType =
    place.type === nearest.type &&
    wordsOfType(place.type).some((kind) => expected.name === `${kind} ${place.folded}`);
  if (!isOfType && !place.folded.startsWith(`${expected.name} `)) return false;
  const metersTo = ({ location }: TruePlace): number => distanceMeters(centre, location);
  return metersTo(place) <= metersTo(nearest);
}

/** What one kind of case (autocomplete: one number of typed characters) came to. */
export interface KindResult {
  readonly kind: Kind;
  readonly typed?: number;
  /** How it was put into words; "all" for all of one part together. */
  readonly form?: string;
  readonly cases: number;
  /** Mean reciprocal rank of the first right place among the 20 (or four suggestions); 0 where it is not there. */
  readonly mrr: Estimate;
  /** Share of cases whose first place is right. */
  readonly first: Estimate;
  /** How many responses had no result. */
  readonly empty: number;
  /** Half-typed names: the figure of the plainest baseline (`createBeginnings`). */
  readonly plainest?: number;
  /** Share of cases with a right place anywhere in the response. */
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
function toRows(cases: readonly EvalCase[]): RowCases[] {
  const rows = Map.groupBy(
    cases,
    ({ kind, expected, form }) => `${kind} ${expected.typed ?? ""} ${form ?? ""}`,
  );
  const parts = Map.groupBy(
    cases.filter(({ part, form }) => part !== undefined && form !== BARE),
    ({ kind, part }) => `${kind} ${part}`,
  );
  // Kind by kind: first its forms, then its two parts.
  const kinds = new Set(cases.map(({ kind }) => kind));
  return [...kinds].flatMap((kind): RowCases[] => [
    ...[...rows.values()]
      .filter(([first]) => first?.kind === kind)
      .map((row) => ({ row, form: row[0]?.form })),
    ...[...parts.values()]
      .filter(([first]) => first?.kind === kind)
      .map((row) => ({ row, form: WHOLE_PART + row[0]?.part })),
  ]);
}

/** The rows of a kind's two parts. */
const WHOLE_PART = "all, ";
export const isWholePart = (form: string): boolean => form.startsWith(WHOLE_PART);

/** A kind alone is there to compare with, and no phrase. */
const BARE = "bare";

interface RowCases {
  readonly row: readonly EvalCase[];
  readonly form: string | undefined;
}

const reciprocal = (rank: number | undefined): number => (rank === undefined ? 0 : 1 / rank);

function measure(outcomes: readonly Outcome[], form: string | undefined): KindResult {
  const { kind, expected } = outcomes[0]!.asked;
  const limit = isAutocomplete(kind) ? SUGGESTIONS : PAGE;
  const ranks = outcomes.map(({ rank }) => (rank !== undefined && rank <= limit ? rank : undefined));
  const result = {
    kind,
    ...(expected.typed !== undefined && { typed: expected.typed }),
    ...(form !== undefined && { form }),
    cases: outcomes.length,
    empty: outcomes.filter(({ answer }) => answer.length === 0).length,
    mrr: estimateMean(ranks.map(reciprocal)),
    first: estimateShare(outcomes.map(({ isFirstRight }, at) => isFirstRight ?? ranks[at] === 1)),
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

/** The perfect rankers compare every case with every name. */
const MOST_PLACES_FOR_CEILING = 100_000;

function ceilingOf(cases: readonly EvalCase[], dataset: Dataset): Pick<KindResult, "ceiling"> {
  if (dataset.places.length > MOST_PLACES_FOR_CEILING) return {};
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

/** The scored responses, row by row. */
function judge(cases: readonly EvalCase[], answers: Answers, dataset: Dataset): KindResult[] {
  const answerOf = new Map(cases.map((asked, number) => [asked, answers[number] ?? []]));
  return toRows(cases).map(({ row, form }) =>
    measure(
      row.map((asked) => scoreAnswer(asked, answerOf.get(asked) ?? [], dataset)),
      form,
    ),
  );
}

/** The API's scored responses. Each row has the figures that a perfect ranker could reach. */
export function evaluate(cases: readonly EvalCase[], answers: Answers, dataset: Dataset): KindResult[] {
  const results = judge(cases, answers, dataset).map((result) => ({
    ...result,
    ...ceilingOf(
      result.outcomes.map(({ asked }) => asked),
      dataset,
    ),
  }));
  return addPlainest(results, dataset);
}

/** Half-typed names must beat the plainest baseline by this much at every length. */
const AHEAD_OF_PLAINEST = 0.02;

function addPlainest(results: readonly KindResult[], dataset: Dataset): KindResult[] {
  const cases = results.flatMap(({ kind, outcomes }) =>
    HALF_TYPED_KINDS.has(kind) ? outcomes.map(({ asked }) => asked) : [],
  );
  if (cases.length === 0) return [...results];
  const findNearest = createBeginnings(dataset);
  const answers = cases.map((asked) => findNearest(asked, isAutocomplete(asked.kind) ? SUGGESTIONS : PAGE));
  const judged = judge(cases, answers, dataset);
  return results.map((result) => {
    const other = judged.find(({ kind, form }) => kind === result.kind && form === result.form);
    if (other === undefined) return result;
    const plainest = judgedBy(other);
    const wanted = Math.min(1, plainest + AHEAD_OF_PLAINEST);
    return { ...result, plainest, goal: { wanted, reached: judgedBy(result) >= wanted } };
  });
}

const HALF_TYPED_KINDS: ReadonlySet<Kind> = new Set(["half-typed", "autocomplete-half-typed"]);

/** The results with the figures of a baseline beside them, where it was measured. */
export function addBaseline(
  results: readonly KindResult[],
  name: string,
  asked: { readonly cases: readonly EvalCase[]; readonly answers: Answers; readonly dataset: Dataset },
): KindResult[] {
  const judged = judge(asked.cases, asked.answers, asked.dataset);
  return results.map((result) => {
    const other = judged.find(
      ({ kind, typed, form }) => kind === result.kind && typed === result.typed && form === result.form,
    );
    return other ? { ...result, baselines: { ...result.baselines, [name]: judgedBy(other) } } : result;
  });
}

/** What the product promises on a real city. MRR, but for the kinds below. */
const GOALS: Partial<Record<Kind, number>> = {
  exact: 0.996,
  "no-marks": 0.996,
  "typo-1": 0.985,
  "typo-2": 0.97,
  "first-60": 0.9,
  joined: 0.993,
  swapped: 0.987,
  "word-missing": 0.965,
  "short-form": 0.95,
  far: 0.998,
  /** Of the first ten, how many are of the category. */
  category: 0.95,
  /** The nearest branch in first place. */
  chain: 0.98,
  /** The same, whatever the names go on with. */
  branch: 0.98,
  "branch-kind": 0.98,
  /** The right name among the four. */
  autocomplete: 0.75,
  /** Of the first ten, how many are of the kind and near; the first result and no empty response count as well. */
  phrase: 0.97,
  wish: 0.95,
  "area-name": 0.97,
  "area-chain": 0.97,
  "area-kind": 0.95,
  "area-wish": 0.95,
  "address-form": 0.95,
  mixed: 0.99,
  script: 0.95,
};

/** Forms that are easier or harder than the others of their kind. */
const GOALS_OF_FORMS: Readonly<Record<string, number>> = { kana: 0.97, "one typo": 0.9 };

/** The goal of autocomplete is that of this many characters. */
const TYPED_OF_GOAL = 4;

type Measured = Pick<KindResult, "kind" | "mrr" | "first" | "found" | "empty"> &
  Partial<Pick<KindResult, "typed" | "share" | "form">>;

const isReached = (measured: Measured, wanted: number): boolean =>
  judgedBy(measured) >= wanted &&
  (measured.kind !== "phrase" || (measured.first.value >= wanted && measured.empty === 0));

const BY_FIRST: ReadonlySet<Kind> = new Set([
  "chain",
  "branch",
  "branch-kind",
  "address",
  "street-ward",
  "area-chain",
  "address-form",
]);
const BY_SHARE: ReadonlySet<Kind> = new Set([
  "category",
  "category-typo",
  "dish",
  "phrase",
  "wish",
  "area-kind",
  "area-wish",
  "mixed",
]);

/** The figure that a kind is judged by. */
export function judgedBy({ kind, mrr, first, found, share }: Measured): number {
  if (isAutocomplete(kind)) return found.value;
  if (BY_FIRST.has(kind)) return first.value;
  if (BY_SHARE.has(kind)) return share?.value ?? 0;
  return mrr.value;
}

function goalOf(measured: Measured): Pick<KindResult, "goal"> {
  const wanted = GOALS_OF_FORMS[measured.form ?? ""] ?? GOALS[measured.kind];
  const isOther = measured.typed !== undefined && measured.typed !== TYPED_OF_GOAL;
  return wanted === undefined || isOther ? {} : { goal: { wanted, reached: isReached(measured, wanted) } };
}
