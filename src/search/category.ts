import { TYPE_CODES, typesUnder, type TypeCode } from "../place/type-codes.ts";
import { editDistance } from "../text/edit-distance.ts";
import { fold, joinWords } from "../text/fold.ts";

/** Shorter words are a letter away from too many others: "bar" from "bán", "atm" from "ăn". */
const MIN_LETTERS_FOR_TYPO = 6;

/** Every way of typing a category, folded and without spaces, and the type codes it means: about two thousand. */
const CATEGORY_OF_WORDS: ReadonlyMap<string, readonly TypeCode[]> = readCategoryWords();

function readCategoryWords(): Map<string, readonly TypeCode[]> {
  const categories = new Map<string, readonly TypeCode[]>();
  for (const [code, { vi, en, words }] of Object.entries(TYPE_CODES) as [
    TypeCode,
    (typeof TYPE_CODES)[TypeCode],
  ][]) {
    for (const word of [vi, en, ...words]) categories.set(joinWords(fold(word)), typesUnder(code));
  }
  return categories;
}

/**
 * The type codes that the whole query names ("cafe", "nhà thuốc", "atm"), or `undefined` when it is not a category.
 * `joined` is the query folded and without spaces.
 */
export function readCategory(joined: string): readonly TypeCode[] | undefined {
  return CATEGORY_OF_WORDS.get(joined);
}

/** The category that is one letter away: asked only where no place has a name like the query. */
export function readMistypedCategory(joined: string): readonly TypeCode[] | undefined {
  if (joined.length < MIN_LETTERS_FOR_TYPO) return undefined;
  for (const [word, types] of CATEGORY_OF_WORDS) {
    const isNear = Math.abs(word.length - joined.length) <= 1 && word.length >= MIN_LETTERS_FOR_TYPO;
    if (isNear && editDistance(joined, word).whole <= 1) return types;
  }
  return undefined;
}
