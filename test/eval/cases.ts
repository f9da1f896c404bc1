import type { TypeCode } from "../../src/place/type-codes.ts";
import type { Part, Wish } from "./wording.ts";
import { type Coordinates, isCoordinates } from "../../src/place/coordinates.ts";
import type { Random } from "../support/random.ts";
import { editDistance } from "../../src/place/text/edit-distance.ts";

/** Kinds that look for one place by its name, in the order of the report. */
export const NAME_KINDS = [
  "exact",
  "no-marks",
  "typo-1",
  "typo-2",
  "typo-1-any",
  "typo-2-any",
  "first-60",
  "joined",
  "swapped",
  "word-missing",
  "far",
] as const;
export type NameKind = (typeof NAME_KINDS)[number];

export const KINDS = [
  ...NAME_KINDS,
  "autocomplete",
  "autocomplete-known",
  "category",
  "category-typo",
  "chain",
  "address",
  "street-ward",
  "phrase",
  "wish",
  "area-name",
  "area-chain",
  "area-kind",
  "address-form",
  "mixed",
  "script",
  "half-typed",
  "autocomplete-half-typed",
] as const;
export type Kind = (typeof KINDS)[number];

/** Whether the question is put to autocomplete; all others are searches. */
export const isAutocomplete = (kind: Kind): boolean => kind.startsWith("autocomplete");

/** One question and what a perfect answer would be: a datum, made by rule, written out with `--write-cases`. */
export interface EvalCase {
  readonly kind: Kind;
  /** How it is put into words: the row of the report. */
  readonly form?: string;
  /** Whether a ranking may be tuned with it. */
  readonly part?: Part;
  readonly query: string;
  readonly centre: Coordinates;
  readonly expected: Expected;
}

export interface Expected {
  /** Any of these in first place is right. None for a category. */
  readonly dataIds: readonly string[];
  /** The folded name that was meant, for the kinds that are typed from a name. */
  readonly name?: string;
  /** It is the name of so many places that one which adds its street to it ("Highlands Coffee Bà Triệu") is a branch too. */
  readonly isChain?: true;
  /** How many characters of the name were typed (autocomplete). */
  readonly typed?: number;
  /** The type codes that belong to the category. */
  readonly types?: readonly string[];
  /** The mean distance of the ten nearest places of the category. */
  readonly idealMeters?: number;
  /** The five nearest branches of a chain. */
  readonly nearestFive?: readonly string[];
  /** What each of the first results must be. */
  readonly wanted?: Wanted;
}

/** What a result must be to count. Each condition that is given must hold. */
export interface Wanted {
  /** The kind, by its type or by a word in the name. */
  readonly type?: TypeCode;
  readonly inNames?: readonly string[];
  readonly withinMeters?: number;
  /** The first result must be nearer than the others. */
  readonly firstWithinMeters?: number;
  /** A key of `areaKeysOf`. */
  readonly area?: string;
  readonly wish?: Wish;
  /** So many of the first results can be right, ten at most: as many as there are. */
  readonly count: number;
}

/** Callers stand within this distance of the place they look for: across a quarter, not across the city. */
export const NEAR_METERS = 3_000;
/** A caller in another part of the country. */
const FAR_METERS = 300_000;

const METERS_PER_DEGREE = 111_195;

/** A point somewhere around another one, in a random direction. Six decimals are a tenth of a metre. */
function pointAround({ latitude, longitude }: Coordinates, meters: number, random: Random): Coordinates {
  const bearing = 2 * Math.PI * random.fraction();
  const north = (meters * Math.cos(bearing)) / METERS_PER_DEGREE;
  const east = (meters * Math.sin(bearing)) / (METERS_PER_DEGREE * Math.cos((latitude * Math.PI) / 180));
  const round = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;
  return { latitude: round(latitude + north), longitude: round(longitude + east) };
}

/** Where the caller stands: every distance up to `NEAR_METERS` is equally likely, so near is likelier than by area. */
export const centreNear = (place: Coordinates, random: Random): Coordinates =>
  pointAround(place, NEAR_METERS * random.fraction(), random);

export function centreFarFrom(place: Coordinates, random: Random): Coordinates {
  for (;;) {
    const centre = pointAround(place, FAR_METERS, random);
    if (isCoordinates(centre)) return centre;
  }
}

const ALPHABET = Array.from("abcdefghijklmnopqrstuvwxyz");
/** Only letters are mistyped: a house number that is off by one is another house. */
const LETTER = /[a-z]/;
const MAX_TRIES = 20;

type Edit = (text: string, at: number, random: Random) => string;

const insert: Edit = (text, at, random) => text.slice(0, at) + random.pick(ALPHABET) + text.slice(at);
const remove: Edit = (text, at) => text.slice(0, at) + text.slice(at + 1);
const replace: Edit = (text, at, random) => text.slice(0, at) + random.pick(ALPHABET) + text.slice(at + 1);
const swap: Edit = (text, at) =>
  LETTER.test(text[at + 1] ?? "") ? text.slice(0, at) + text[at + 1] + text[at] + text.slice(at + 2) : text;

const EDITS: readonly Edit[] = [insert, remove, replace, swap];

/**
 * The folded text with so many letters inserted, left out, replaced or swapped with the next, each of the four as likely, and
 * exactly so many edits away from it. `undefined` for a text too short or without Latin letters.
 */
export function mistype(folded: string, typos: number, random: Random): string | undefined {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    let typed = folded;
    for (let typo = 0; typo < typos; typo++) typed = editOnce(typed, random);
    if (editDistance(typed, folded).whole === typos && hasSameWordCount(typed, folded)) return typed;
  }
  return undefined;
}

function editOnce(text: string, random: Random): string {
  const letters = [...text.matchAll(/[a-z]/g)].map(({ index }) => index);
  return letters.length === 0 ? text : random.pick(EDITS)(text, random.pick(letters), random);
}

/** Leaving out the only letter of a word would leave two spaces; that is another kind of mistake. */
const hasSameWordCount = (typed: string, folded: string): boolean =>
  !/^ | $| {2}/.test(typed) && typed.split(" ").length === folded.split(" ").length;
