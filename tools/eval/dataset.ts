import { type Coordinates, distanceMeters } from "../../src/place/geometry/coordinates.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { TYPE_CODES } from "../../src/place/document/type-codes.ts";
import { fold, joinWords, words } from "../../src/place/text/fold.ts";
import { type OpenStatePlace, isOpenAt } from "../../src/place/time/open-state.ts";
import { type PlaceArea } from "./areas.ts";
import type { Wish } from "./wording.ts";

/** The fields of a place that a caller can mean. Cases are made from them, and responses judged by them. */
export interface TruePlace {
  readonly dataId: string;
  readonly title: string;
  /** The folded title; empty for a title without letters and digits. */
  readonly folded: string;
  /** Title and other names, folded and without spaces: "Coop Mart" and "CoopMart" are one name. */
  readonly joinedNames: readonly string[];
  readonly type: string;
  readonly street: string;
  readonly ward: string;
  /** The city in the record; empty when it has none. */
  readonly city: string;
  /** The area by its coordinates; only with the boundaries of areas. */
  readonly area?: PlaceArea;
  /** The wishes about opening hours that it meets at the moment of the evaluation. */
  readonly hours: readonly Wish[];
  readonly isClosed: boolean;
  readonly reviews: number;
  readonly location: Coordinates;
}

/** The truth: all places of the dataset, in an order that does not depend on the file's. */
export interface Dataset {
  readonly places: readonly TruePlace[];
  readonly byDataId: ReadonlyMap<string, TruePlace>;
  /** The places with a name, which is folded and without spaces. */
  bearersOf(joinedName: string): readonly TruePlace[];
  /**
   * True when these words are a name or a category, so that they cannot stand for another name half typed or
   * mistyped.
   */
  isTaken(joined: string): boolean;
}

export function toTruePlace({
  data_id,
  title,
  alternate_names,
  type,
  location,
  ...rest
}: PlaceDocument): TruePlace {
  const { latitude, longitude, address } = location;
  const joinedNames = [title, ...alternate_names].map((name) => joinWords(fold(name)));
  return {
    dataId: data_id,
    title,
    folded: fold(title),
    joinedNames: [...new Set(joinedNames)].filter((name) => name !== ""),
    type,
    street: address.street,
    ward: address.ward,
    city: address.city,
    hours: wishesOf({ opening_hours: rest.opening_hours, business_status: rest.business_status, location }),
    reviews: rest.reviews,
    isClosed: rest.business_status === "closed_permanently",
    location: { latitude, longitude },
  };
}

/**
 * The moment of the evaluation, a Wednesday at 21:00 in Viet Nam, when some places are open and many are not.
 */
export const EVAL_MOMENT = Temporal.Instant.from("2026-03-11T14:00:00Z");
/** "Late" is eleven at night, as docs/guide/understanding.md says; here of that day in Viet Nam. */
const LATE_MOMENT = Temporal.Instant.from("2026-03-11T16:00:00Z");
const MINUTES_OF_DAY = 1440;

function wishesOf(place: OpenStatePlace): readonly Wish[] {
  const isAllDay = place.opening_hours?.week.every(
    ([range]) => range?.[0] === 0 && range[1] >= MINUTES_OF_DAY,
  );
  const fulfilled = [
    ...(isOpenAt(place, EVAL_MOMENT) ? (["open_now"] as const) : []),
    ...(isAllDay === true ? (["all_day"] as const) : []),
    ...(isOpenAt(place, LATE_MOMENT) ? (["late"] as const) : []),
  ];
  // A million places share eight lists.
  return WISH_LISTS.getOrInsert(fulfilled.join(), fulfilled);
}

const WISH_LISTS = new Map<string, readonly Wish[]>();

export function createDataset(found: Iterable<TruePlace>): Dataset {
  const places = [...found].toSorted((a, b) => (a.dataId < b.dataId ? -1 : 1));
  const bearers = new Map<string, TruePlace[]>();
  for (const place of places)
    for (const name of place.joinedNames) bearers.getOrInsertComputed(name, () => []).push(place);
  return {
    places,
    byDataId: new Map(places.map((place) => [place.dataId, place])),
    bearersOf: (joinedName) => bearers.get(joinedName) ?? [],
    isTaken: (joined) => bearers.has(joined) || isCategory(joined),
  };
}

const CATEGORY_WORDS: ReadonlySet<string> = new Set(
  Object.values(TYPE_CODES)
    .flatMap(({ vi, en, words: others }) => [vi, en, ...others])
    .map((word) => joinWords(fold(word))),
);

/** True when the whole text names a category. Then it means the category, even if a place has that name. */
const isCategory = (joined: string): boolean => CATEGORY_WORDS.has(joined);

/**
 * True when the name identifies the place: it is open, and its name has two letters or more and is not a
 * category.
 */
export function hasTellingName(place: TruePlace): boolean {
  const joined = joinWords(place.folded);
  return !place.isClosed && joined.length >= 2 && !isCategory(joined);
}

export const wordsOf = (place: TruePlace): string[] => words(place.folded);

/** The places with their distances, nearest first. */
export function byDistance(
  places: readonly TruePlace[],
  centre: Coordinates,
): { readonly place: TruePlace; readonly meters: number }[] {
  return places
    .map((place) => ({ place, meters: distanceMeters(centre, place.location) }))
    .toSorted((a, b) => a.meters - b.meters);
}
