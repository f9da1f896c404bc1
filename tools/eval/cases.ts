import type { TypeCode } from "../../src/place/document/type-codes.ts";
import type { Part, Wish } from "./wording.ts";
import { type Coordinates, isCoordinates } from "../../src/place/geometry/coordinates.ts";
import type { Random } from "../../test/support/random.ts";
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
  "short-form",
  "telex",
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
  "branch",
  "branch-kind",
  "chain-place",
  "dish",
  "joined-short",
  "english-name",
  "question",
  "house-name",
  "address",
  "street-ward",
  "kind-street",
  "phrase",
  "wish",
  "area-name",
  "area-chain",
  "area-kind",
  "area-wish",
  "address-form",
  "mistyped",
  "mixed",
  "script",
  "half-typed",
  "autocomplete-half-typed",
] as const;
export type Kind = (typeof KINDS)[number];

/** True when the case is sent to autocomplete; all others are searches. */
export const isAutocomplete = (kind: Kind): boolean => kind.startsWith("autocomplete");

/** One request and its perfect response, made by rule. `--write-cases` prints it. */
export interface EvalCase {
  readonly kind: Kind;
  /** The wording: a row of the report. */
  readonly form?: string;
  /** The part that it belongs to: cases for tuning a ranking, or those held aside. */
  readonly part?: Part;
  readonly query: string;
  readonly centre: Coordinates;
  readonly expected: Expected;
}

export interface Expected {
  /** Any of these in first place is right. Empty for a category. */
  readonly dataIds: readonly string[];
  /** The intended folded name, for the kinds that are typed from a name. */
  readonly name?: string;
  /**
   * True when many places have the name. One that adds its street ("Highlands Coffee Bà Triệu") is then a
   * branch too.
   */
  readonly isChain?: true;
  /** The number of typed characters of the name (autocomplete). */
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

/** The conditions for a right result. All given ones must hold. */
export interface Wanted {
  /** The kind, by its type or by a word in the name. */
  readonly type?: TypeCode;
  readonly inNames?: readonly string[];
  /** One of these types. */
  readonly types?: readonly string[];
  readonly withinMeters?: number;
  /** How near the first result must be. */
  readonly firstWithinMeters?: number;
  /** One of these places. */
  readonly dataIds?: readonly string[];
  /** A key of `areaKeysOf`. */
  readonly area?: string;
  readonly wish?: Wish;
  /** How many of the first results can be right: as many as exist, ten at most. */
  readonly count: number;
}

/**
 * Callers are within this distance of the place they look for: in the same quarter, not just the same city.
 */
export const NEAR_METERS = 3_000;
/** A caller in another part of the country. */
const FAR_METERS = 300_000;

const METERS_PER_DEGREE = 111_195;

/** A point around another one, in a random direction. Six decimals are a tenth of a metre. */
function pointAround({ latitude, longitude }: Coordinates, meters: number, random: Random): Coordinates {
  const bearing = 2 * Math.PI * random.fraction();
  const north = (meters * Math.cos(bearing)) / METERS_PER_DEGREE;
  const east = (meters * Math.sin(bearing)) / (METERS_PER_DEGREE * Math.cos((latitude * Math.PI) / 180));
  const round = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;
  return { latitude: round(latitude + north), longitude: round(longitude + east) };
}

/** The caller's position: every distance up to `NEAR_METERS` is equally likely, which favours near ones. */
export const centreNear = (place: Coordinates, random: Random): Coordinates =>
  pointAround(place, NEAR_METERS * random.fraction(), random);

export function centreFarFrom(place: Coordinates, random: Random): Coordinates {
  for (;;) {
    const centre = pointAround(place, FAR_METERS, random);
    if (isCoordinates(centre)) return centre;
  }
}

const ALPHABET = Array.from("abcdefghijklmnopqrstuvwxyz");
/** Only letters are mistyped: a house number off by one is another house. */
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
 * The folded text with this many letters inserted, left out, replaced or swapped with the next, all equally
 * likely, and exactly this many edits away. `undefined` for a text that is too short or has no Latin letters.
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

/** Leaving out the only letter of a word would leave nothing or two spaces, which is a different kind of mistake. */
const hasSameWordCount = (typed: string, folded: string): boolean =>
  typed !== "" && !/^ | $| {2}/.test(typed) && typed.split(" ").length === folded.split(" ").length;
