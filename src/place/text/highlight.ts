import { fold, words } from "./fold.ts";

/** A part of a text, in UTF-16 units: what `slice` and most programming languages count. */
export interface TextRange {
  readonly offset: number;
  readonly length: number;
}

/** A word as `fold` parts it, with its marks and the apostrophes inside it. */
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’ʼ`´]*/gu;
const MARK = /^\p{M}$/u;

/**
 * The parts of a text that answer what was typed: of each word that is a typed word or begins with one, as much as was typed. In
 * order, without overlap. `typedWords` are folded. A letter with its marks is never cut, nor is one that folds to two (`ﬁ`).
 */
export function highlight(text: string, typedWords: readonly string[]): TextRange[] {
  const longestFirst = typedWords.toSorted((one, other) => other.length - one.length);
  return [...text.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    const [folded = ""] = words(fold(word));
    const typed = longestFirst.find((candidate) => candidate !== "" && folded.startsWith(candidate));
    return typed === undefined ? [] : [{ offset: index, length: lengthOfPart(word, typed.length) }];
  });
}

/** How much of a word its first folded letters take up, with the marks on the last of them. */
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
