import { isTypeCode, TYPE_CODES, typesUnder, type TypeCode } from "../../../src/place/type-codes.ts";
import { fold, words } from "../../../src/place/text/fold.ts";
import { GOOGLE_CATEGORIES, GOOGLE_NOUNS } from "./type-table.ts";

const ALL_CODES = Object.keys(TYPE_CODES).filter(isTypeCode);

/** Our own labels and search words first, so that the table of Google's names has the last word. */
const CODE_OF_CATEGORY: ReadonlyMap<string, TypeCode> = new Map([
  ...ALL_CODES.flatMap((code) => foldEach(code, TYPE_CODES[code].words)),
  ...ALL_CODES.flatMap((code) => foldEach(code, [TYPE_CODES[code].vi, TYPE_CODES[code].en])),
  ...readTable(GOOGLE_CATEGORIES),
]);

const CODE_OF_NOUN: ReadonlyMap<string, TypeCode> = new Map(readTable(GOOGLE_NOUNS));

/** Nouns have up to three words: "văn phòng luật sư" is known as a whole. */
const MAX_NOUN_WORDS = 3;

function readTable(table: Readonly<Partial<Record<TypeCode, string>>>): [string, TypeCode][] {
  return ALL_CODES.flatMap((code) => foldEach(code, table[code]?.split(",") ?? []));
}

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
