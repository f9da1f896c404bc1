import { readFileSync } from "node:fs";
import { readAreas, shortAreaName } from "../../src/place/geometry/areas.ts";
import { distanceMeters } from "../../src/place/geometry/coordinates.ts";
import { fold, joinWords, markedWords, words } from "../../src/place/text/fold.ts";
import { perKinds, TYPE_CODES, type TypeCode } from "../../src/place/document/type-codes.ts";
import { type EvalCase, centreNear } from "./cases.ts";
import { type Dataset, type TruePlace, byDistance, hasTellingName, wordsOf } from "./dataset.ts";
import { TOP_BRANCHES, nearestOf } from "./name-cases.ts";
import type { Random } from "../../test/support/random.ts";
import { everyOtherFolded } from "./phrase-cases.ts";
import { WORDING, halfOf } from "./wording.ts";

/** More cases of one chain say little more. */
const MOST_CASES_EACH = 5;
/** Two places share a beginning by chance. */
const MIN_PLACES = 3;
/** So many different words are many. */
const MANY = 5;
/** Where people say that something is. */
const LANDMARK_TYPES: ReadonlySet<string> = new Set<TypeCode>([
  "MARKET",
  "HOSPITAL",
  "PARK",
  "CHURCH",
  "PAGODA",
  "UNIVERSITY",
  "SHOPPING_MALL",
  "MUSEUM",
  "TRAIN_STATION",
  "BUS_STATION",
  "STADIUM",
]);
/** Branches of one chain are of one kind; names that begin with the same family name are of many. */
const SAME_KIND_SHARE = 2 / 3;
/** Shorter beginnings are initials: "VP", "HD". */
const MIN_LETTERS = 4;

/** The first words that names of several places share, with these places. */
interface Chain {
  readonly name: string;
  readonly branches: readonly TruePlace[];
  /**
   * Its last word is one of many that names have behind the others, as "Minh" behind "Cà phê". It is a chain only where
   * a place has no other name.
   */
  readonly isOneOfMany: boolean;
}

interface Titled {
  readonly place: TruePlace;
  readonly words: readonly string[];
}

/** The chains of the dataset: words at the beginning of three or more names that mean no kind, no area and no street. */
export function findChains(dataset: Dataset): Chain[] {
  const titled = dataset.places.filter(hasTellingName).map((place) => ({ place, words: wordsOf(place) }));
  const others = otherMeanings(dataset);
  return chainsAfter([], titled).filter(
    ({ name, branches, isOneOfMany }) =>
      joinWords(name).length >= MIN_LETTERS &&
      !others.has(joinWords(name)) &&
      (!isOneOfMany || dataset.bearersOf(joinWords(name)).length > 0) &&
      areOfOneKind(branches) &&
      areWrittenAlike(name, branches),
  );
}

/**
 * The beginnings of one word more. One that all these places share goes into the longer one: nobody means "Cộng" where
 * every name goes on with "Cà Phê".
 */
function chainsAfter(before: readonly string[], titled: readonly Titled[]): Chain[] {
  const longer = titled.filter(({ words }) => words.length > before.length);
  const byNext = Map.groupBy(longer, ({ words }) => words[before.length]!);
  const isOneOfMany = byNext.size >= MANY;
  return [...byNext].flatMap(([next, those]): Chain[] => {
    if (those.length < MIN_PLACES) return [];
    const beginning = [...before, next];
    const inner = chainsAfter(beginning, those);
    const branches = those.map(({ place }) => place);
    return inner.some((chain) => chain.branches.length === branches.length)
      ? inner
      : [{ name: beginning.join(" "), branches, isOneOfMany }, ...inner];
  });
}

function areOfOneKind(branches: readonly TruePlace[]): boolean {
  const sizes = [...Map.groupBy(branches, ({ type }) => type).values()].map(({ length }) => length);
  return Math.max(...sizes) >= SAME_KIND_SHARE * branches.length;
}

/** "Đồng Xuân" and "Đống Đa" share no beginning; a name without marks may be either. */
function areWrittenAlike(name: string, branches: readonly TruePlace[]): boolean {
  const length = words(name).length;
  const written = new Set(branches.map(({ title }) => markedWords(title).slice(0, length).join(" ")));
  written.delete(name);
  return written.size <= 1;
}

/** What a beginning may mean in any dataset, without spaces: a kind or its first words, an area. */
const commonMeanings = perKinds((): ReadonlySet<string> => {
  const kinds = [
    ...Object.values(TYPE_CODES).flatMap(({ vi, en, words: more }) => [vi, en, ...more]),
    ...WORDING.dishes,
  ];
  const beginnings = kinds.flatMap((kind) => {
    const parts = words(fold(kind));
    return parts.map((_, before) => parts.slice(0, before + 1).join(""));
  });
  const areas = readAreas(readFileSync(AREAS, "utf8")).flatMap(({ name }) => [name, shortAreaName(name)]);
  return new Set([...beginnings, ...areas.map((area) => joinWords(fold(area)))]);
});

/** What a beginning may mean instead of a chain: also a street of the dataset. */
function otherMeanings({ places }: Dataset): ReadonlySet<string> {
  const streets = places.map(({ street }) => joinWords(fold(street.replace(/^\d\S*\s/u, ""))));
  return commonMeanings().union(new Set(streets));
}

const AREAS = new URL("../../src/place/geometry/areas/vietnam.csv", import.meta.url);

/** A caller in the same town, not only in the same quarter. */
const TOWN_METERS = 10_000;
/** So many places are drawn before the caller stands beside the branch itself. */
const TRIES = 50;

function callerInTown({ location }: TruePlace, { places }: Dataset, random: Random) {
  for (let tried = 0; tried < TRIES; tried++) {
    const other = random.pick(places);
    if (distanceMeters(other.location, location) <= TOWN_METERS) return centreNear(other.location, random);
  }
  return centreNear(location, random);
}

/**
 * The beginning that the names of a chain share, typed somewhere in a town with a branch. Right is the nearest branch,
 * whatever its name goes on with.
 */
export function makeBranchCases(dataset: Dataset, random: Random, count: number): EvalCase[] {
  const chains = random.shuffle(findChains(dataset));
  if (chains.length === 0) return [];
  return Array.from({ length: Math.min(count, MOST_CASES_EACH * chains.length) }, (_, number) => {
    const { name, branches } = chains[number % chains.length]!;
    const speaker = random.pick(branches);
    const centre = callerInTown(speaker, dataset, random);
    const bearers = dataset.bearersOf(joinWords(name)).filter(({ isClosed }) => !isClosed);
    const right = [...new Set([...branches, ...bearers])];
    const nearest = byDistance(right, centre).slice(0, TOP_BRANCHES);
    return {
      kind: "branch",
      part: halfOf(name),
      query: everyOtherFolded(beginningOf(speaker.title, name), number),
      centre,
      expected: {
        dataIds: nearestOf(right, centre),
        name,
        nearestFive: nearest.map(({ place }) => place.dataId),
      },
    };
  });
}

/**
 * The same with the kind before it ("ngân hàng vietcombank"), which most names of the chain have not. Right is the nearest place of
 * the kind that has the name of the chain in its own.
 */
export function makeBranchOfKindCases(dataset: Dataset, random: Random, count: number): EvalCase[] {
  const chains = random.shuffle(findChains(dataset)).flatMap(({ name, branches }) => {
    const [type, ofType] = largestOf(Map.groupBy(branches, (place) => place.type));
    const label = TYPE_CODES[type as TypeCode]?.vi.toLowerCase() ?? "";
    const isSaid = words(fold(label)).some((word) => words(name).includes(word));
    const right = dataset.places.filter(
      (place) =>
        place.type === type &&
        !place.isClosed &&
        place.joinedNames.some((other) => other.includes(joinWords(name))),
    );
    return label === "" || isSaid || ofType.length < MIN_PLACES ? [] : [{ name, label, right, ofType }];
  });
  if (chains.length === 0) return [];
  return Array.from({ length: Math.min(count, MOST_CASES_EACH * chains.length) }, (_, number) => {
    const { name, label, right, ofType } = chains[number % chains.length]!;
    const speaker = random.pick(ofType);
    const centre = callerInTown(speaker, dataset, random);
    const nearest = byDistance(right, centre).slice(0, TOP_BRANCHES);
    return {
      kind: "branch-kind",
      part: halfOf(name),
      query: everyOtherFolded(`${label} ${beginningOf(speaker.title, name)}`, number),
      centre,
      expected: {
        dataIds: nearestOf(right, centre),
        name,
        nearestFive: nearest.map(({ place }) => place.dataId),
      },
    };
  });
}

/** Further from the place, nobody says that a branch is there. */
const AT_PLACE_METERS = 1_000;
/** Names that fewer places share are known to few. */
const MIN_BRANCHES = 5;

/**
 * A chain and a place with nothing between them: "lotteria chợ bến thành". The place has its kind in its name, which no other has. Right is
 * the branch nearest to it. Half of the queries are without marks.
 */
export function makeChainAtPlaceCases(dataset: Dataset, random: Random, count: number): EvalCase[] {
  const isLandmark = ({ folded, type, isClosed }: TruePlace): boolean =>
    !isClosed &&
    LANDMARK_TYPES.has(type) &&
    folded.startsWith(`${fold(TYPE_CODES[type as TypeCode].vi)} `) &&
    dataset.bearersOf(joinWords(folded)).length === 1;
  const landmarks = random.shuffle(dataset.places.filter(isLandmark));
  const chains = findChains(dataset).filter(({ branches }) => branches.length >= MIN_BRANCHES);
  return landmarks
    .flatMap((landmark): EvalCase[] => {
      const isThere = ({ location }: TruePlace): boolean =>
        distanceMeters(location, landmark.location) <= AT_PLACE_METERS;
      const near = chains.filter(
        ({ branches }) => branches.some(isThere) && branches.every(({ type }) => type !== landmark.type),
      );
      if (near.length === 0) return [];
      const { name, branches } = random.pick(near);
      const query = `${beginningOf(random.pick(branches).title, name)} ${landmark.title}`;
      return [
        {
          kind: "chain-place",
          part: halfOf(landmark.folded),
          query: random.fraction() < 0.5 ? query : fold(query),
          centre: callerInTown(landmark, dataset, random),
          expected: { dataIds: nearestOf(branches, landmark.location), name },
        },
      ];
    })
    .slice(0, count);
}

const largestOf = <Key, One>(groups: ReadonlyMap<Key, readonly One[]>) =>
  [...groups].toSorted(([, one], [, other]) => other.length - one.length)[0]!;

/** The first words of a title as they are written; folded where words are not parted by spaces alone. */
function beginningOf(title: string, name: string): string {
  const parts = title.split(/\s+/u);
  const written = parts
    .map((_, before) => parts.slice(0, before + 1).join(" "))
    .find((beginning) => fold(beginning) === name);
  return written ?? name;
}
