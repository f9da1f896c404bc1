import { fold, joinWords, words } from "../text/fold.ts";
import { hasMarks, markedWords } from "../text/marks.ts";

/** A caller's query in the forms that lookups and ranking compare. */
export interface TypedQuery {
  readonly text: string;
  /** Folded: lower case, without marks. Empty when the query holds no letter and no digit. */
  readonly words: readonly string[];
  readonly joined: string;
  /** With their marks, when any was typed; none otherwise. */
  readonly markedWords: readonly string[];
}

export function readTypedQuery(text: string): TypedQuery {
  const folded = fold(text);
  return {
    text,
    words: words(folded),
    joined: joinWords(folded),
    markedWords: hasMarks(text) ? markedWords(text) : [],
  };
}
