import * as v from "valibot";
import { readTable } from "../../../src/place/read-table.ts";
import { isTypeCode, TYPE_CODES, typesUnder, type TypeCode } from "../../../src/place/type-codes.ts";
import { fold, words } from "../../../src/place/text/fold.ts";
import { typeByName, typeListsSchema } from "../category-types.ts";
import table from "./types.json" with { type: "json" };

/**
 * The form of `types.json`, in English and Vietnamese; case, marks and hyphens do not matter. `categories` leaves out what is a
 * label or a search word of the type itself (src/place/types.json): "Coffee shop", "Quán cà phê" and "Vietnamese restaurant"
 * are understood without it. `nouns` tell the kind where a category as a whole is unknown: the last words in English
 * ("Peruvian restaurant"), the first in Vietnamese ("Nhà hàng Peru").
 */
export const googleTypesSchema = v.strictObject({ categories: typeListsSchema, nouns: typeListsSchema });

const { categories: CATEGORIES, nouns: NOUNS } = readTable(
  "indexer/sources/google/types.json",
  googleTypesSchema,
  table,
);

const ALL_CODES = Object.keys(TYPE_CODES).filter(isTypeCode);

/** Our own labels and search words first, so that the table of Google's names has the last word. */
const CODE_OF_CATEGORY: ReadonlyMap<string, TypeCode> = new Map([
  ...ALL_CODES.flatMap((code) => foldEach(code, TYPE_CODES[code].words)),
  ...ALL_CODES.flatMap((code) => foldEach(code, [TYPE_CODES[code].vi, TYPE_CODES[code].en])),
  ...typeByName(CATEGORIES, fold),
]);

const CODE_OF_NOUN: ReadonlyMap<string, TypeCode> = typeByName(NOUNS, fold);

/** Nouns have up to three words: "văn phòng luật sư" is known as a whole. */
const MAX_NOUN_WORDS = 3;

function foldEach(code: TypeCode, names: readonly string[]): [string, TypeCode][] {
  return names.map((name) => [fold(name), code]);
}

/**
 * The type that Google's categories mean, the first of which is the main one: names in English or Vietnamese ("Coffee shop",
 * "Quán cà phê") or ids (`coffee_shop`). A later category decides where it is a narrower kind of the first that was
 * understood. `undefined` when none was.
 */
export function typeOfCategories(categories: readonly string[]): TypeCode | undefined {
  const names = categories.map(fold);
  const codes = names.map((name) => CODE_OF_CATEGORY.get(name) ?? codeOfNoun(name));
  const known = codes.filter((code) => code !== undefined);
  return known.reduce<TypeCode | undefined>(
    (best, code) => (best === undefined || typesUnder(best).includes(code) ? code : best),
    undefined,
  );
}

function codeOfNoun(name: string): TypeCode | undefined {
  const parts = words(name);
  for (let count = Math.min(MAX_NOUN_WORDS, parts.length); count > 0; count -= 1) {
    const code =
      CODE_OF_NOUN.get(parts.slice(-count).join(" ")) ?? CODE_OF_NOUN.get(parts.slice(0, count).join(" "));
    if (code !== undefined) return code;
  }
  return undefined;
}
