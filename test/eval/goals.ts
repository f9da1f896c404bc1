import type { KindResult } from "./evaluate.ts";
import { isAutocomplete, type Kind } from "./cases/case.ts";

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

export function goalOf(measured: Measured): Pick<KindResult, "goal"> {
  const wanted = GOALS[measured.kind];
  const isOther = measured.typed !== undefined && measured.typed !== TYPED_OF_GOAL;
  return wanted === undefined || isOther ? {} : { goal: { wanted, reached: judgedBy(measured) >= wanted } };
}
