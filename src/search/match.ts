import type { PlaceCandidate } from "../meilisearch/place-index.ts";
import { editDistance } from "../place/text/edit-distance.ts";
import { fold, hasMarks, joinWords, markedWords, words } from "../place/text/fold.ts";
import { memoize } from "../place/text/memoize.ts";
import type { AddressReading } from "./reading/address.ts";
import type { KindReading, NameWords } from "./reading/reading.ts";
import type { TypedWords } from "./reading/tokens.ts";
import { inNamesOf, numberWordsOf, parentsOfKinds, typesOfKinds } from "./plan.ts";

/** How well a place matches a reading of a query, from 0 to 1: by name, kind or address. */

/** The whole query is the whole name. A far place of this name comes before near places with almost this name. */
export const WHOLE_NAME = 1;
/** The best that anything but the whole name can reach. */
const PART_OF_NAME = 0.86;
/** A name that begins with what was typed. */
const BEGUN_NAME = 0.88;
/** Of two names with everything that was typed, the one with less besides is a little likelier. */
const EXTRA_LETTERS_WEIGHT = 0.09;
/** Missing and mistyped letters count more than their share: three words of four are much less than all four. */
const MISSING_EXPONENT = 1.6;
/** A word of the address or the type matches nearly as well as a word of the name. */
const OTHER_WORD_CREDIT = 0.92;
/** All words in the address in this order match better: house 358, not 358/67 of the same street. */
const PHRASE_CREDIT = 0.96;
/** A word with one typo. */
const MISTYPED_WORD_CREDIT = 0.8;
const MIN_LETTERS_FOR_TYPO = 4;
/** "đường" typed with its marks is not "dương". This never outweighs a letter, and a name without marks loses nothing. */
const WRONG_MARKS_WEIGHT = 0.03;

/** Half of the typed letters reach this. A place below it has little to do with the query and is dropped. */
const LOWEST_QUALITY = 0.25;

/** A place whose name alone says the kind ("Pizza 4P's", a restaurant) competes with typed ones; this is worth 500 metres. */
export const ONLY_NAMED_PENALTY = 0.03;

/** Of places that may offer a product, one within some 2 km whose name says so comes before the nearest others. */
const UNNAMED_PRODUCT_PENALTY = 0.06;

/** In "làm chìa khóa xe máy", the second kind says more about the first. */
const SECOND_KIND_PENALTY = 0.06;

/** A place that is filed as a place of worship may be a pagoda: near ones come before pagodas that are far away. */
const PARENT_TYPE_PENALTY = 0.08;

/** Any house of the street matches this well; the right number the whole. */
const STREET_QUALITY = 0.8;
/** A street without a number is as good as all words in an address: a name that holds them comes first. */
const STREET_ALONE_QUALITY = PART_OF_NAME * PHRASE_CREDIT ** MISSING_EXPONENT;
/** The right house number but another alley or flat: 12/5 for 12/3. */
const SAME_HOUSE_CREDIT = 0.8;
/** Another number of the street, the nearer the better: half at ten numbers away. */
const OTHER_HOUSE_CREDIT = 0.6;
const HALF_NUMBER_STEPS = 10;
const MISTYPED_STREET_CREDIT = 0.9;
/** "so nha 12 3 5b duong": no address has more words before its street. */
const MOST_NUMBER_WORDS = 5;

/** How well a place matches the text of a query; `undefined` for a place that does not match. */
export type ReadText = (place: PlaceCandidate) => TextQuality | undefined;

/** How well a place matches the words of a query. */
export interface TextQuality {
  /** 0 to 1. */
  readonly quality: number;
  /** The query is one of its names. */
  readonly isWholeName: boolean;
  /** A name begins with the query. */
  readonly isBegun?: true;
  /** Every typed letter is there, without a typo. */
  readonly isComplete: boolean;
  /**
   * How much the query is like a whole name of the place, 0 to 1: the share of letters that need no change. 0, since not
   * compared, where every word is in the names.
   */
  readonly likeness: number;
}

/**
 * For a reading with kinds: places of the types, and places whose names say the kind. Words besides the kind must be in
 * the name or the address.
 */
export function readKindText(kinds: readonly KindReading[], others: TypedWords): ReadText {
  const wanted = new Set<string>(typesOfKinds(kinds));
  const first = new Set<string>(typesOfKinds(kinds.slice(0, 1)));
  const parents = new Set<string>(parentsOfKinds(kinds));
  const spoken = kinds
    .flatMap(inNamesOf)
    .map(({ words: one, marked }) => ({ folded: one.join(" "), marked }));
  const whole = kinds.map(({ words: kindWords }) => kindWords.join(""));
  const isProduct = kinds.length > 0 && kinds.every((kind) => kind.isProduct);
  return (place) => {
    const { foldedNames } = place;
    const isNamed = foldedNames.some((name) => whole.includes(joinWords(name)));
    const isOfType = wanted.has(place.type) || isNamed;
    // What the names of a place of the type say makes a difference for products only.
    const isSpoken = isNamed || ((isProduct || !isOfType) && spoken.some((one) => saysKind(place, one)));
    if (!isSpoken && !isOfType && !parents.has(place.type)) return undefined;
    const isSecond = isOfType && !isNamed && !first.has(place.type);
    const ofKind = isOfType ? 0 : isSpoken ? ONLY_NAMED_PENALTY : PARENT_TYPE_PENALTY;
    const penalty = ofKind + (isProduct && !isSpoken ? UNNAMED_PRODUCT_PENALTY : 0);
    const quality = WHOLE_NAME - penalty - (isSecond ? SECOND_KIND_PENALTY : 0);
    if (others.words.length === 0) return { quality, isWholeName: false, isComplete: true, likeness: 1 };
    const { found, isComplete } = matchWords(others.words, place);
    // Half a name is rather meant than a kind in a street: "cafe hoan" is "Cafe Hoàng Tùng" before a café in Hoàn Kiếm.
    const ofOthers = PART_OF_NAME * (OTHER_WORD_CREDIT * found) ** MISSING_EXPONENT;
    return { quality: quality * ofOthers, isWholeName: false, isComplete, likeness: found };
  };
}

/** The words of a kind, folded, and their spellings with marks. */
interface SpokenKind extends Pick<NameWords, "marked"> {
  readonly folded: string;
}

/** Whether a name of the place holds the words of a kind; a title that has marks, with their marks. */
function saysKind(place: PlaceCandidate, { folded, marked }: SpokenKind): boolean {
  if (!place.foldedNames.some((name) => holdsWords(name, folded))) return false;
  if (marked.length === 0) return true;
  const ofTitle = readTitleMarks(place.title);
  if (ofTitle.length === 0 || !holdsWords(foldedTitleOf(place), folded)) return true;
  const joined = ofTitle.join(" ");
  return marked.some((spelling) => holdsWords(joined, spelling));
}

/** Whether a text holds words in a row, all of them whole. */
function holdsWords(text: string, wanted: string): boolean {
  if (wanted === "") return text === "";
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    if ((at === 0 || text[at - 1] === " ") && (end === text.length || text[end] === " ")) return true;
  }
  return false;
}

/** A title with such a character does not fold to nothing. */
const SURE_LETTER = /[\p{Script=Latin}\d]/u;

/** The title, folded: the first of the folded names unless it folds to nothing. */
const foldedTitleOf = ({ title, foldedNames }: PlaceCandidate): string =>
  SURE_LETTER.test(title) ? (foldedNames[0] ?? "") : fold(title);

/** The words of a title with their marks; none for a title without marks. Chains have the same title many times. */
const readTitleMarks = memoize((title) => (hasMarks(title) ? markedWords(title) : []));

/** For an address: the house, then the nearest numbers of its street; a street with a typo comes after one without. */
export function readAddressText(address: AddressReading, name: TypedWords): ReadText {
  const numbers = numberWordsOf(address);
  const street = address.street.words;
  const alleys = address.alleys.length > 0 ? numbers.slice(address.number === undefined ? 0 : 1) : [];
  const wanted = Number.parseInt(numbers[0] ?? "", 10);
  return (place) => {
    const rest = words(place.foldedRest);
    const at = findStreet(rest, street);
    if (at === undefined) return undefined;
    const houses = numbersBefore(rest, at.start);
    const isHouse = numbers.length > 0 && numbers.toSorted().join(" ") === houses.toSorted().join(" ");
    const isInAlley = alleys.length > 0 && alleys.every((number) => houses.includes(number));
    const isSameNumber = numbers.length > 0 && numbers[0] === houses[0];
    const steps = Math.abs(Number.parseInt(houses[0] ?? "", 10) - wanted);
    const nearness = Number.isNaN(steps) ? 0 : 1 / (1 + steps / HALF_NUMBER_STEPS);
    const ofNumber = isHouse
      ? 1
      : isSameNumber || isInAlley
        ? SAME_HOUSE_CREDIT
        : OTHER_HOUSE_CREDIT * nearness;
    const ofName = name.words.length > 0 ? matchWords(name.words, place).found : 1;
    const quality =
      (numbers.length === 0
        ? STREET_ALONE_QUALITY
        : STREET_QUALITY + (WHOLE_NAME - STREET_QUALITY) * ofNumber) *
      ofName *
      (at.hasTypo ? MISTYPED_STREET_CREDIT : 1);
    const isMeant = numbers.length === 0 || isHouse || (address.number === undefined && isInAlley);
    const isComplete = !at.hasTypo && isMeant;
    return { quality, isWholeName: false, isComplete, likeness: 1 };
  };
}

/** Where the words of a street stand in an address, the last word perhaps half typed, one word with a typo. */
function findStreet(
  rest: readonly string[],
  street: readonly string[],
): { readonly start: number; readonly hasTypo: boolean } | undefined {
  const starts = rest.length - street.length + 1;
  for (let start = 0; start < starts; start += 1) {
    if (street.every((word, index) => word === rest[start + index])) return { start, hasTypo: false };
  }
  const wanted = street.join("");
  for (let start = 0; start < starts; start += 1) {
    const joined = rest.slice(start, start + street.length).join("");
    if (joined.length >= MIN_LETTERS_FOR_TYPO && isOneTypoAway(wanted, joined))
      return { start, hasTypo: true };
  }
  return undefined;
}

/** The numbers that stand before the street: "12 3" of "12 3 hem cao thang"; words such as "duong" are passed over. */
function numbersBefore(rest: readonly string[], start: number): string[] {
  const before = rest.slice(Math.max(0, start - MOST_NUMBER_WORDS), start);
  return before.filter((word) => /\d/.test(word));
}

/** Every place matches as well as any other: the best known of an area, or what is at a point. */
export const EVERY_PLACE: ReadText = () => ({
  quality: 1,
  isWholeName: false,
  isComplete: true,
  likeness: 1,
});

/** For a reading as a name. */
export const readNameText =
  (query: TypedWords): ReadText =>
  (place) =>
    ifRelated(readTextQuality(query, place));

/** For a name near the caller, where any branch of a chain is as good as the one that has nothing but its name. */
export const readBranchText = (query: TypedWords): ReadText => {
  const readText = readNameText(query);
  return (place) => {
    const text = readText(place);
    if (!text || text.isWholeName || !isOfChain(query.words, place)) return text;
    return { ...text, quality: WHOLE_NAME, isComplete: true };
  };
};

/** One name of the place has all typed words. */
const isOfChain = (typed: readonly string[], { foldedNames }: PlaceCandidate): boolean =>
  foldedNames.some((name) => {
    const ofName = words(name);
    return typed.every((word) => ofName.includes(word));
  });

const ifRelated = (text: TextQuality): TextQuality | undefined =>
  text.quality >= LOWEST_QUALITY ? text : undefined;

/**
 * How a name may hold what was typed so far, from the likeliest: it begins so; it does with other spaces; another name of
 * the place does; a later word begins so. A step of 0.04 is worth a name that is 2.7 times as near (`SUGGESTION_WEIGHTS`).
 */
const BEGUN: TextQuality = { quality: 1, isWholeName: false, isComplete: true, likeness: 1 };
const BEGUN_IN_OTHER_WORDS: TextQuality = { ...BEGUN, quality: 0.97 };
const OTHER_NAME_BEGUN: TextQuality = { ...BEGUN, quality: 0.95 };
const LATER_WORD_BEGUN: TextQuality = { ...BEGUN, quality: 0.93 };

/** For suggestions: the query may be half typed. */
export const readBeginningText = (query: TypedWords): ReadText => {
  const spaced = query.words.join(" ");
  return (place) => {
    const { title, foldedNames } = place;
    const isTitleFirst = title !== "" && foldedTitleOf(place) !== "";
    const [first = "", ...others] = isTitleFirst ? foldedNames : ["", ...foldedNames];
    if (first.startsWith(spaced)) return BEGUN;
    if (joinWords(first).startsWith(query.joined)) return BEGUN_IN_OTHER_WORDS;
    if (others.some((name) => joinWords(name).startsWith(query.joined))) return OTHER_NAME_BEGUN;
    if (isInNames(query.words, foldedNames.flatMap(words))) return LATER_WORD_BEGUN;
    return ifRelated(readTextQuality(query, place));
  };
};

/** Every typed word is a word of a name; the last may be half typed. */
const isInNames = (typed: readonly string[], nameWords: readonly string[]): boolean =>
  typed.every((word, index) =>
    nameWords.some((name) => (index === typed.length - 1 ? name.startsWith(word) : name === word)),
  );

/** Whether one name of the place holds all typed words in a row; the last may be half typed. */
export const isInOneName = (typed: readonly string[], { foldedNames }: PlaceCandidate): boolean =>
  typed.length > 1 && foldedNames.some((name) => ` ${name}`.includes(` ${typed.join(" ")}`));

/** How much of the query is found, and how much of the name that is; both 0 to 1. */
interface Match {
  readonly found: number;
  readonly ofName: number;
  readonly isComplete: boolean;
}

const NO_MATCH: Match = { found: 0, ofName: 0, isComplete: false };

/** The best match of the place's names, each compared as a whole and word by word. */
export function readTextQuality(query: TypedWords, place: PlaceCandidate): TextQuality {
  const joinedNames = place.foldedNames.map(joinWords);
  const wrongMarks = WRONG_MARKS_WEIGHT * wrongMarksShare(query.markedWords, place.title);
  if (joinedNames.includes(query.joined)) {
    return { quality: WHOLE_NAME - wrongMarks, isWholeName: true, isComplete: true, likeness: 1 };
  }
  // Who stops typing may mean any name that begins so: the nearest comes first, and what else is in the name says nothing.
  if (query.joined !== "" && joinedNames.some((name) => name.startsWith(query.joined))) {
    const quality = BEGUN_NAME - wrongMarks;
    return { quality, isWholeName: false, isBegun: true, isComplete: true, likeness: 0 };
  }
  let best = matchWords(query.words, place);
  let likeness = 0;
  // Every word is in the names: comparing letter by letter, the most expensive part, cannot find more.
  if (best.found === 1) return toPart(best, wrongMarks, likeness);
  for (const name of joinedNames) {
    const { asWhole, asBeginning } = matchName(query.joined, name);
    likeness = Math.max(likeness, asWhole.found);
    for (const match of [asWhole, asBeginning]) if (partQuality(match) > partQuality(best)) best = match;
  }
  return toPart(best, wrongMarks, likeness);
}

const toPart = (best: Match, wrongMarks: number, likeness: number): TextQuality => ({
  quality: Math.max(0, partQuality(best) - wrongMarks),
  isWholeName: false,
  isComplete: best.isComplete,
  likeness,
});

/** Credits what was found and takes a little off for the rest of the name. */
const partQuality = ({ found, ofName }: Match): number =>
  PART_OF_NAME * found ** MISSING_EXPONENT * (1 - EXTRA_LETTERS_WEIGHT * (1 - ofName));

/** The query as the whole name, and as its beginning, with typos. */
function matchName(typed: string, name: string): { asWhole: Match; asBeginning: Match } {
  if (typed === "" || name === "") return { asWhole: NO_MATCH, asBeginning: NO_MATCH };
  const { whole, prefix } = editDistance(typed, name);
  return {
    asWhole: { found: 1 - whole / Math.max(typed.length, name.length), ofName: 1, isComplete: false },
    asBeginning: {
      found: 1 - prefix / typed.length,
      ofName: Math.min(1, typed.length / name.length),
      isComplete: prefix === 0,
    },
  };
}

/** The typed words that are in the names, the address or the type, in any order, weighed by their letters. */
function matchWords(typed: readonly string[], { foldedNames, foldedRest }: PlaceCandidate): Match {
  const lettersTyped = countLetters(typed);
  if (lettersTyped === 0) return NO_MATCH;
  const nameWords = foldedNames.flatMap(words);
  const otherWords = words(foldedRest);
  // The last word may still be half typed.
  const inName = typed.map((word, index) => nameCredit(word, nameWords, index === typed.length - 1));
  const anywhere = typed.map((word, index) =>
    Math.max(inName[index] ?? 0, otherWords.includes(word) ? OTHER_WORD_CREDIT : 0),
  );
  const isPhrase = ` ${foldedRest} `.includes(` ${typed.join(" ")} `);
  const found = sumOfLetters(typed, anywhere) / lettersTyped;
  const shortestName = Math.min(...foldedNames.map((name) => joinWords(name).length));
  return {
    found: isPhrase ? Math.max(found, PHRASE_CREDIT) : found,
    ofName: Math.min(1, sumOfLetters(typed, inName) / Math.max(1, shortestName)),
    isComplete: anywhere.every((credit) => credit >= OTHER_WORD_CREDIT),
  };
}

function nameCredit(word: string, nameWords: readonly string[], mayBeBegun: boolean): number {
  if (nameWords.includes(word)) return 1;
  if (mayBeBegun && nameWords.some((name) => name.startsWith(word))) return 1;
  const isMistyped =
    word.length >= MIN_LETTERS_FOR_TYPO && nameWords.some((name) => isOneTypoAway(word, name));
  return isMistyped ? MISTYPED_WORD_CREDIT : 0;
}

const sumOfLetters = (typed: readonly string[], credits: readonly number[]): number =>
  typed.reduce((sum, word, index) => sum + word.length * (credits[index] ?? 0), 0);

const isOneTypoAway = (word: string, name: string): boolean =>
  Math.abs(word.length - name.length) <= 1 && editDistance(word, name).whole <= 1;

const countLetters = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0);

/** The share of words typed with marks that the title has with other marks; 0 for a title without marks. */
function wrongMarksShare(typed: readonly string[], title: string): number {
  if (typed.length === 0) return 0;
  const marked = readTitleMarks(title);
  if (marked.length === 0) return 0;
  const others = typed.filter((word) => !marked.includes(word));
  if (others.length === 0) return 0;
  const folded = new Set(marked.map(foldWord));
  return others.filter((word) => folded.has(foldWord(word))).length / typed.length;
}

/** Titles have the same few thousand words again and again. */
const foldWord = memoize(fold);
