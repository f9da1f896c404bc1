import { firstLetters, fold, joinWords, words, hasMarks, markedWords } from "../place/text/fold.ts";
import { TYPE_CODES, typesUnder, type TypeCode } from "../place/type-codes.ts";
import { editDistance } from "../place/text/edit-distance.ts";

/**
 * The longest names and addresses have fewer letters and words than this. One letter may fold to eighteen (ﷺ), and the engine
 * compares a word of thousands of letters for seconds.
 */
const MAX_LETTERS = 120;
const MAX_WORDS = 16;

/** A caller's query in the forms that lookups and ranking compare. */
export interface TypedQuery {
  /** Folded: lower case, without marks. None when the query holds no letter and no digit. */
  readonly words: readonly string[];
  readonly joined: string;
  /** With their marks, when any was typed; none otherwise. */
  readonly markedWords: readonly string[];
}

export function readTypedQuery(text: string): TypedQuery {
  const typedWords = words(firstLetters(fold(text), MAX_LETTERS).trim()).slice(0, MAX_WORDS);
  return {
    words: typedWords,
    joined: joinWords(typedWords.join(" ")),
    markedWords: hasMarks(text) ? markedWords(text).slice(0, MAX_WORDS) : [],
  };
}

/** Shorter words are a letter away from too many others: "bar" from "bán", "atm" from "ăn". */
const MIN_LETTERS_FOR_TYPO = 6;

/** Every way of typing a category, folded, and the type codes it means: about two thousand five hundred. */
const CATEGORY_OF_WORDS: ReadonlyMap<string, readonly TypeCode[]> = readCategoryWords(fold);

/** The same without spaces. Where two become one, "bi a" (billiards) and "bia" (beer), the one that is typed so is meant. */
const CATEGORY_OF_JOINED: ReadonlyMap<string, readonly TypeCode[]> = new Map([
  ...readCategoryWords((word) => joinWords(fold(word))),
  ...CATEGORY_OF_WORDS,
]);

function readCategoryWords(toKey: (word: string) => string): Map<string, readonly TypeCode[]> {
  const categories = new Map<string, readonly TypeCode[]>();
  for (const code of Object.keys(TYPE_CODES) as TypeCode[]) {
    const { vi, en, words } = TYPE_CODES[code];
    for (const word of [vi, en, ...words]) categories.set(toKey(word), typesUnder(code));
  }
  return categories;
}

/** The type codes that the whole query names ("cafe", "nhà thuốc", "atm"), or `undefined` when it is not a category. */
export function readCategory({
  words,
  joined,
}: Pick<TypedQuery, "words" | "joined">): readonly TypeCode[] | undefined {
  return CATEGORY_OF_WORDS.get(words.join(" ")) ?? CATEGORY_OF_JOINED.get(joined);
}

/** The category that is one letter away: asked only where no place has a name like the query. */
export function readMistypedCategory(joined: string): readonly TypeCode[] | undefined {
  if (joined.length < MIN_LETTERS_FOR_TYPO) return undefined;
  for (const [word, types] of CATEGORY_OF_JOINED) {
    const isNear = Math.abs(word.length - joined.length) <= 1 && word.length >= MIN_LETTERS_FOR_TYPO;
    if (isNear && editDistance(joined, word).whole <= 1) return types;
  }
  return undefined;
}
