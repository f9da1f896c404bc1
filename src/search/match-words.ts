import type { PlaceCandidate } from "../meilisearch/place-index.ts";
import { typeLabels, withoutProvince } from "../place/document/rest-words.ts";
import { isOneEditAway } from "../place/text/edit-distance.ts";
import { fold, words } from "../place/text/fold.ts";
import { memoize } from "../place/text/memoize.ts";
import type { Lexicon } from "./lexicon.ts";
import type { Match } from "./score.ts";
import { LEXICON, MATCHING } from "./numbers.ts";

/** How much words say, and where they stand in a place. */

const restWords = new WeakMap<PlaceCandidate, ReadonlySet<string>>();

/** The words of the type and the address, but for those of the country and the province, which all places around have. */
const restWordsOf = (place: PlaceCandidate): ReadonlySet<string> =>
  restWords.getOrInsertComputed(place, () => {
    const ofType = typeLabels(place.type);
    const address = words(place.foldedRest.slice(ofType.length).trim());
    return new Set([...words(ofType), ...withoutProvince(address)]);
  });

/** How a place matches; `undefined` for one that has too little to do with the words. */
export type Compare = (place: PlaceCandidate) => Match | undefined;

/** What is known of the words of a query. */
export interface Words {
  readonly lexicon: Lexicon;
  /** Words that say nothing by themselves: function words, filler, "near me". */
  readonly light: ReadonlySet<string>;
  /** Places of the dataset. */
  readonly places: number;
  /** How many places of the dataset have one of some types. */
  readonly countTypes: (types: readonly string[]) => number;
  /** What a word says in an address: that a number, an alley or a street follows. */
  readonly addressMeaning: (word: string) => string | undefined;
}

/** What says how much a word says. */
type Counted = Pick<Words, "lexicon" | "light" | "places">;

/** How much a word says, 0 to 1: the more the fewer places have it. */
function rarityOf(word: string, { lexicon, light, places }: Counted, isBegun = false): number {
  if (light.has(word)) return MATCHING.lightWord;
  const whole = lexicon.inNames(word) + lexicon.inAddresses(word);
  const known = isBegun ? Math.max(whole, lexicon.beginningIn(word)) : whole;
  const all = known > 0 ? known : Math.max(...lexicon.alike(word).map(lexicon.inNames), 0);
  if (all === 0) return MATCHING.unknownWord;
  return Math.max(MATCHING.commonWord, Math.log((places + 1) / all) / Math.log(places + 1));
}

/** How much words say together. */
export const informationOf = (typed: readonly string[], known: Counted): number =>
  typed.reduce((sum, word) => sum + rarityOf(word, known), 0);

/**
 * Whether words say so much that no name should have all of them by chance: of N places, N^(1 - what they say) have. One of them says most
 * of it: "trường tiểu học trung học cơ sở" has many words that go together.
 */
export const areNoCoincidence = (typed: readonly string[], known: Counted): boolean =>
  typed.some((word) => rarityOf(word, known) >= MATCHING.tellingWord) &&
  informationOf(typed, known) >= MATCHING.noCoincidence;

export const sumOfNumbers = (numbers: readonly number[]): number =>
  numbers.reduce((sum, one) => sum + one, 0);

/** How much each word says, times its letters: a long one mistyped is less than a short one missing. The last may be half typed. */
export const weighWords = (typed: readonly string[], known: Words, isLastBegun = false): number[] =>
  typed.map((word, at) => rarityOf(word, known, isLastBegun && at === typed.length - 1) * word.length);

/** Where the last word may be half typed: in no words of a place, in those of its names, or also in the type and the address. */
export type BegunIn = "nothing" | "names" | "anything";

/** What was found of the words of a query in a place. */
export interface Found {
  /** Shares of what the words say, 0 to 1. */
  readonly missing: number;
  /** In the address or the type, and not in a name. */
  readonly elsewhere: number;
  readonly hasTypo: boolean;
  readonly isAllFound: boolean;
}

/** Where words are looked for, and by what they may be mistyped. */
interface Looking {
  readonly lexicon: Lexicon;
  readonly begunIn: BegunIn;
}

/** Looks for words in the names, the type and the address of a place; the first `begun` of them are in a name. */
export type FindWords = (place: PlaceCandidate, begun?: number) => Found;

const nameWords = new WeakMap<PlaceCandidate, readonly string[]>();

const nameWordsOf = (place: PlaceCandidate): readonly string[] =>
  nameWords.getOrInsertComputed(place, () => place.foldedNames.flatMap(words));

/**
 * A search looks for the same words in hundreds of places. A word of a name is one of those that were typed, once: the "thông" of a name
 * is not the "phong" that was typed beside "thông".
 */
export function wordFinder(
  typed: readonly string[],
  weights: readonly number[],
  { lexicon, begunIn }: Looking,
): FindWords {
  const total = sumOfNumbers(weights);
  if (total === 0) return () => ({ missing: 0, elsewhere: 0, hasTypo: false, isAllFound: true });
  const all = new Set(typed);
  const looked = typed.map((word, at) => ({
    word,
    weight: weights[at]!,
    isLast: begunIn !== "nothing" && at === typed.length - 1,
  }));
  return (place, begun = 0) => {
    const ofNames = nameWordsOf(place);
    let free: string[] | undefined;
    // Most words of a long text are in no place: the words that are left are listed for one that may be mistyped.
    const take = (isMeant: (name: string) => boolean): boolean => {
      free ??= ofNames.filter((name) => !all.has(name));
      const at = free.findIndex(isMeant);
      return at >= 0 && free.splice(at, 1).length > 0;
    };
    const isInRest = (word: string, isLast: boolean): boolean => {
      const rest = restWordsOf(place);
      const isBegun = isLast && begunIn === "anything";
      return rest.has(word) || (isBegun && rest.values().some((one) => one.startsWith(word)));
    };
    let [found, elsewhere, hasTypo, isAllFound] = [0, 0, false, true];
    for (const [index, { word, weight, isLast }] of looked.entries()) {
      if (index < begun || ofNames.includes(word) || (isLast && take((name) => name.startsWith(word)))) {
        found += weight;
      } else if (isInRest(word, isLast)) {
        found += weight;
        elsewhere += weight;
      } else if (take((name) => isOneTypoAway(word, name) || lexicon.alike(word).includes(name))) {
        found += MATCHING.mistyped * weight;
        hasTypo = true;
      } else isAllFound = false;
    }
    return { missing: 1 - found / total, elsewhere: elsewhere / total, hasTypo, isAllFound };
  };
}

export const isOneTypoAway = (word: string, name: string): boolean =>
  word.length >= LEXICON.lettersForTypo && isOneEditAway(word, name);

/** Whether a text holds words in a row, all of them whole. */
export function holdsWords(text: string, wanted: string): boolean {
  if (wanted === "") return text === "";
  return ` ${text} `.includes(` ${wanted} `);
}

/** Titles have the same few thousand words again and again. */
export const foldWord = memoize(fold);
