import type { PlaceSummary } from "../client/answers.ts";
import type { Compared } from "./view.ts";

/** How often nearness and prominence count in the orders that the API does not have. */
const WEIGHTS = {
  nearer: { near: 3, known: 1 },
  anywhere: { near: 0, known: 1 },
  known: { near: 1, known: 4 },
} as const;

/** Whether an order is relevance with other weights, which the page works out from `include=explain`. */
export const isReweighed = (sort: Compared["sort"]): sort is keyof typeof WEIGHTS =>
  Object.hasOwn(WEIGHTS, sort);

/** Sorts places that were found by relevance as if nearness and prominence had other weights. */
export function reweigh(places: readonly PlaceSummary[], sort: keyof typeof WEIGHTS): PlaceSummary[] {
  const { near, known } = WEIGHTS[sort];
  const scoreOf = ({ explanation }: PlaceSummary): number =>
    explanation ? explanation.text + near * explanation.distance + known * explanation.prominence : 0;
  return places.toSorted((one, other) => scoreOf(other) - scoreOf(one));
}
