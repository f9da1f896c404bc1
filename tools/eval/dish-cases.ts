import { type Coordinates } from "../../src/place/geometry/coordinates.ts";
import { joinWords, markedWords } from "../../src/place/text/fold.ts";
import { type EvalCase, centreNear } from "./cases.ts";
import { type Dataset, type TruePlace, byDistance } from "./dataset.ts";
import type { Random } from "../../test/support/random.ts";
import { everyOtherFolded } from "./phrase-cases.ts";
import { WORDING, halfOf } from "./wording.ts";

/** So many of the first results count. */
const TOP = 3;
/** More cases of one dish say little more. */
const MOST_CASES_EACH = 5;
/** Whoever wants a dish goes so far; beyond, another place of the kind is as good. */
const NEAR_METERS = 4_000;
/** Two records of a name this close are one place, which a response shows once. */
const SAME_PLACE_METERS = 60;

/** A dish and the places whose names say it. */
interface Dish {
  readonly dish: string;
  readonly places: readonly TruePlace[];
}

/** The dishes that are in the name of at least one open place, with the marks of the dish. */
export function findDishes({ places }: Dataset): Dish[] {
  const dishes = WORDING.dishes.map((dish) => ({ dish, words: markedWords(dish) }));
  const byFirst = Map.groupBy(dishes, ({ words }) => words[0]!);
  const found = new Map<string, TruePlace[]>();
  for (const place of places.filter(({ isClosed }) => !isClosed)) {
    const words = markedWords(place.title);
    const title = ` ${words.join(" ")} `;
    for (const { dish, words: said } of new Set(words.flatMap((word) => byFirst.get(word) ?? [])))
      if (title.includes(` ${said.join(" ")} `)) found.getOrInsertComputed(dish, () => []).push(place);
  }
  return [...found].map(([dish, saying]) => ({ dish, places: saying }));
}

/**
 * Every dish a few times, up to `count` cases, each with another centre. The first three results must be the nearest
 * places whose names say it, or all within 4 km where there are fewer.
 */
export function makeDishCases(dataset: Dataset, random: Random, count: number): EvalCase[] {
  const dishes = random.shuffle(findDishes(dataset));
  if (dishes.length === 0) return [];
  return Array.from({ length: Math.min(count, MOST_CASES_EACH * dishes.length) }, (_, number) => {
    const { dish, places } = dishes[number % dishes.length]!;
    const centre = centreNear(random.pick(places).location, random);
    const { right, wanted } = nearestThree(places, centre);
    return {
      kind: "dish",
      part: halfOf(dish),
      query: everyOtherFolded(dish, number),
      centre,
      expected: { dataIds: right, wanted: { dataIds: right, count: wanted } },
    };
  });
}

/** The nearest three, and the other records of these. */
function nearestThree(
  places: readonly TruePlace[],
  centre: Coordinates,
): { readonly right: string[]; readonly wanted: number } {
  const right: string[] = [];
  const shown: { readonly name: string; readonly meters: number }[] = [];
  for (const { place, meters } of byDistance(places, centre)) {
    const name = joinWords(place.folded);
    const isShown = shown.some((other) => other.name === name && meters - other.meters <= SAME_PLACE_METERS);
    if (meters > NEAR_METERS || (!isShown && shown.length === TOP)) break;
    right.push(place.dataId);
    if (!isShown) shown.push({ name, meters });
  }
  return { right, wanted: shown.length };
}
