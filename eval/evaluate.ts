import { PAGE, SUGGESTIONS } from "./ask-api.ts";
import { findCeiling } from "./ceiling.ts";
import type { EvalCase, Kind } from "./cases/case.ts";
import { goalOf } from "./goals.ts";
import type { Gazetteer } from "./gazetteer.ts";
import { scoreAnswer, type Outcome } from "./score.ts";
import { estimateMean, estimateShare, type Estimate } from "./statistics.ts";

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
  /** MRR of each baseline. */
  readonly baselines?: Readonly<Record<string, number>>;
  readonly outcomes: readonly Outcome[];
}

/** MRR and share found of the two perfect rankers. */
export interface KindCeiling {
  readonly byDistance: { readonly mrr: number; readonly found: number };
  readonly byLikelihood: { readonly mrr: number; readonly found: number };
}

/** The cases, parted into the rows of the report. */
export function toRows(cases: readonly EvalCase[]): EvalCase[][] {
  const rows = Map.groupBy(cases, ({ kind, expected }) => `${kind} ${expected.typed ?? ""}`);
  return [...rows.values()];
}

const reciprocal = (rank: number | undefined): number => (rank === undefined ? 0 : 1 / rank);

export function summarise(outcomes: readonly Outcome[], gazetteer: Gazetteer): KindResult {
  const cases = outcomes.map(({ asked }) => asked);
  const { kind, expected } = cases[0]!;
  const limit = kind === "autocomplete" ? SUGGESTIONS : PAGE;
  const ranks = outcomes.map(({ rank }) => (rank !== undefined && rank <= limit ? rank : undefined));
  const result = {
    kind,
    ...(expected.typed !== undefined && { typed: expected.typed }),
    cases: cases.length,
    mrr: estimateMean(ranks.map(reciprocal)),
    first: estimateShare(ranks.map((rank) => rank === 1)),
    found: estimateShare(ranks.map((rank) => rank !== undefined)),
    ...summariseShare(outcomes),
    ...ceilingOf(cases, gazetteer),
    outcomes,
  };
  return { ...result, ...goalOf(result) };
}

function summariseShare(outcomes: readonly Outcome[]): Pick<KindResult, "share" | "meters" | "idealMeters"> {
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

function ceilingOf(cases: readonly EvalCase[], gazetteer: Gazetteer): Pick<KindResult, "ceiling"> {
  const found = findCeiling(cases, gazetteer);
  return found
    ? { ceiling: { byDistance: toFigures(found.byDistance), byLikelihood: toFigures(found.byLikelihood) } }
    : {};
}

const toFigures = (ranks: readonly (number | undefined)[]): { mrr: number; found: number } => ({
  mrr: estimateMean(ranks.map(reciprocal)).value,
  found: estimateShare(ranks.map((rank) => rank !== undefined)).value,
});

/** The outcomes of asking, row by row. */
export function evaluate(
  cases: readonly EvalCase[],
  answers: readonly (readonly string[])[],
  gazetteer: Gazetteer,
): KindResult[] {
  const outcomes = cases.map((asked, number) => scoreAnswer(asked, answers[number] ?? [], gazetteer));
  const byCase = new Map(outcomes.map((outcome) => [outcome.asked, outcome]));
  return toRows(cases).map((row) =>
    summarise(
      row.map((asked) => byCase.get(asked)!),
      gazetteer,
    ),
  );
}
