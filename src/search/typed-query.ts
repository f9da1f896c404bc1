import { firstLetters, fold, joinWords, words } from "../text/fold.ts";
import { hasMarks, markedWords } from "../text/marks.ts";

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
