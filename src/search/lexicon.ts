import { isFiledPhrase } from "../place/rest-words.ts";
import { isAbbreviation } from "../place/text/fold.ts";
import { memoize } from "../place/text/memoize.ts";

/**
 * The words of the dataset: how many places have each in a name or in an address. Made from the counts that the index keeps of
 * its values, so it follows every import and every change. Words are folded.
 */
export interface Lexicon {
  /** How many places have the word in a name. */
  readonly inNames: (word: string) => number;
  /** How many places have a word in an address, and not in a name; or a phrase, by the value that it is filed under. */
  readonly inAddresses: (value: string) => number;
  /** At most how many places have a word in a name that begins so. */
  readonly beginningIn: (beginning: string) => number;
  /** Words of names, and of addresses where there are none, one or two typos away, the likeliest first; none for a word that is too short to tell. */
  readonly alike: (word: string) => readonly string[];
  /** Other words of names one typo away, however short and however well known the word itself. */
  readonly oneTypoAway: (word: string) => readonly string[];
  /** The words that letters without spaces consist of ("bvbachmai"); `undefined` where they are none of the dataset. */
  readonly takeApart: (letters: string) => readonly string[] | undefined;
}

/** Before the words are counted, every word may be one of the dataset. */
export const NO_LEXICON: Lexicon = {
  inNames: () => 1,
  inAddresses: () => 1,
  beginningIn: () => Infinity,
  alike: () => [],
  oneTypoAway: () => [],
  takeApart: () => undefined,
};

/** The counts of words as the index returns them. */
export interface WordCounts {
  readonly inNames: Readonly<Record<string, number>>;
  readonly inAddresses: Readonly<Record<string, number>>;
}

/** From so many letters on, a word may have one typo, or two. Of three letters, one typo leaves too little. */
const LETTERS_FOR_TYPO = 4;
const LETTERS_FOR_TWO_TYPOS = 8;

/** Further words are seldom meant, and each widens a lookup. */
const MOST_ALIKE = 4;
/** Beside the other words of a name, which narrow it. A syllable of three letters has some twenty neighbours that are common. */
const MOST_BESIDE_OTHERS = 24;

/** The words of names in order, with their counts: two arrays take a fifth of the memory of a map. */
export function createLexicon({ inNames, inAddresses }: WordCounts): Lexicon {
  const names = createCounts(inNames);
  const addresses = createCounts(withoutNumbers(inAddresses));
  const alike = memoize((word): readonly string[] => {
    if (word.length < LETTERS_FOR_TYPO || /\d/.test(word)) return [];
    const telex = withoutTelex(word);
    if (telex !== word && names.of(telex) > 0) return [telex];
    const ofNames = names.within(word, 1).filter((other) => other.word !== word);
    // Words of streets that are in no name.
    const one =
      ofNames.length > 0
        ? ofNames
        : addresses.within(word, 1).filter((other) => other.word !== word && !isFiledPhrase(other.word));
    const found = one.length > 0 || word.length < LETTERS_FOR_TWO_TYPOS ? one : names.within(word, 2);
    return likeliest(found, word, MOST_ALIKE);
  });
  const oneTypoAway = memoize((word): readonly string[] =>
    /\d/.test(word)
      ? []
      : likeliest(
          names.within(word, 1).filter((other) => other.word !== word),
          word,
          MOST_BESIDE_OTHERS,
        ),
  );
  return {
    alike,
    oneTypoAway,
    inNames: names.of,
    inAddresses: (value) => (HOUSE_NUMBER.test(value) ? PLACES_OF_NUMBER : addresses.of(value)),
    beginningIn: names.beginningWith,
    takeApart: (letters) => takeApart(letters, names),
  };
}

/** House numbers are most of the words of addresses, and are not kept: about so many places have each. */
const PLACES_OF_NUMBER = 100;
/** Words with a digit, but for names without their spaces ("bvquan8"). */
const HOUSE_NUMBER = /^(?![a-z]{3})[^_]*\d/;

const withoutNumbers = (counts: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).filter(([word]) => !HOUSE_NUMBER.test(word)));

/** A word as it is without the letters that Telex takes for marks: "beens" is "bến", "chowj" is "chợ". */
const withoutTelex = (word: string): string =>
  word
    .replace(/[sfrxj]$/, "")
    .replace(/([aeod])\1/g, "$1")
    .replace(/(?<=[aou])w/g, "");

interface Alike {
  readonly word: string;
  readonly count: number;
}

/** Few people mistype the first letter, and common words are meant more often. */
function likeliest(found: readonly Alike[], word: string, most: number): string[] {
  const rank = (one: Alike): number =>
    Math.log1p(one.count) + (one.word[0] === word[0] ? FIRST_LETTER_BONUS : 0);
  return found
    .toSorted((a, b) => rank(b) - rank(a) || (a.word < b.word ? -1 : 1))
    .slice(0, most)
    .map((one) => one.word);
}

/** The same first letter counts as much as being twenty times as common. */
const FIRST_LETTER_BONUS = 3;

interface Counts {
  readonly of: (word: string) => number;
  readonly beginningWith: (beginning: string) => number;
  /** The words at most so many letters away: inserted, deleted, replaced or swapped with a neighbour. */
  readonly within: (word: string, edits: number) => Alike[];
  readonly total: number;
}

function createCounts(record: Readonly<Record<string, number>>): Counts {
  const sorted = Object.keys(record).sort();
  const counts = Uint32Array.from(sorted, (word) => record[word] ?? 0);
  // Sums of the counts before each word: those of a beginning are one subtraction.
  const before = new Float64Array(sorted.length + 1);
  for (const [index, count] of counts.entries()) before[index + 1] = before[index]! + count;

  /** The position of the first word that is not before `text`, from `from` on. */
  const firstFrom = (text: string, from = 0): number => {
    let to = sorted.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (sorted[middle]! < text) from = middle + 1;
      else to = middle;
    }
    return from;
  };

  return {
    of: (word) => {
      const at = firstFrom(word);
      return sorted[at] === word ? counts[at]! : 0;
    },
    beginningWith: (beginning) => before[firstFrom(`${beginning}\uffff`)]! - before[firstFrom(beginning)]!,
    within: (word, edits) => wordsWithin(word, edits, { sorted, counts, firstFrom }),
    total: before[sorted.length]!,
  };
}

interface SortedWords {
  readonly sorted: readonly string[];
  readonly counts: Uint32Array;
  readonly firstFrom: (text: string, from: number) => number;
}

/** Words in order that share their first `depth` letters. */
interface Branch {
  readonly from: number;
  readonly to: number;
  readonly depth: number;
  /** The distances of the shared letters to the beginnings of the word, and those of one letter less. */
  readonly row: readonly number[];
  readonly above: readonly number[];
}

/** Walks sorted words letter by letter, and leaves out all that share a beginning which is too far away. */
function wordsWithin(word: string, edits: number, { sorted, counts, firstFrom }: SortedWords): Alike[] {
  const found: Alike[] = [];
  const walk = ({ from, to, depth, row, above }: Branch): void => {
    let at = from;
    if (sorted[at]!.length === depth) {
      if (row[word.length]! <= edits) found.push({ word: sorted[at]!, count: counts[at]! });
      at += 1;
    }
    while (at < to) {
      const letter = sorted[at]![depth]!;
      const prefix = sorted[at]!.slice(0, depth);
      const end = Math.min(to, firstFrom(prefix + String.fromCharCode(letter.charCodeAt(0) + 1), at));
      const before = depth > 0 ? prefix[depth - 1]! : "";
      const next = nextRow(word, { letter, before, row, above, depth });
      if (Math.min(...next) <= edits) walk({ from: at, to: end, depth: depth + 1, row: next, above: row });
      at = end;
    }
  };
  const row = Array.from({ length: word.length + 1 }, (_, index) => index);
  if (sorted.length > 0) walk({ from: 0, to: sorted.length, depth: 0, row, above: row });
  return found;
}

interface RowStep {
  readonly letter: string;
  readonly before: string;
  readonly row: readonly number[];
  readonly above: readonly number[];
  readonly depth: number;
}

/** The next row of the table of optimal string alignment distances (Damerau 1964), as `editDistance` computes it. */
function nextRow(word: string, { letter, before, row, above, depth }: RowStep): number[] {
  const next = [depth + 1];
  for (let column = 1; column <= word.length; column += 1) {
    const typed = word[column - 1];
    let least = Math.min(
      row[column - 1]! + (typed === letter ? 0 : 1),
      row[column]! + 1,
      next[column - 1]! + 1,
    );
    const isSwap = column > 1 && typed === before && word[column - 2] === letter;
    if (isSwap) least = Math.min(least, above[column - 2]! + 1);
    next.push(least);
  }
  return next;
}

/** Shorter texts consist of syllables by chance; longer ones are no words of a person. */
const LETTERS_TO_TAKE_APART = { least: 6, most: 40 };
/** "thptchuvanan" has four words; few names have more than eight. */
const MOST_PARTS = 8;
const LETTERS_OF_LONGEST_PART = 12;
/** Without an abbreviation before them, single letters and words of one name are parts of too many others. */
const PLACES_OF_PART = 2;
/** Behind one, a single letter is a word of a name now and then ("dh y ha noi"). */
const COST_OF_LETTER = 4;

/** The likeliest division of letters into known words, abbreviations and numbers: of few words, and of common ones. */
function takeApart(letters: string, names: Counts): readonly string[] | undefined {
  const { least, most } = LETTERS_TO_TAKE_APART;
  if (letters.length < least || letters.length > most || !/^[a-z][a-z\d]*$/.test(letters)) return undefined;
  const best: ({ readonly cost: number; readonly words: readonly string[] } | undefined)[] = [
    { cost: 0, words: [] },
  ];
  for (let end = 1; end <= letters.length; end += 1) {
    for (let start = Math.max(0, end - LETTERS_OF_LONGEST_PART); start < end; start += 1) {
      const rest = best[start];
      const part = letters.slice(start, end);
      const count = names.of(part);
      if (!rest || rest.words.length >= MOST_PARTS) continue;
      const isShort = isAbbreviation(part);
      const isBehindShort = rest.words[0] !== undefined && isAbbreviation(rest.words[0]);
      const isNumber = isWholeNumber(letters, start, end);
      const isKnown = isBehindShort ? count > 0 : count >= PLACES_OF_PART && part.length > 1;
      if (!isShort && !isNumber && !isKnown) continue;
      const ofLetter = part.length === 1 && !isNumber ? COST_OF_LETTER : 0;
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
