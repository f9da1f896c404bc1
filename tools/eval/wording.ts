import { hash } from "node:crypto";
import * as v from "valibot";
import { distanceMeters, type Coordinates } from "../../src/place/geometry/coordinates.ts";
import { type TypeCode, isTypeCode } from "../../src/place/document/type-codes.ts";
import file from "./phrases.json" with { type: "json" };

/**
 * The everyday words that the cases are made of (`phrases.json`). They are written down here once more, apart from the
 * product's own vocabulary, so that a word that the product lacks shows.
 */

const text = v.pipe(v.string(), v.nonEmpty());
const language = v.picklist(["vi", "en"]);
const pattern = v.pipe(text, v.includes("{"));

const wordingSchema = v.strictObject({
  kinds: v.array(
    v.strictObject({
      type: v.custom<TypeCode>((code) => typeof code === "string" && isTypeCode(code)),
      vi: v.array(text),
      en: v.array(text),
      /** A place whose name has one of these words is of the kind, whatever its type. */
      inNames: v.array(text),
    }),
  ),
  phrases: v.array(v.strictObject({ form: text, language, pattern })),
  /** What people ask about a place by its name. Those held aside were written when the others had been tuned on. */
  questions: v.array(v.strictObject({ language, pattern, isHeldAside: v.optional(v.boolean()) })),
  wishes: v.array(v.strictObject({ wish: v.picklist(["open_now", "all_day", "late"]), language, pattern })),
  /** Wishes and an area, without a kind: who says so wants to eat or drink. */
  areaWishes: v.array(
    v.strictObject({ wish: v.optional(v.picklist(["open_now", "late"])), form: text, pattern }),
  ),
  cities: v.array(
    v.strictObject({ name: text, latitude: v.number(), longitude: v.number(), words: v.array(text) }),
  ),
  /** What people eat and drink, as far as it is no kind of place by itself. */
  dishes: v.array(text),
  areas: v.array(
    v.strictObject({ form: text, of: v.picklist(["district", "numbered", "named", "ward"]), pattern }),
  ),
  addresses: v.array(
    v.strictObject({ form: text, pattern, folded: v.optional(v.boolean()), typos: v.optional(v.number()) }),
  ),
});

export type Wording = v.InferOutput<typeof wordingSchema>;
export type KindWords = Wording["kinds"][number];
export type Wish = Wording["wishes"][number]["wish"];
export type City = Wording["cities"][number];

export const WORDING: Wording = v.parse(wordingSchema, file);

/** Phrases and kinds that a ranking may be tuned with, and those it must also be right for. */
export type Part = "tuning" | "held aside";

/** One in so many kinds, and one in so many phrases, is held aside. */
const HELD_ASIDE_EACH = 3;

/** The part of a text, one of so many held aside. It depends on the text alone, so adding others moves none. */
const partOf = (text: string, each = HELD_ASIDE_EACH): Part =>
  Number.parseInt(hash("sha256", text, "hex").slice(0, 8), 16) % each === 0 ? "held aside" : "tuning";

/** The half of a name, a dish or the id of a sentence. */
export const halfOf = (text: string): Part => partOf(text, 2);

/** A combination is for tuning only when all of it is. */
export const partOfAll = (...texts: readonly string[]): Part =>
  texts.every((one) => partOf(one) === "tuning") ? "tuning" : "held aside";

/** How far a city reaches from its centre. */
const CITY_METERS = 40_000;

/** The city around a point, if it is one of the list. */
export const cityAt = (point: Coordinates): City | undefined =>
  WORDING.cities.find((city) => distanceMeters(city, point) <= CITY_METERS);

/** Fills the names in braces; `undefined` when one of them has no value. */
export function fill(
  pattern: string,
  values: Readonly<Record<string, string | undefined>>,
): string | undefined {
  let isWhole = true;
  const filled = pattern.replace(/\{(\w*)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined || value === "") isWhole = false;
    return value ?? "";
  });
  return isWhole ? filled : undefined;
}
