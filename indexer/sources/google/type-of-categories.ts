import * as v from "valibot";
import { readTable, textSchema } from "../../../src/place/read-table.ts";
import {
  isTypeCode,
  TYPE_CODES,
  typeCodeSchema,
  typesUnder,
  type TypeCode,
} from "../../../src/place/document/type-codes.ts";
import { fold, words } from "../../../src/place/text/fold.ts";
import { typeByName, typeListsSchema } from "../category-types.ts";
import table from "./types.json" with { type: "json" };

/**
 * The form of `types.json`, in English and Vietnamese; case, marks and hyphens do not matter. `categories`
 * leaves out labels and search words of the type itself (src/place/document/types.json): "Coffee shop", "Quán cà phê"
 * and "Vietnamese restaurant" are known without it. `nouns` give the type when a whole category is unknown:
 * the last words in English ("Peruvian restaurant"), the first in Vietnamese ("Nhà hàng Peru"). `heads` are
 * Vietnamese nouns that say less than the words after them: "Dịch vụ giặt ủi" is "giặt ủi", a laundry.
 * `notOffered` lists exceptions, which no business offers: "Dịch vụ sân bay" is not an airport.
 */
export const googleTypesSchema = v.strictObject({
  categories: typeListsSchema,
  heads: v.array(textSchema),
  notOffered: v.array(typeCodeSchema),
  nouns: typeListsSchema,
});

const {
  categories: CATEGORIES,
  heads: HEADS,
  notOffered: NOT_OFFERED,
  nouns: NOUNS,
} = readTable("indexer/sources/google/types.json", googleTypesSchema, table);

const ALL_CODES = Object.keys(TYPE_CODES).filter(isTypeCode);

/** Our labels and search words first, so that the table of Google's names takes precedence. */
const CODE_OF_CATEGORY: ReadonlyMap<string, TypeCode> = new Map([
  ...ALL_CODES.flatMap((code) => foldEach(code, TYPE_CODES[code].words)),
  ...ALL_CODES.flatMap((code) => foldEach(code, [TYPE_CODES[code].vi, TYPE_CODES[code].en])),
  ...typeByName(CATEGORIES, fold),
]);

const CODE_OF_NOUN: ReadonlyMap<string, TypeCode> = typeByName(NOUNS, fold);

/** Nouns have up to four words: "cơ quan chính phủ". */
const MAX_NOUN_WORDS = 4;

function foldEach(code: TypeCode, names: readonly string[]): [string, TypeCode][] {
  return names.map((name) => [fold(name), code]);
}

/**
 * Finds the type from Google's categories, the main one first. A category is a name in English or Vietnamese
 * ("Coffee shop", "Quán cà phê") or an id (`coffee_shop`). The first known category decides, unless a later
 * one is a narrower type of it. `undefined` when none is known.
 */
export function typeOfCategories(categories: readonly string[]): TypeCode | undefined {
  const names = categories.map(fold);
  const codes = names.map((name) => CODE_OF_CATEGORY.get(name) ?? codeOfOffer(name) ?? codeOfNoun(name));
  const known = codes.filter((code) => code !== undefined);
  return known.reduce<TypeCode | undefined>(
    (best, code) => (best === undefined || typesUnder(best).includes(code) ? code : best),
    undefined,
  );
}

/** The longest first. */
const FOLDED_HEADS = HEADS.map((head) => `${fold(head)} `).toSorted((a, b) => b.length - a.length);
const NEVER_OFFERED: ReadonlySet<TypeCode> = new Set(NOT_OFFERED);

/** Google writes "sửa chữa xe ô tô" where people write "sửa ô tô". */
const SHORTENED: readonly (readonly [RegExp, string])[] = [
  [/\bsua chua\b/, "sua"],
  [/\bxe o to\b/, "o to"],
];

/** A single word is ambiguous: "thuốc" is a pharmacy, but "thuốc trừ sâu" is not. */
const MIN_OFFER_WORDS = 2;

/** Finds the type from the words after a head: "Xưởng sửa chữa ô tô". */
function codeOfOffer(name: string): TypeCode | undefined {
  const head = FOLDED_HEADS.find((text) => name.startsWith(text));
  if (head === undefined) return undefined;
  const rest = words(
    SHORTENED.reduce((text, [long, short]) => text.replace(long, short), name.slice(head.length)),
  );
  for (let count = rest.length; count > 0; count -= 1) {
    if (count < rest.length && count < MIN_OFFER_WORDS) return undefined;
    const code = CODE_OF_CATEGORY.get(rest.slice(0, count).join(" "));
    if (code !== undefined) return NEVER_OFFERED.has(code) ? undefined : code;
  }
  return undefined;
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
