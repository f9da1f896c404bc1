import { TYPE_CODES, typesUnder, type TypeCode } from "../place/type-codes.ts";
import { fold } from "../text/fold.ts";

/** Every way of typing a category, folded, and the type codes it means. Made once: about a thousand entries. */
const CATEGORY_OF_WORDS: ReadonlyMap<string, readonly TypeCode[]> = readCategoryWords();

function readCategoryWords(): Map<string, readonly TypeCode[]> {
  const categories = new Map<string, readonly TypeCode[]>();
  for (const [code, { vi, en, words }] of Object.entries(TYPE_CODES) as [
    TypeCode,
    (typeof TYPE_CODES)[TypeCode],
  ][]) {
    for (const word of [vi, en, ...words]) categories.set(fold(word), typesUnder(code));
  }
  return categories;
}

/** The type codes that the whole query names ("cafe", "nhà thuốc", "atm"), or `undefined` when it is not a category. */
export function readCategory(query: string): readonly TypeCode[] | undefined {
  return CATEGORY_OF_WORDS.get(fold(query));
}
