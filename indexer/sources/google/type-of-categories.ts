import * as v from "valibot";
import { readTable, textSchema } from "../../../src/place/read-table.ts";
import {
  isTypeCode,
  TYPE_CODES,
  typeCodeSchema,
  typesUnder,
  type TypeCode,
} from "../../../src/place/type-codes.ts";
import { fold, words } from "../../../src/place/text/fold.ts";
import { typeByName, typeListsSchema } from "../category-types.ts";
import table from "./types.json" with { type: "json" };

/**
 * The form of `types.json`, in English and Vietnamese; case, marks and hyphens do not matter. `categories` leaves out what is a
 * label or a search word of the type itself (src/place/types.json): "Coffee shop", "Quán cà phê" and "Vietnamese restaurant"
 * are understood without it. `nouns` tell the kind where a category as a whole is unknown: the last words in English
 * ("Peruvian restaurant"), the first in Vietnamese ("Nhà hàng Peru"). `heads` are Vietnamese nouns that say less than what
 * follows them: "Dịch vụ giặt ủi" is "giặt ủi", a laundry. That does not hold for what no business offers (`notOffered`):
 * "Dịch vụ sân bay" is no airport.
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

/** Our own labels and search words first, so that the table of Google's names has the last word. */
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
 * The type that Google's categories mean, the first of which is the main one: names in English or Vietnamese ("Coffee shop",
 * "Quán cà phê") or ids (`coffee_shop`). A later category decides where it is a narrower kind of the first that was
 * understood. `undefined` when none was.
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

/** Google writes "sửa chữa xe ô tô" where people say "sửa ô tô". */
const SHORTENED: readonly (readonly [RegExp, string])[] = [
  [/\bsua chua\b/, "sua"],
  [/\bxe o to\b/, "o to"],
];

/** One word alone may begin anything: "thuốc" a pharmacy, and "thuốc trừ sâu" not. */
const MIN_OFFER_WORDS = 2;

/** What the words after a head say: "Xưởng sửa chữa ô tô". */
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
