import * as v from "valibot";
import table from "./address-phrases.json" with { type: "json" };
import { readTable, textSchema } from "../read-table.ts";
import { fold, words } from "../text/fold.ts";
import { memoize } from "../text/memoize.ts";
import { shortHash } from "../text/short-hash.ts";
import { isProjectType, isTypeCode, perKinds, TYPE_CODES, type TypeCode } from "./type-codes.ts";

/**
 * The words of type and address by which a place is found, as the index files them. The engine stores every filed value of every place
 * at about fifty bytes, so words that thousands of places share are not filed one by one: the words of a type's labels follow from the
 * type or from one value for all that many types share, and those of a phrase of the address ("Thành phố Hồ Chí Minh") from one value
 * for the whole phrase.
 */

/** The format of `address-phrases.json`: names of places that many addresses end with. */
export const addressPhrasesSchema = v.array(textSchema);

const PHRASES: readonly (readonly string[])[] = readTable(
  "src/place/document/address-phrases.json",
  addressPhrasesSchema,
  table,
).map((phrase) => words(fold(phrase)));

/** No word begins like this. */
const MARK = "_";

const PHRASE_LETTERS = 3;

/** The value of a phrase. It depends on the phrase only, so the order of the file does not matter. */
const codeOfPhrase = (phrase: readonly string[]): string => codeOf(phrase.join(" "));

const codeOf = memoize((phrase) => MARK + shortHash(phrase, PHRASE_LETTERS));

/** Whether a filed value is that of a phrase, and no word. */
export const isFiledPhrase = (value: string): boolean => value.startsWith(MARK);

/** A place without a name is found by its kind only, never by words. */
const NAMELESS = MARK;

const LONGEST_FIRST = PHRASES.toSorted((one, other) => other.length - one.length);
/** The phrases by their first word and by their last, the longest first. */
const PHRASES_BY_WORD = Map.groupBy(LONGEST_FIRST, ([first = ""]) => first);
const PHRASES_BY_LAST = Map.groupBy(LONGEST_FIRST, (phrase) => phrase.at(-1) ?? "");

/** Both labels of a type, folded; empty for an unknown type. */
export const typeLabels = (type: string): string => readLabels()(type);

const readLabels = perKinds(() =>
  memoize((type) => (isTypeCode(type) ? fold(`${TYPE_CODES[type].vi} ${TYPE_CODES[type].en}`) : "")),
);

/** Of the project's types alone: the labels of others are filed word by word, so that no index depends on the kinds of another. */
const PROJECT_TYPES = (Object.keys(TYPE_CODES) as TypeCode[]).filter(isProjectType);

const TYPES_BY_WORD = new Map<string, TypeCode[]>();
for (const type of PROJECT_TYPES) {
  for (const word of new Set(words(typeLabels(type))))
    TYPES_BY_WORD.set(word, [...(TYPES_BY_WORD.get(word) ?? []), type]);
}

/** Looking up more types than these takes longer than what it saves. */
const MOST_TYPES = 12;

const isShared = (word: string): boolean => (TYPES_BY_WORD.get(word)?.length ?? 0) > MOST_TYPES;

const typesWith = (word: string): readonly TypeCode[] =>
  isShared(word) ? [] : (TYPES_BY_WORD.get(word) ?? []);

/** The words of a type's labels that many types share ("cửa hàng", "store"). They are filed as one value, like a phrase. */
const sharedWords = memoize((type): readonly string[] =>
  isProjectType(type) ? [...new Set(words(typeLabels(type)))].filter(isShared).toSorted() : [],
);

const SHARED_SETS = [
  ...new Map(PROJECT_TYPES.map((type) => [sharedWords(type).join(" "), sharedWords(type)])).values(),
].filter((set) => set.length > 0);

/** The values of phrases and sets that hold a word. */
const CODES_BY_WORD = new Map(
  [...new Set([...PHRASES, ...SHARED_SETS].flat())].map((word) => [
    word,
    [...PHRASES, ...SHARED_SETS].filter((one) => one.includes(word)).map(codeOfPhrase),
  ]),
);

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
  const phrases = [sharedWords(type), ...phrasesIn(inAddress)].filter((phrase) =>
    phrase.some((word) => !nameWords.includes(word)),
  );
  const ofType = words(typeLabels(type));
  const isFoundByType = isProjectType(type);
  const known = [...nameWords, ...(isFoundByType ? ofType : []), ...phrases.flat()];
  const others = isFoundByType ? inAddress : [...inAddress, ...ofType];
  return [...new Set([...others.filter((word) => !known.includes(word)), ...phrases.map(codeOfPhrase)])];
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

const POSTCODE = /^\d{5,6}$/;

/** Before a province stands a street with its number. A shorter address may end with a street of that name: "2 Phố Vĩnh Phúc". */
const WORDS_BEFORE_PROVINCE = 3;

/**
 * The words of an address, folded, without the country and the province at its end and the postcode behind that: "Phở Việt Nam" is not
 * any "Phở" in Việt Nam.
 */
export function withoutProvince(address: readonly string[]): readonly string[] {
  let end = address.length;
  for (;;) {
    const at = end - Number(POSTCODE.test(address[end - 1] ?? ""));
    const phrase = PHRASES_BY_LAST.get(address[at - 1] ?? "")?.find((one) => endsAt(address, at, one));
    if (phrase === undefined || at - phrase.length < WORDS_BEFORE_PROVINCE) return address.slice(0, end);
    end = at - phrase.length;
  }
}

const endsAt = (address: readonly string[], end: number, phrase: readonly string[]): boolean =>
  phrase.every((word, index) => address[end - phrase.length + index] === word);

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
