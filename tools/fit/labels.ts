import { distanceMeters, type Coordinates } from "../../src/place/geometry/coordinates.ts";
import { isTypeCode, TYPE_CODES } from "../../src/place/document/type-codes.ts";
import { fold, joinWords } from "../../src/place/text/fold.ts";
import { TOP } from "../eval/category-cases.ts";
import { areaKeysOf } from "../eval/area-cases.ts";
import type { EvalCase } from "../eval/cases.ts";
import { byDistance, type Dataset, type TruePlace } from "../eval/dataset.ts";
import { kindTest } from "../eval/phrase-cases.ts";

/** Whether a place is what a case means. `undefined`: neither can be said, so it is compared with no other place. */
export type Label = "right" | "wrong" | undefined;

export type LabelPlace = (place: TruePlace) => Label;

/** The label of each place for a case of `eval`, as its score would judge the place. */
export function labelsOf(asked: EvalCase, dataset: Dataset): LabelPlace {
  const { dataIds, wanted, types, name } = asked.expected;
  if (wanted?.type !== undefined) return ofPhrase(asked, { inNames: [], ...wanted, type: wanted.type });
  if (types) return ofCategory(asked, types, dataset);
  if (name !== undefined && !asked.kind.startsWith("area-")) return ofName(asked, name, dataset);
  const right = new Set(dataIds);
  // Another branch in the area may be meant or not.
  return (place) =>
    right.has(place.dataId)
      ? "right"
      : name !== undefined && place.folded.startsWith(`${name} `)
        ? undefined
        : "wrong";
}

/**
 * The nearest place of the name, and nearer ones whose names go on after it. A nearer place with another name that begins with
 * the typed words is as good a guess.
 */
function ofName({ query, expected, centre }: EvalCase, name: string, { byDataId }: Dataset): LabelPlace {
  const right = new Set(expected.dataIds);
  const typed = joinWords(fold(query));
  const metersTo = (place: TruePlace): number => distanceMeters(centre, place.location);
  const nearest = Math.max(...expected.dataIds.map((dataId) => metersTo(byDataId.get(dataId)!)));
  return (place) => {
    if (right.has(place.dataId)) return "right";
    if (metersTo(place) > nearest) return "wrong";
    if (place.folded.startsWith(`${name} `)) return "right";
    return place.joinedNames.some((one) => one.startsWith(typed)) ? undefined : "wrong";
  };
}

/** A place this much further than the tenth nearest is as wrong as one of another kind. */
const MUCH_FURTHER = 2;

/** The ten nearest of the type. A place of another type whose name says the kind may be meant or not. */
function ofCategory({ centre }: EvalCase, types: readonly string[], { places }: Dataset): LabelPlace {
  const isOf = new Set(types);
  const nearest = byDistance(
    places.filter(({ type, isClosed }) => isOf.has(type) && !isClosed),
    centre,
  );
  const meters = nearest.at(Math.min(TOP, nearest.length) - 1)?.meters ?? 0;
  const words = types.filter(isTypeCode).flatMap((code) => {
    const { vi, en, words: others } = TYPE_CODES[code];
    return [vi, en, ...others].map((word) => ` ${fold(word)} `);
  });
  return (place) => {
    if (!isOf.has(place.type))
      return words.some((word) => ` ${place.folded} `.includes(word)) ? undefined : "wrong";
    return byReach(distanceMeters(centre, place.location), meters);
  };
}

const byReach = (meters: number, reach: number): Label =>
  meters <= reach ? "right" : meters > MUCH_FURTHER * reach ? "wrong" : undefined;

/** Places of the kind, by type or by name, within reach or in the area. */
function ofPhrase({ centre, expected }: EvalCase, kind: Parameters<typeof kindTest>[0]): LabelPlace {
  const { firstWithinMeters = Infinity, area } = expected.wanted ?? {};
  const isOfKind = kindTest(kind);
  return (place) => {
    if (!isOfKind(place)) return "wrong";
    if (area !== undefined) return areaKeysOf(place).includes(area) ? "right" : "wrong";
    return byReach(distanceMeters(centre, place.location), firstWithinMeters);
  };
}

/** Beside a landmark is so near; people walk there. */
const BESIDE_METERS = 800;

/** Places of the kind beside a landmark. The landmark itself may be of the kind. */
export function labelsBeside(landmark: TruePlace, kind: Parameters<typeof kindTest>[0]): LabelPlace {
  const isOfKind = kindTest(kind);
  return (place) => {
    if (place.dataId === landmark.dataId) return undefined;
    return isOfKind(place)
      ? byReach(distanceMeters(landmark.location, place.location), BESIDE_METERS)
      : "wrong";
  };
}

/** A chain has so many branches. */
const LEAST_BRANCHES = 3;
/** Two records this near are one place. */
const SAME_PLACE_METERS = 30;
/** "the", "le": too short to name a chain. */
const LEAST_LETTERS = 4;

export interface Chain {
  /** The words that the names of all branches begin with. */
  readonly title: string;
  readonly branches: readonly TruePlace[];
}

/**
 * The chains whose branches have names that go on ("Highlands Coffee Pasteur"): a name that one place has and others
 * begin with, three or more in all. Words that name a kind are no chain, and neither is half of a street's name.
 */
export function chainsWithBranches({ places, ...dataset }: Dataset): Chain[] {
  const byBeginning = new Map<string, Set<TruePlace>>();
  for (const place of places.filter(({ isClosed }) => !isClosed)) {
    const words = place.folded.split(" ");
    for (let count = 1; count <= words.length; count += 1)
      byBeginning.getOrInsertComputed(words.slice(0, count).join(" "), () => new Set()).add(place);
  }
  return [...byBeginning]
    .map(([title, found]) => {
      // Other names and other spaces are the same chain.
      const bearers = dataset.bearersOf(joinWords(title)).filter(({ isClosed }) => !isClosed);
      return { title, whole: bearers.length, branches: [...found.union(new Set(bearers))] };
    })
    .filter(({ title, whole, branches }) => {
      const isChain = branches.length >= LEAST_BRANCHES && whole > 0 && whole < branches.length;
      return isChain && joinWords(title).length >= LEAST_LETTERS && !isKind(title);
    })
    .map(({ title, branches }) => ({ title, branches }))
    .toSorted((a, b) => (a.title < b.title ? -1 : 1));
}

const KIND_WORDS: ReadonlySet<string> = new Set(
  Object.values(TYPE_CODES).flatMap(({ vi, en, words }) =>
    [vi, en, ...words].flatMap((label) => fold(label).split(" ")),
  ),
);

/** True when every word is one of a label: "nha hang", "quan com". */
const isKind = (folded: string): boolean => folded.split(" ").every((word) => KIND_WORDS.has(word));

/** The nearest branch, whatever follows the name of the chain. */
export function labelsOfChain({ branches }: Chain, centre: Coordinates): LabelPlace {
  const meters = byDistance(branches, centre)[0]?.meters ?? 0;
  const right = new Set(
    branches
      .filter(({ location }) => distanceMeters(centre, location) <= meters + SAME_PLACE_METERS)
      .map(({ dataId }) => dataId),
  );
  return ({ dataId }) => (right.has(dataId) ? "right" : "wrong");
}
