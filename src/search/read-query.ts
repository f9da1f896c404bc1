import { firstLetters, fold, hasMarks, joinWords, markedWords, words } from "../place/text/fold.ts";
import { TYPE_CODES, typesUnder, type TypeCode } from "../place/type-codes.ts";
import { editDistance } from "../place/text/edit-distance.ts";

/**
 * One way to understand a query, as plain data: what a search is planned from. A query may have several readings. Each
 * part that a reading does not have is absent.
 */
export interface Reading {
  /** The words that are compared with the names, types and addresses of places. */
  readonly words: QueryWords;
  /** The query asks for places of these types, whatever they are called. Absent: the query is a name or an address. */
  readonly types?: readonly TypeCode[];
}

/** The words of a query in the forms that lookups and ranking compare. */
export interface QueryWords {
  /** Folded: lower case, without marks. Empty when the query has no letter and no digit. */
  readonly words: readonly string[];
  /** The same words without spaces. */
  readonly joined: string;
  /** The words with their marks; empty when the query has none. */
  readonly markedWords: readonly string[];
}

/**
 * The readings of a query, the likeliest first: a type of place if the whole query names one, then a name. Empty when
 * the query has no letter and no digit.
 */
export function readQuery(text: string): readonly Reading[] {
  const words = readQueryWords(text);
  if (words.joined === "") return [];
  const types = readTypes(words);
  return types ? [{ words, types }, { words }] : [{ words }];
}

/**
 * The longest names and addresses have fewer letters and words than this. One character may fold to eighteen letters
 * (ﷺ), and the engine takes seconds to compare a word of thousands of letters.
 */
const MAX_LETTERS = 120;
const MAX_WORDS = 16;

/** The words of a query. At most 16 words and 120 letters are read. */
export function readQueryWords(text: string): QueryWords {
  const folded = words(firstLetters(fold(text), MAX_LETTERS).trim()).slice(0, MAX_WORDS);
  return {
    words: folded,
    joined: joinWords(folded.join(" ")),
    markedWords: hasMarks(text) ? markedWords(text).slice(0, MAX_WORDS) : [],
  };
}

/** Every way to write a type, folded, with the type codes it means: about 2,500. */
const TYPES_BY_WORDS: ReadonlyMap<string, readonly TypeCode[]> = indexTypes(fold);

/** The same without spaces. Where two become one, "bi a" (billiards) and "bia" (beer), the exact spelling wins. */
const TYPES_BY_JOINED: ReadonlyMap<string, readonly TypeCode[]> = new Map([
  ...indexTypes((label) => joinWords(fold(label))),
  ...TYPES_BY_WORDS,
]);

function indexTypes(toKey: (label: string) => string): Map<string, readonly TypeCode[]> {
  const types = new Map<string, readonly TypeCode[]>();
  for (const code of Object.keys(TYPE_CODES) as TypeCode[]) {
    const { vi, en, words } = TYPE_CODES[code];
    for (const label of [vi, en, ...words]) types.set(toKey(label), typesUnder(code));
  }
  return types;
}

/** The types that the whole query names ("cafe", "nhà thuốc", "atm"); `undefined` when it names none. */
export function readTypes({ words, joined }: QueryWords): readonly TypeCode[] | undefined {
  return TYPES_BY_WORDS.get(words.join(" ")) ?? TYPES_BY_JOINED.get(joined);
}

/** Shorter words are one letter away from too many others: "bar" from "bán", "atm" from "ăn". */
const MIN_LETTERS_FOR_TYPO = 6;

/**
 * The query as a type with one typo; `undefined` when no type is that close. Weaker than every reading of `readQuery`:
 * for a query that no place is named like.
 */
export function readMistypedTypes(words: QueryWords): Reading | undefined {
  const { joined } = words;
  if (joined.length < MIN_LETTERS_FOR_TYPO) return undefined;
  for (const [label, types] of TYPES_BY_JOINED) {
    const isNear = Math.abs(label.length - joined.length) <= 1 && label.length >= MIN_LETTERS_FOR_TYPO;
    if (isNear && editDistance(joined, label).whole <= 1) return { words, types };
  }
  return undefined;
}
