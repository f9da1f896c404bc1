import { distanceMeters } from "../../src/place/coordinates.ts";
import type { EvalCase } from "./cases/case.ts";
import { TOP } from "./cases/category-cases.ts";
import { TOP_BRANCHES } from "./cases/chain-cases.ts";
import type { Gazetteer, TruePlace } from "./gazetteer.ts";

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

export function scoreAnswer(asked: EvalCase, answer: readonly string[], gazetteer: Gazetteer): Outcome {
  if (asked.expected.types) return scoreCategory(asked, answer, gazetteer);
  const { dataIds, isChain, nearestFive } = asked.expected;
  const isRight = (id: string): boolean =>
    dataIds.includes(id) || (isChain === true && isNearerBranch(id, asked, gazetteer));
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
function scoreCategory(asked: EvalCase, answer: readonly string[], { byDataId }: Gazetteer): Outcome {
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
function isNearerBranch(dataId: string, { centre, expected }: EvalCase, { byDataId }: Gazetteer): boolean {
  const place = byDataId.get(dataId);
  const nearest = byDataId.get(expected.dataIds[0] ?? "");
  if (!place || !nearest || !place.folded.startsWith(`${expected.name} `)) return false;
  const metersTo = ({ location }: TruePlace): number => distanceMeters(centre, location);
  return metersTo(place) <= metersTo(nearest);
}
