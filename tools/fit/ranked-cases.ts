import type { ScoredPlace } from "../../src/search/score.ts";
import { FOLDS, type Numbers, type Query } from "./fit-weights.ts";
import { GROUPS, type FitCase, type Group, type Part } from "./fit-cases.ts";
import type { Label } from "./labels.ts";

/** What a search found for a case, best first. */
export interface RankedCase {
  readonly asked: FitCase;
  readonly found: readonly { readonly label: Label; readonly features: Numbers }[];
}

export const toRanked = (asked: FitCase, places: readonly ScoredPlace[]): RankedCase => ({
  asked,
  found: places
    .map(({ place, features }) => ({ label: asked.label(place), features }))
    // Nobody reads further, and what is right may still be there.
    .filter(({ label }, at) => at < MOST_COMPARED || label === "right"),
});

const MOST_COMPARED = 25;

/**
 * The pairs of right and wrong places. A pair weighs what it would change of the discounted cumulative gain if the two
 * changed places, so the first ranks matter most. The pairs of a case add up to its share: each group counts alike, and in it
 * each kind, and in it each case.
 */
export function toQueries(ranked: readonly RankedCase[]): Query[] {
  const useful = ranked
    .map((one) => ({ asked: one.asked, pairs: pairsOf(one) }))
    .filter(({ pairs }) => pairs.length > 0);
  const kinds = Map.groupBy(useful, ({ asked }) => `${asked.group} ${asked.kind}`);
  const kindsOfGroup = Map.groupBy(kinds.keys(), (kind) => kind.split(" ")[0]!);
  return useful.map(({ asked, pairs }) => {
    const isOwnKind = asked.group !== "sentences";
    const cases = isOwnKind
      ? kinds.get(`${asked.group} ${asked.kind}`)!.length * kindsOfGroup.get(asked.group)!.length
      : useful.filter((one) => one.asked.group === asked.group).length;
    const sum = pairs.reduce((total, { weight }) => total + weight, 0);
    return {
      // The lowest bit decides the part.
      fold: (asked.draw >>> 1) % FOLDS,
      pairs: pairs.map(({ difference, weight }) => ({ difference, weight: weight / sum / cases })),
    };
  });
}

const gainAt = (index: number): number => 1 / Math.log2(2 + index);

function pairsOf({ found }: RankedCase): { readonly difference: Numbers; readonly weight: number }[] {
  const places = found.map((one, index) => ({ ...one, index }));
  const wrong = places.filter(({ label }) => label === "wrong");
  return places
    .filter(({ label }) => label === "right")
    .flatMap((better) =>
      wrong.map((worse) => ({
        difference: difference(better.features, worse.features),
        weight: Math.abs(gainAt(better.index) - gainAt(worse.index)),
      })),
    )
    .filter((pair) => Object.keys(pair.difference).length > 0);
}

function difference(better: Numbers, worse: Numbers): Numbers {
  const names = new Set([...Object.keys(better), ...Object.keys(worse)]);
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const value = (better[name] ?? 0) - (worse[name] ?? 0);
      return value === 0 ? [] : [[name, value]];
    }),
  );
}

/** How well a group of cases is ranked. */
interface Figures {
  readonly cases: number;
  /** The mean of 1/rank of the first right place among the first twenty. */
  readonly mrr: number;
  /** The share of cases whose first place is right. */
  readonly first: number;
  /** The share of cases with enough right places among the first three. */
  readonly ofThree: number;
}

const PAGE = 20;

function measure(ranked: readonly RankedCase[]): Figures {
  const mean = (figure: (one: RankedCase) => number): number =>
    ranked.reduce((sum, one) => sum + figure(one), 0) / ranked.length;
  const isRight = ({ label }: { readonly label: Label }): boolean => label === "right";
  return {
    cases: ranked.length,
    mrr: mean(({ found }) => {
      const at = found.slice(0, PAGE).findIndex(isRight);
      return at < 0 ? 0 : 1 / (at + 1);
    }),
    first: mean(({ found: [first] }) => (first && isRight(first) ? 1 : 0)),
    ofThree: mean(({ asked, found }) => (found.slice(0, 3).filter(isRight).length >= asked.wanted ? 1 : 0)),
  };
}

/** The mean figure of the groups in one part: what the rounds of fitting are compared by. */
export function figureOf(ranked: readonly RankedCase[]): number {
  const figures = GROUPS.flatMap((group) => {
    const cases = ranked.filter(({ asked }) => asked.group === group);
    if (cases.length === 0) return [];
    const { mrr, ofThree } = measure(cases);
    return [group === "sentences" ? ofThree : mrr];
  });
  return figures.reduce((sum, one) => sum + one, 0) / figures.length;
}

/** A row of the report: a kind, or all of a group. */
export interface ComparedRow {
  readonly part: Part;
  readonly group: Group;
  /** Absent for the whole group. */
  readonly kind?: string;
  readonly before: Figures;
  readonly after: Figures;
}

/** The figures of both rankings of the same cases, group by group and kind by kind. */
export function compareRankings(before: readonly RankedCase[], after: readonly RankedCase[]): ComparedRow[] {
  const rowOf = (row: Pick<ComparedRow, "part" | "group" | "kind">): ComparedRow[] => {
    const isOf = ({ asked }: RankedCase): boolean =>
      asked.part === row.part &&
      asked.group === row.group &&
      (row.kind === undefined || asked.kind === row.kind);
    const cases = before.filter(isOf);
    return cases.length === 0 ? [] : [{ ...row, before: measure(cases), after: measure(after.filter(isOf)) }];
  };
  return (["tuned", "aside"] as const).flatMap((part) =>
    GROUPS.flatMap((group) => {
      const kinds = new Set(
        before.filter(({ asked }) => asked.group === group).map(({ asked }) => asked.kind),
      );
      return [
        ...rowOf({ part, group }),
        ...(kinds.size > 1 ? [...kinds].flatMap((kind) => rowOf({ part, group, kind })) : []),
      ];
    }),
  );
}
