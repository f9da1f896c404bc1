import { type Coordinates, distanceMeters } from "../../src/place/geometry/coordinates.ts";
import { typesUnder } from "../../src/place/document/type-codes.ts";
import { type EvalCase, type Wanted, centreNear } from "./cases.ts";
import type { Dataset, TruePlace } from "./dataset.ts";
import type { Random } from "../../test/support/random.ts";
import { type KindWords, type Wish, WORDING, cityAt, fill, partOfAll } from "./wording.ts";

/** A result further away is not near, whatever was typed. */
const NEAR_KIND_METERS = 4_000;
/** The first result must be this near; cases are made where one is. */
const FIRST_METERS = 2_000;
/** The number of results that count. */
export const TOP = 10;
/** A wish leaves fewer places. */
const MIN_WISHED = 3;
/** Attempts to find a caller with enough places around; a thinly spread kind has few such points. */
const TRIES = 8;
/** Who types the name of the city is this near to its centre. */
const IN_CITY_METERS = 12_000;
/** Near and far in a dataset of two cities. */
const SAME_CITY_METERS = 50_000;
const OTHER_CITY_METERS = 200_000;
const MIN_MIXED = 5;

/** A kind with its places: those of the type, and those with the kind in their name. */
export interface KindPlaces {
  readonly kind: KindWords;
  readonly places: readonly TruePlace[];
}

/** With fewer places of the type, those with the word in their name are something else: "Công viên Đền Lừ" is no temple. */
const MIN_OF_TYPE = 3;

/** The kinds that have at least `least` places in the dataset, some of them of the type. */
export function kindsOf({ places }: Dataset, least = TOP): KindPlaces[] {
  const open = places.filter(({ isClosed }) => !isClosed);
  return WORDING.kinds.flatMap((kind) => {
    const types: ReadonlySet<string> = new Set(typesUnder(kind.type));
    const found = open.filter(kindTest(kind));
    const ofType = found.filter(({ type }) => types.has(type)).length;
    return found.length >= least && ofType >= MIN_OF_TYPE ? [{ kind, places: found }] : [];
  });
}

/** Whether a place is of a kind. Marks in names count: "phố" is not "phở". */
export function kindTest({
  type,
  inNames,
}: Pick<KindWords, "type"> & { readonly inNames: readonly string[] }): (place: TruePlace) => boolean {
  const types: ReadonlySet<string> = new Set(typesUnder(type));
  const words = inNames.map((word) => ` ${word} `);
  return (place) => {
    if (types.has(place.type)) return true;
    const title = ` ${place.title
      .toLowerCase()
      .normalize("NFC")
      .replace(/[^\p{L}\p{N}]+/gu, " ")} `;
    return words.some((word) => title.includes(word));
  };
}

/** The number of places within this distance of the caller. */
const countWithin = (places: readonly TruePlace[], centre: Coordinates, meters: number): number =>
  places.filter(({ location }) => distanceMeters(centre, location) <= meters).length;

/** A caller who has `least` of the places within 4 km, one of them within 2 km. */
function findCaller(places: readonly TruePlace[], least: number, random: Random): Coordinates | undefined {
  for (let tried = 0; tried < TRIES; tried++) {
    const centre = centreNear(random.pick(places).location, random);
    if (
      countWithin(places, centre, NEAR_KIND_METERS) >= least &&
      countWithin(places, centre, FIRST_METERS) > 0
    )
      return centre;
  }
  return undefined;
}

/** Every other query is typed without marks. */
export const everyOtherFolded = (query: string, number: number): string =>
  number % 2 === 0 ? query : unmark(query);

/** Without marks, but with dots, slashes and digits as they are. */
export const unmark = (query: string): string =>
  query
    .normalize("NFD")
    .replace(/\p{M}+/gu, "")
    .replaceAll("đ", "d")
    .replaceAll("Đ", "D");

const wantedOf = ({ kind }: KindPlaces, count: number): Wanted => ({
  type: kind.type,
  inNames: kind.inNames,
  withinMeters: NEAR_KIND_METERS,
  firstWithinMeters: FIRST_METERS,
  count,
});

/** A kind beside everyday words: `count` cases of each form, and as many bare kinds to compare with. */
export function makePhraseCases(dataset: Dataset, random: Random, count: number): EvalCase[] {
  const kinds = kindsOf(dataset);
  if (kinds.length === 0) return [];
  const bare = (["vi", "en"] as const).map((language) => ({ form: "bare", language, pattern: "{}" }));
  const forms = Map.groupBy([...bare, ...WORDING.phrases], ({ form }) => form);
  return [...forms].flatMap(([form, patterns]) => {
    const cases: EvalCase[] = [];
    for (let number = 0; number < count; number++) {
      const found = random.pick(kinds);
      const { language, pattern } = random.pick(patterns);
      const centre = findCaller(found.places, TOP, random);
      const word = random.pick(found.kind[language]);
      if (centre === undefined) continue;
      // Further out, the places around may be in the next province.
      const around = cityAt(centre);
      const city = around && distanceMeters(around, centre) <= IN_CITY_METERS ? around : undefined;
      const query = fill(pattern, { "": word, city: city && random.pick(city.words) });
      if (query === undefined) continue;
      cases.push({
        kind: "phrase",
        form,
        part: partOfAll(found.kind.type, pattern),
        query: everyOtherFolded(query, number),
        centre,
        expected: { dataIds: [], wanted: wantedOf(found, TOP) },
      });
    }
    return cases;
  });
}

/** A kind and a wish about its hours. At least three places within 4 km of the caller meet it. */
export function makeWishCases(dataset: Dataset, random: Random, count: number): EvalCase[] {
  const kinds = kindsOf(dataset, MIN_WISHED);
  return (["open_now", "all_day", "late"] as const).flatMap((wish) => {
    const wished = kinds
      .map(({ kind, places }) => ({ kind, places: places.filter(fulfils(wish)) }))
      .filter(({ places }) => places.length >= MIN_WISHED);
    if (wished.length === 0) return [];
    const patterns = WORDING.wishes.filter((one) => one.wish === wish);
    const cases: EvalCase[] = [];
    for (let number = 0; number < count; number++) {
      const found = random.pick(wished);
      const { language, pattern } = random.pick(patterns);
      const centre = findCaller(found.places, MIN_WISHED, random);
      const query = fill(pattern, { "": random.pick(found.kind[language]) })!;
      if (centre === undefined) continue;
      const there = Math.min(TOP, countWithin(found.places, centre, NEAR_KIND_METERS));
      cases.push({
        kind: "wish",
        form: WISH_FORMS[wish],
        part: partOfAll(found.kind.type, pattern),
        query: everyOtherFolded(query, number),
        centre,
        expected: { dataIds: [], wanted: { ...wantedOf(found, there), wish } },
      });
    }
    return cases;
  });
}

const WISH_FORMS: Readonly<Record<Wish, string>> = {
  open_now: "open now",
  all_day: "24 hours",
  late: "late",
};

/** Whether a place meets a wish; with unknown hours it meets none. */
export const fulfils =
  (wish: Wish) =>
  ({ hours }: TruePlace): boolean =>
    hours.includes(wish);

/**
 * Kinds in a dataset of two distant cities: those of the caller's city come first, even when only their name
 * says the kind.
 */
export function makeMixedCases(dataset: Dataset, random: Random, count: number): EvalCase[] {
  const kinds = kindsOf(dataset, MIN_MIXED);
  const cases: EvalCase[] = [];
  for (let number = 0; number < count && kinds.length > 0; number++) {
    const found = random.pick(kinds);
    const centre = centreNear(random.pick(found.places).location, random);
    const near = countWithin(found.places, centre, SAME_CITY_METERS);
    const isMixed = found.places.some(({ location }) => distanceMeters(centre, location) > OTHER_CITY_METERS);
    if (near < MIN_MIXED || !isMixed) continue;
    const language = random.pick(["vi", "en"] as const);
    cases.push({
      kind: "mixed",
      part: partOfAll(found.kind.type),
      query: everyOtherFolded(random.pick(found.kind[language]), number),
      centre,
      expected: {
        dataIds: [],
        wanted: { withinMeters: SAME_CITY_METERS, count: Math.min(TOP, near) },
      },
    });
  }
  return cases;
}
