import * as v from "valibot";
import table from "./address-phrases.json" with { type: "json" };
import { readTable, textSchema } from "./read-table.ts";
import { fold, words } from "./text/fold.ts";
import { memoize } from "./text/memoize.ts";
import { shortHash } from "./text/short-hash.ts";
import { isTypeCode, TYPE_CODES, type TypeCode } from "./type-codes.ts";

/**
 * The words of type and address by which a place is found, as the index files them. The engine stores every filed value of every place
 * at about fifty bytes, so words that thousands of places share are not filed one by one: the words of a type's labels follow from the
 * type, and those of a phrase of the address ("Thành phố Hồ Chí Minh") from one value for the whole phrase.
 */

/** The format of `address-phrases.json`: names of places that many addresses end with. */
export const addressPhrasesSchema = v.array(textSchema);

const PHRASES: readonly (readonly string[])[] = readTable(
  "src/place/address-phrases.json",
  addressPhrasesSchema,
  table,
).map((phrase) => words(fold(phrase)));

/** No word begins like this. */
const MARK = "_";

const PHRASE_LETTERS = 3;

/** The value of a phrase. It depends on the phrase only, so the order of the file does not matter. */
const codeOfPhrase = (phrase: readonly string[]): string =>
  MARK + shortHash(phrase.join(" "), PHRASE_LETTERS);

/** A place without a name is found by its kind only, never by words. */
const NAMELESS = MARK;

/** The phrases by their first word, the longest first. */
const PHRASES_BY_WORD = Map.groupBy(
  PHRASES.toSorted((one, other) => other.length - one.length),
  ([first = ""]) => first,
);

const CODES_BY_WORD = new Map(
  [...new Set(PHRASES.flat())].map((word) => [
    word,
    PHRASES.filter((phrase) => phrase.includes(word)).map(codeOfPhrase),
  ]),
);

/** Both labels of a type, folded; empty for an unknown type. */
export const typeLabels = memoize((type) =>
  isTypeCode(type) ? fold(`${TYPE_CODES[type].vi} ${TYPE_CODES[type].en}`) : "",
);

const TYPES_BY_WORD = new Map<string, TypeCode[]>();
for (const type of Object.keys(TYPE_CODES) as TypeCode[]) {
  for (const word of new Set(words(typeLabels(type))))
    TYPES_BY_WORD.set(word, [...(TYPES_BY_WORD.get(word) ?? []), type]);
}

/** A word that more types share is filed with each place: looking up so many types takes longer than one word. */
const MOST_TYPES = 4;

const typesWith = (word: string): readonly TypeCode[] => {
  const types = TYPES_BY_WORD.get(word) ?? [];
  return types.length > MOST_TYPES ? [] : types;
};

/** The words of a place besides those of its names. */
export interface RestOfPlace {
  readonly type: string;
  /** Folded. */
  readonly address: string;
  readonly nameWords: readonly string[];
  readonly isNameless: boolean;
}

/** The values by which `filedUnder` finds the words of type and address. Words of the names are found by the names. */
export function fileRestWords({ type, address, nameWords, isNameless }: RestOfPlace): string[] {
  if (isNameless) return [NAMELESS];
  const inAddress = words(address);
  const phrases = phrasesIn(inAddress).filter((phrase) => phrase.some((word) => !nameWords.includes(word)));
  const known = new Set([...nameWords, ...phrases.flat()]);
  const inLabels = words(typeLabels(type));
  const ofType = new Set(inLabels.filter((word) => typesWith(word).length > 0));
  const others = [...inLabels, ...inAddress].filter((word) => !known.has(word) && !ofType.has(word));
  return [...new Set([...others, ...phrases.map(codeOfPhrase)])];
}

/** The phrases in an address, the longest first where they overlap. */
function phrasesIn(address: readonly string[]): (readonly string[])[] {
  const found: (readonly string[])[] = [];
  for (let at = 0; at < address.length; at += 1) {
    const phrase = PHRASES_BY_WORD.get(address[at] ?? "")?.find((one) =>
      one.every((word, index) => address[at + index] === word),
    );
    if (!phrase) continue;
    found.push(phrase);
    at += phrase.length - 1;
  }
  return found;
}

/** How a word of type or address is looked up: a place that has a name has it with one of these values, or one of these types. */
export interface FiledWord {
  readonly values: readonly string[];
  readonly types: readonly string[];
}

export const filedUnder = (word: string): FiledWord => ({
  values: [word, ...(CODES_BY_WORD.get(word) ?? [])],
  types: typesWith(word),
});

/** The value of places that no word finds. */
export const NEVER_BY_WORDS = NAMELESS;
