import { PAGE, SUGGESTIONS } from "./ask-api.ts";
import { findCeiling } from "./ceiling.ts";
import { isAutocomplete, type EvalCase, type Kind } from "./cases/case.ts";
import { goalOf, judgedBy } from "./goals.ts";
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

type Answers = readonly (readonly string[])[];

/** The answers judged, row by row. */
function judge(cases: readonly EvalCase[], answers: Answers, gazetteer: Gazetteer): KindResult[] {
  const answerOf = new Map(cases.map((asked, number) => [asked, answers[number] ?? []]));
  return toRows(cases).map((row) =>
    measure(row.map((asked) => scoreAnswer(asked, answerOf.get(asked) ?? [], gazetteer))),
  );
}

/** The API's answers judged, each row with what a perfect ranker could reach. */
export function evaluate(cases: readonly EvalCase[], answers: Answers, gazetteer: Gazetteer): KindResult[] {
  return judge(cases, answers, gazetteer).map((result) => ({
    ...result,
    ...ceilingOf(
      result.outcomes.map(({ asked }) => asked),
      gazetteer,
    ),
  }));
}

/** The results with the figures of a baseline beside them, where it was asked. */
export function addBaseline(
  results: readonly KindResult[],
  name: string,
  asked: { readonly cases: readonly EvalCase[]; readonly answers: Answers; readonly gazetteer: Gazetteer },
): KindResult[] {
  const judged = judge(asked.cases, asked.answers, asked.gazetteer);
  return results.map((result) => {
    const other = judged.find(({ kind, typed }) => kind === result.kind && typed === result.typed);
    return other ? { ...result, baselines: { ...result.baselines, [name]: judgedBy(other) } } : result;
  });
}
