import type { Coordinates } from "../../place/geometry/coordinates.ts";
import { fold, hasMarks, isAbbreviation, markedWords, words } from "../../place/text/fold.ts";
import { memoize } from "../../place/text/memoize.ts";
import type { Phrase, Vocabulary } from "../vocabulary/vocabulary.ts";
import { READING } from "../numbers.ts";

/** One word of a query. */
export interface Token {
  /** Folded: lower case, without marks. */
  readonly word: string;
  /** In lower case with marks, as `markedWords` writes them. */
  readonly marked: string;
  /** True when the word was typed with marks, which then matter. */
  readonly hasMarks: boolean;
  /** The text between the previous word and this one: " ", ", ", "/". */
  readonly gap: string;
}

/** The words of a query, what is known of words, and where the caller is. */
export interface Asked {
  readonly tokens: readonly Token[];
  readonly vocabulary: Vocabulary;
  readonly near?: Coordinates | undefined;
  /** How likely a sentence needs a kind with these codes, 0 to 1, beside the kind that it needs most. */
  readonly likelihoodOf?: (codes: readonly string[]) => number;
}

/** Words of a query in a row: from one index to before another. */
export interface WordRange {
  readonly start: number;
  readonly end: number;
}

/** Whether a word is one of them. */
export const holds = ({ start, end }: WordRange, at: number): boolean => start <= at && at < end;

/** Whether some words belong to both. */
export const overlap = (one: WordRange, other: WordRange): boolean =>
  one.start < other.end && other.start < one.end;

export const range = (start: number, end: number): number[] =>
  Array.from({ length: end - start }, (_, index) => start + index);

const STOP = /[,;?\n]|:\s/;

/** A word without a vowel is an abbreviation, whose dot ends no sentence: "St. Joseph". */
const VOWEL = /[aeiouy]/;

/** Whether a comma, a colon or the end of a sentence stands between words: before one of those from `start` to `end`. */
export const hasStop = (tokens: readonly Token[], start: number, end: number): boolean =>
  range(start, Math.min(end + 1, tokens.length)).some((at) => {
    const { gap } = tokens[at]!;
    return STOP.test(gap) || (/\.\s/.test(gap) && VOWEL.test(tokens[at - 1]?.word ?? ""));
  });

/** All words in a row of a text of so many words. */
export const rangesOf = (length: number): WordRange[] =>
  range(0, length).flatMap((start) => range(start + 1, length + 1).map((end) => ({ start, end })));

/** The words in a row with whose letters a phrase or a name begins, up to the longest: most words go on with nothing. */
export function rangesBegun({ tokens, vocabulary: { begins } }: Asked): WordRange[] {
  const ranges: WordRange[] = [];
  for (let start = 0; start < tokens.length; start += 1) {
    const last = Math.min(tokens.length, start + READING.wordsOfPhrase);
    let letters = tokens[start]!.word;
    for (let end = start + 1; end <= last && begins(letters); end += 1) {
      ranges.push({ start, end });
      letters += tokens[end]?.word ?? "";
    }
  }
  return ranges;
}

export const pick = (tokens: readonly Token[], indexes: readonly number[]): Token[] =>
  indexes.map((index) => tokens[index]!);

/** Another word, without marks, in the place of one. */
export const respell = (token: Token, word: string): Token => ({
  ...token,
  word,
  marked: word,
  hasMarks: false,
});

const WORDS = /[\p{L}\p{N}\p{M}]+(?:['’ʼ`´][\p{L}\p{N}\p{M}]+)*/gu;

/** The words of a query. They equal the words of its folded text, with the details that `fold` removes. */
export function toTokens(text: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  let letters = 0;
  // As in `fold`: some symbols become words under this normalization ("㋀").
  const plain = text.normalize("NFKC");
  for (const { 0: typed, index } of plain.matchAll(WORDS)) {
    let gap = plain.slice(end, index);
    end = index + typed.length;
    // The full stop of "Hauptstr." belongs to the word.
    const { folded, marked, isMarked } = readWord(plain[end] === "." ? `${typed}.` : typed);
    for (const [position, word] of folded.entries()) {
      letters += word.length;
      const isWord = word.length <= READING.lettersOfName && letters <= READING.mostLetters;
      if (tokens.length === READING.mostWords || !isWord) return tokens;
      tokens.push({ word, marked: marked[position] ?? word, hasMarks: isMarked, gap });
      gap = " ";
    }
  }
  return tokens;
}

/** One typed word, which may fold to several: "½" is "1 2", "bv" is "bệnh viện". Queries have the same words again and again. */
const readWord = memoize((typed) => {
  const word = typed.endsWith(".") ? typed.slice(0, -1) : typed;
  const isMarked = hasMarks(word);
  const marked = isMarked || isAbbreviation(word) ? markedWords(word) : [];
  return { folded: words(fold(typed)), marked, isMarked };
});

/** The letters of tokens without the spaces between them, from `start` up to `end`. */
export function lettersOf(tokens: readonly Token[], start = 0, end = tokens.length): string {
  let letters = "";
  for (let at = start; at < end; at += 1) letters += tokens[at]!.word;
  return letters;
}

/** A part of a query in the forms that lookups and ranking compare. */
export interface TypedWords {
  readonly words: readonly string[];
  /** The words without spaces. */
  readonly joined: string;
  /** The words with marks if any word has marks, else empty. */
  readonly markedWords: readonly string[];
  /** The words that were typed, where `words` has an abbreviation of theirs in full. They say how much was typed. */
  readonly typed?: readonly string[];
}

/** Words as they are looked up and compared: as many as the longest names have. */
export function toTypedWords(tokens: readonly Token[]): TypedWords {
  let letters = 0;
  const some = tokens
    .slice(0, READING.wordsOfName)
    .filter(({ word }) => (letters += word.length) <= READING.lettersOfName);
  const typed = some.map(({ word }) => word);
  const isMarked = some.some((token) => token.hasMarks);
  return {
    words: typed,
    joined: typed.join(""),
    markedWords: isMarked ? some.map(({ marked }) => marked) : [],
  };
}

/** Folded words that nobody typed, as they are looked up. */
export const toFoldedWords = (folded: readonly string[]): TypedWords => ({
  words: folded,
  joined: folded.join(""),
  markedWords: [],
});

/** How well typed words match the marks of a spelling. A `slip` is one word of several with wrong marks, the others with the right ones. */
export type Agreement = "exact" | "possible" | "slip" | "none";

/**
 * "phở" is not "phố". A word without marks may have any, but not alone in a query that has some: the "cho" of "cho tôi" is not "chợ". Nor is a
 * word that says no kind a slip for another: the "nha mấy" of "rẻ nha mấy bạn" is no "nhà máy", "đường Đông" no Dương Đông.
 */
export function agreement(
  tokens: readonly Token[],
  marked: readonly string[],
  isQueryMarked: boolean,
  { phrases }: Pick<Vocabulary, "phrases">,
): Agreement {
  if (tokens.length !== marked.length) return agreementOfLetters(tokens, marked.join(""));
  const others = tokens.filter((token, index) => token.marked !== marked[index]);
  if (others.length === 0) return "exact";
  const wrong = others.find(({ hasMarks: isMarked }) => isMarked);
  if (wrong) {
    const isLong = tokens.length > 1 && lettersOf(tokens).length >= READING.lettersForSlip;
    const isWord = phrases
      .get(wrong.word)
      ?.some(({ role, marked: spelling }) => role !== "kind" && spelling.join(" ") === wrong.marked);
    return isLong && others.length === 1 && isWord !== true ? "slip" : "none";
  }
  if (!isQueryMarked) return "exact";
  return tokens.length > 1 ? "possible" : "none";
}

/** Compares words that were joined or split otherwise, letter by letter: the "da ở" of "chợ hàng da ở đâu" is no "đào". */
function agreementOfLetters(tokens: readonly Token[], marked: string): Agreement {
  let at = 0;
  for (const token of tokens) {
    const end = at + token.word.length;
    if (token.hasMarks && marked.slice(at, end) !== token.marked) return "none";
    at = end;
  }
  return tokens.some((token) => token.hasMarks) ? "possible" : "exact";
}

/** All meanings of the words from `start` to `end`. */
export function phrasesAt({ tokens, vocabulary }: Asked, start: number, end: number): readonly Phrase[] {
  const joined = lettersOf(tokens, start, end);
  const known = vocabulary.phrases.get(joined);
  if (known === undefined) return [];
  const typed = tokens.slice(start, end);
  const isMarked = tokens.some((token) => token.hasMarks);
  const isSpacedAs = (words: readonly string[]): boolean =>
    words.length === typed.length && words.every((word, index) => word === typed[index]!.word);
  // "quán bia" is no "quán bi a".
  const isAnySpacedAs = known.some(({ words }) => isSpacedAs(words));
  const compared = known.flatMap((phrase) => {
    const hasSameSpaces = isSpacedAs(phrase.words);
    if (isAnySpacedAs && !hasSameSpaces) return [];
    if (!hasSameSpaces && joined.length < READING.lettersWithoutSpaces) return [];
    const agreed = agreement(typed, hasSameSpaces ? phrase.marked : [], isMarked, vocabulary);
    return { phrase, agreed: agreed === "none" && mayLackMarks(phrase, typed, known) ? "possible" : agreed };
  });
  // "cơm cháy" is no "cơm chay" with a slip.
  const isKnown = compared.some(({ agreed }) => agreed !== "none" && agreed !== "slip");
  return compared
    .filter(({ phrase: { role }, agreed }) =>
      agreed === "slip" ? role === "kind" && !isKnown : agreed !== "none",
    )
    .map(({ phrase }) => phrase);
}

/**
 * The "duong" of "duong Nguyễn Huệ": no word is spelled so, and the name was picked from a list or corrected by a keyboard. Other words
 * that say where are something else without marks: "gan" is liver, and "canh" a soup.
 */
const mayLackMarks = ({ role }: Phrase, [typed]: readonly Token[], known: readonly Phrase[]): boolean =>
  role === "address" &&
  typed?.hasMarks === false &&
  known.every(({ marked }) => marked.join(" ") !== typed.word);

/** Whether the words from `start` to `end` have such a meaning. */
export const means = (
  asked: Asked,
  start: number,
  end: number,
  wanted: Partial<Pick<Phrase, "role" | "meaning" | "language">>,
): boolean =>
  phrasesAt(asked, start, end).some(
    ({ role, meaning, language }) =>
      role === (wanted.role ?? role) &&
      meaning === (wanted.meaning ?? meaning) &&
      language === (wanted.language ?? language),
  );

/** All words of a query. Reads as many as a name has. */
export const readQueryWords = (text: string): TypedWords => toTypedWords(toTokens(text));
