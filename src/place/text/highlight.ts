import { fold, words } from "./fold.ts";

/** A part of a text, in UTF-16 units: what `slice` and most programming languages count. */
export interface TextRange {
  readonly offset: number;
  readonly length: number;
}

/** A word as `fold` separates them, with its marks and the apostrophes inside it. */
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’ʼ`´]*/gu;
const MARK = /^\p{M}$/u;

/**
 * The parts of a text that match what was typed: for each word that is or begins with a typed word, as much
 * as was typed. In order, without overlap. `typedWords` are folded. Never cuts a letter from its marks, nor a
 * character that folds to two letters (`ﬁ`).
 */
export function highlight(text: string, typedWords: readonly string[]): TextRange[] {
  const longestFirst = typedWords.toSorted((one, other) => other.length - one.length);
  return [...text.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    const [folded = ""] = words(fold(word));
    const typed = longestFirst.find((candidate) => candidate !== "" && folded.startsWith(candidate));
    return typed === undefined ? [] : [{ offset: index, length: lengthOfPart(word, typed.length) }];
  });
}

/**
 * The length of the part of a word that its first folded letters take up, including marks on the last letter.
 */
function lengthOfPart(word: string, foldedLength: number): number {
  let length = 0;
  let folded = 0;
  for (const letter of word) {
    if (folded >= foldedLength && !MARK.test(letter)) break;
    length += letter.length;
    folded += fold(letter).length;
  }
  return length;
}
