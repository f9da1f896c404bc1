import { NO_PAIRS, type WordPairs } from "../meilisearch/word-pairs.ts";
import { isFiledPhrase } from "../place/document/rest-words.ts";
import { isAbbreviation } from "../place/text/fold.ts";
import { memoize } from "../place/text/memoize.ts";
import { indexWords, type CountedWord, type WordIndex } from "../place/text/word-index.ts";
import { LEXICON } from "./numbers.ts";

/** The words of the dataset, folded, and how many places have each. Made from counts of the index, so it follows every change. */
export interface Lexicon {
  /** How many places have the word in a name. */
  readonly inNames: (word: string) => number;
  /** How many places have a word in an address, and not in a name; or a phrase, by the value that it is filed under. */
  readonly inAddresses: (value: string) => number;
  /** The words that many places have beside a word in a name, and about how many; `undefined` for a word without any. */
  readonly besideInNames: Beside;
  /** The same in a name or an address. */
  readonly besideAnywhere: Beside;
  /** At most how many places have a word in a name that begins so. */
  readonly beginningIn: (beginning: string) => number;
  /** About how many names begin with these letters, without their spaces, with a word or a pair that many have. */
  readonly namesBeginning: (letters: string) => number;
  /** Words of names, and of addresses where there are none, one or two typos away, the likeliest first; none for a word that is too short to tell. */
  readonly alike: (word: string) => readonly string[];
  /** Other words of names one typo away, however short and however well known the word itself. */
  readonly oneTypoAway: (word: string) => readonly string[];
  /** The words that letters without spaces consist of ("bvbachmai"); `undefined` where they are none of the dataset. */
  readonly takeApart: (letters: string) => readonly string[] | undefined;
}

/** The words that stand beside a word, with their counts. */
export type Beside = (word: string) => ReadonlyMap<string, number> | undefined;

/** Before the words are counted, every word may be one of the dataset. */
export const NO_LEXICON: Lexicon = {
  inNames: () => 1,
  inAddresses: () => 1,
  besideInNames: () => undefined,
  besideAnywhere: () => undefined,
  beginningIn: () => Infinity,
  namesBeginning: () => 0,
  alike: () => [],
  oneTypoAway: () => [],
  takeApart: () => undefined,
};

/** The counts of words as the index returns them. */
export interface WordCounts {
  readonly inNames: Readonly<Record<string, number>>;
  readonly inAddresses: Readonly<Record<string, number>>;
  readonly pairs?: WordPairs;
}

/** The lexicon of counted words. */
export function createLexicon({ inNames, inAddresses, pairs = NO_PAIRS }: WordCounts): Lexicon {
  const names = indexWords(Object.entries(inNames));
  // Of house numbers only those that are more common than is assumed of any.
  const addresses = indexWords(
    Object.entries(inAddresses).filter(
      ([word, count]) => count > LEXICON.placesOfNumber || !WITH_DIGIT.test(word),
    ),
  );
  const joinedPairs = indexWords(
    Object.entries(pairs.inNames).flatMap(([pair, count]) => {
      const [one = "", other = ""] = pair.split(" ");
      return [[one + other, count] as const, [other + one, count] as const];
    }),
  );
  const oneTypoAway = memoize((word): readonly string[] =>
    /\d/.test(word)
      ? []
      : likeliest(
          names.within(word, 1).filter((other) => other.word !== word),
          word,
          LEXICON.mostAlikeBesideOthers,
        ),
  );
  const alike = memoize((word): readonly string[] => {
    if (word.length < LEXICON.lettersForTypo || /\d/.test(word)) return [];
    const telex = withoutTelex(word);
    if (telex !== word && names.of(telex) > 0) return [telex];
    const ofNames = oneTypoAway(word);
    if (ofNames.length > 0) return ofNames.slice(0, LEXICON.mostAlike);
    // Words of streets that are in no name.
    const ofStreets = addresses
      .within(word, 1)
      .filter((other) => other.word !== word && !isFiledPhrase(other.word));
    const isLong = word.length >= LEXICON.lettersForTwoTypos;
    const found = ofStreets.length > 0 || !isLong ? ofStreets : names.within(word, 2);
    return likeliest(found, word, LEXICON.mostAlike);
  });
  return {
    alike,
    oneTypoAway,
    inNames: names.of,
    inAddresses: (value) =>
      Math.max(addresses.of(value), WITH_DIGIT.test(value) ? LEXICON.placesOfNumber : 0),
    besideInNames: indexPairs([pairs.inNames]),
    besideAnywhere: indexPairs([pairs.inNames, pairs.inAddresses]),
    beginningIn: names.beginningWith,
    namesBeginning: (letters) => Math.max(names.beginningWith(letters), joinedPairs.beginningWith(letters)),
    takeApart: (letters) => takeApart(letters, names),
  };
}

/** By each of its words, since a mistyped word has up to 24 forms, of which most have no pair. */
function indexPairs(counts: readonly Readonly<Record<string, number>>[]): Beside {
  const beside = new Map<string, Map<string, number>>();
  for (const [pair, count] of counts.flatMap(Object.entries<number>)) {
    const [one = "", other = ""] = pair.split(" ");
    for (const [word, next] of new Map([
      [one, other],
      [other, one],
    ])) {
      const known = beside.getOrInsertComputed(word, () => new Map());
      known.set(next, (known.get(next) ?? 0) + count);
    }
  }
  return (word) => beside.get(word);
}

/** Words with a digit, but for names without their spaces ("bvquan8"). */
const WITH_DIGIT = /^(?![a-z]{3})[^_]*\d/;

/** A word as it is without the letters that Telex takes for marks: "beens" is "bến", "chowj" is "chợ". */
export const withoutTelex = (word: string): string =>
  word
    .replace(/[sfrxj]$/, "")
    .replace(/([aeod])\1/g, "$1")
    .replace(/(?<=[aou])w/g, "");

/** Few people mistype the first letter, and common words are meant more often. */
function likeliest(found: readonly CountedWord[], word: string, most: number): string[] {
  const rank = (one: CountedWord): number =>
    Math.log1p(one.count) + (one.word[0] === word[0] ? LEXICON.firstLetter : 0);
  return found
    .toSorted((a, b) => rank(b) - rank(a) || (a.word < b.word ? -1 : 1))
    .slice(0, most)
    .map((one) => one.word);
}

const VOWEL = /[aeiouy]/;

/** The likeliest division of letters into known words, abbreviations and numbers: of few words, and of common ones. */
function takeApart(letters: string, names: WordIndex): readonly string[] | undefined {
  const { leastLettersJoined: least, mostLettersJoined: most } = LEXICON;
  if (letters.length < least || letters.length > most || !/^[a-z][a-z\d]*$/.test(letters)) return undefined;
  const best: ({ readonly cost: number; readonly words: readonly string[] } | undefined)[] = [
    { cost: 0, words: [] },
  ];
  for (let end = 1; end <= letters.length; end += 1) {
    for (let start = Math.max(0, end - LEXICON.lettersOfPart); start < end; start += 1) {
      const rest = best[start];
      const part = letters.slice(start, end);
      const count = names.of(part);
      if (!rest || rest.words.length >= LEXICON.mostParts) continue;
      const isShort = isAbbreviation(part);
      const isBehindShort = rest.words[0] !== undefined && isAbbreviation(rest.words[0]);
      const isNumber = isWholeNumber(letters, start, end);
      // "gaming" is no "ga mi ng": without a vowel, only the first part may be a name, such as "kfc".
      const mayBeWord = part.length > 1 && (start === 0 || VOWEL.test(part));
      const isKnown = isBehindShort ? count > 0 : count >= LEXICON.placesOfPart && mayBeWord;
      if (!isShort && !isNumber && !isKnown) continue;
      const ofLetter = part.length === 1 && !isNumber ? LEXICON.costOfLetter : 0;
      const cost = rest.cost + ofLetter + Math.log((names.total + 1) / Math.max(count, 1));
      if (cost < (best[end]?.cost ?? Infinity)) best[end] = { cost, words: [...rest.words, part] };
    }
  }
  const found = best[letters.length]?.words;
  return found && found.length > 1 ? found : undefined;
}

/** "bvquan8": digits between letters are one number. */
const isWholeNumber = (letters: string, start: number, end: number): boolean =>
  /^\d+$/.test(letters.slice(start, end)) && !/\d/.test(`${letters[start - 1] ?? ""}${letters[end] ?? ""}`);
