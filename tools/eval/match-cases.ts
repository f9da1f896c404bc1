import { distanceMeters, type Coordinates } from "../../src/place/geometry/coordinates.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { fold, joinWords, words } from "../../src/place/text/fold.ts";
import { TYPE_CODES, isTypeCode } from "../../src/place/document/type-codes.ts";
import type { AskedRecord } from "../../src/same-place/likelihood.ts";
import { pointAt } from "../../test/support/points.ts";
import { createRandom, seedOf, type Random } from "../../test/support/random.ts";
import { mistype } from "./cases.ts";
import { unmark } from "./phrase-cases.ts";

/**
 * Records of a second source: places as somebody else writes them down. A part of the places is left out of the index, so
 * that the right answer to their records is none.
 */

/** What a record has. */
export const MATCH_FORMS = [
  "name and position",
  "name, address and position",
  "name and address",
  "name, phone and position",
  "name and phone",
  "name and website",
  "name",
  "address",
  "phone",
] as const;
type MatchForm = (typeof MATCH_FORMS)[number];

export interface MatchCase {
  readonly record: AskedRecord;
  readonly form: MatchForm;
  /** How its name was changed. */
  readonly noise: string;
  readonly place: PlaceDocument;
  /** The index does not have the place. */
  readonly isAbsent: boolean;
}

/** One place in five. */
const ABSENT_OF = 5;

/** Whether a place is left out of the index. */
export const isLeftOut = ({ data_id }: Pick<PlaceDocument, "data_id">): boolean =>
  seedOf("left out", data_id) % ABSENT_OF === 0;

/** Of a hundred records, how many have what. Files of people have names, most of them with an address or a position. */
const SHARE_OF_FORM: Readonly<Record<MatchForm, number>> = {
  "name and position": 36,
  "name, address and position": 20,
  "name and address": 20,
  "name, phone and position": 8,
  "name and phone": 4,
  "name and website": 2,
  name: 4,
  address: 2,
  phone: 4,
};

interface CaseOptions {
  /** Records of places that the index has. Of places that it has not there are a fifth more. */
  readonly count: number;
  readonly seed: number;
}

/** Cases of places with a name, the same for the same seed. */
export function makeMatchCases(places: readonly PlaceDocument[], { count, seed }: CaseOptions): MatchCase[] {
  const random = createRandom(seedOf("match", seed));
  const named = random.shuffle(places.filter(({ title }) => words(fold(title)).length > 0));
  const take = (some: readonly PlaceDocument[], wanted: number): MatchCase[] => {
    return MATCH_FORMS.flatMap((form) =>
      random
        .shuffle(some.filter((place) => canHave(form, place)))
        .slice(0, Math.ceil((wanted * SHARE_OF_FORM[form]) / 100))
        .map((place) => toCase(place, form, random)),
    );
  };
  const [absent, present] = [named.filter(isLeftOut), named.filter((place) => !isLeftOut(place))];
  return [...take(present, count), ...take(absent, Math.ceil(count / ABSENT_OF))];
}

const canHave = (form: MatchForm, { contacts, location }: PlaceDocument): boolean =>
  (!form.includes("address") || location.address.street !== "") &&
  (!form.includes("phone") || contacts.phone !== "") &&
  (!form.includes("website") || contacts.website !== "");

/** A name alone says which place is meant only where few have it. */
function toCase(place: PlaceDocument, form: MatchForm, random: Random): MatchCase {
  const { name, noise } = form.includes("name") ? changeName(place, random) : { name: "", noise: "none" };
  const record: AskedRecord = {
    name,
    address: form.includes("address") ? writeAddress(place, random) : "",
    phone: form.includes("phone") ? writePhone(place.contacts.phone, random) : "",
    website: form.includes("website") ? place.contacts.website : "",
    ...(form.includes("position") && { location: move(place.location, random) }),
  };
  return { record, form, noise, place, isAbsent: isLeftOut(place) };
}

/** Surveys, geocoded addresses and pins differ by so much. */
const MOST_MOVED_METERS = 80;

const move = (from: Coordinates, random: Random): Coordinates =>
  pointAt(from, random.below(MOST_MOVED_METERS), random.below(360));

interface Changed {
  readonly name: string;
  readonly noise: string;
}

type Change = (place: PlaceDocument, random: Random) => string | undefined;

const kindWords = ({ type }: PlaceDocument): readonly string[] =>
  isTypeCode(type) ? [TYPE_CODES[type].vi, ...TYPE_CODES[type].words] : [];

/** The name without the words for its kind at its beginning: "Thìn" for "Phở Thìn". */
function withoutKind(place: PlaceDocument): string | undefined {
  const lower = place.title.toLowerCase();
  const kind = kindWords(place)
    .filter((word) => lower.startsWith(`${word.toLowerCase()} `))
    .toSorted((one, other) => other.length - one.length)[0];
  const rest = kind === undefined ? "" : place.title.slice(kind.length).trim();
  return words(fold(rest)).length < 2 ? undefined : rest;
}

/** With the words for its kind before it: "Nhà hàng Ngon". */
const withKind: Change = (place) => {
  const [kind] = kindWords(place);
  return kind === undefined || fold(place.title).includes(fold(kind)) ? undefined : `${kind} ${place.title}`;
};

/** How people change a name, and how often of a hundred. */
const CHANGES: readonly (readonly [noise: string, share: number, change: Change])[] = [
  ["as it is", 25, ({ title }) => title],
  ["no marks", 22, ({ title }) => unmark(title).toLowerCase()],
  ["a typo", 15, ({ title }, random) => mistype(fold(title), 1, random)],
  [
    "two typos",
    4,
    ({ title }, random) => (joinWords(fold(title)).length < 10 ? undefined : mistype(fold(title), 2, random)),
  ],
  ["without kind", 8, withoutKind],
  ["with kind", 6, withKind],
  ["a word missing", 6, ({ title }, random) => dropWord(title, random)],
  ["other order", 4, ({ title }) => turnWords(title)],
  [
    "other name",
    6,
    ({ alternate_names: names }, random) => (names.length === 0 ? undefined : random.pick(names)),
  ],
  [
    "with branch",
    4,
    ({ title, location: { address } }) => (address.city === "" ? undefined : `${title} - ${address.city}`),
  ],
];

function changeName(place: PlaceDocument, random: Random): Changed {
  const all = CHANGES.reduce((sum, [, share]) => sum + share, 0);
  let drawn = random.fraction() * all;
  for (const [noise, share, change] of CHANGES) {
    drawn -= share;
    const name = drawn < 0 ? change(place, random) : undefined;
    if (name !== undefined && fold(name) !== "") return { name, noise };
  }
  return { name: place.title, noise: "as it is" };
}

function dropWord(title: string, random: Random): string | undefined {
  const all = title.split(/\s+/);
  if (all.length < 3) return undefined;
  const dropped = random.below(all.length);
  return all.filter((_, index) => index !== dropped).join(" ");
}

function turnWords(title: string): string | undefined {
  const all = title.split(/\s+/);
  return all.length < 3 ? undefined : [...all.slice(-1), ...all.slice(0, -1)].join(" ");
}

/** House number and street, mostly with the ward, with and without marks and abbreviations. */
function writeAddress({ location: { address } }: PlaceDocument, random: Random): string {
  const ward =
    random.fraction() < 0.6 && address.ward !== "" ? `, ${address.ward.replace(/^Phường /, "P. ")}` : "";
  const city = random.fraction() < 0.5 && address.city !== "" ? `, ${address.city}` : "";
  const street =
    random.fraction() < 0.2 ? address.street.replace(/^(\d\S*) /, "Số $1 đường ") : address.street;
  const line = `${street}${ward}${city}`;
  return random.fraction() < 0.3 ? unmark(line) : line;
}

/** As people write it, without the code of the country. */
function writePhone(phone: string, random: Random): string {
  const national = phone.replace(/^\+84 ?/, "0");
  return random.pick([national.replaceAll(" ", ""), national.replaceAll(" ", "."), phone, national]);
}

/** A place of the same name so near is the same place, recorded twice. */
const DOUBLE_METERS = 150;

/** Whether a place is the one of a case. */
export function isPlaceOf({ place }: MatchCase, found: PlaceDocument | undefined): boolean {
  if (!found) return false;
  if (found.data_id === place.data_id) return true;
  const isNear = distanceMeters(place.location, found.location) <= DOUBLE_METERS;
  return isNear && joinWords(fold(found.title)) === joinWords(fold(place.title));
}
