import type { PlaceCandidate } from "../place-index/place-index.ts";
import { editDistance } from "../text/edit-distance.ts";
import { joinWords, words } from "../text/fold.ts";
import { markedWords } from "../text/marks.ts";
import type { TypedQuery } from "./typed-query.ts";

/** The whole query is the whole name. Nothing else reaches it: a far place of this very name comes before near ones that are almost it. */
export const WHOLE_NAME = 1;
/** The best that anything but the whole name can get. */
const PART_OF_NAME = 0.86;
/** Of two names that hold all that was typed, the one with less beside it is a little more likely meant. */
const EXTRA_LETTERS_WEIGHT = 0.12;
/** What was not found, or was found by a typo, counts more than its share: three words of four is much less than all four. */
const MISSING_EXPONENT = 1.6;
/** A word found in the address or the type explains the query nearly as well as one of the name. */
const OTHER_WORD_CREDIT = 0.92;
/** A word that was typed differently by one letter. */
const MISTYPED_WORD_CREDIT = 0.8;
const MIN_LETTERS_FOR_TYPO = 4;
/** Marks that were typed and are there set "đường" apart from "dương"; they never outweigh a letter. */
const MARKS_WEIGHT = 0.03;

/** How well a place answers the words of a query. */
export interface TextQuality {
  /** 0 to 1, a little more where typed marks are there too. */
  readonly quality: number;
  /** The query is one of its names. */
  readonly isWholeName: boolean;
  /** Every letter that was typed is there, without a typo. */
  readonly isComplete: boolean;
}

/** How much of what was typed is there, and how much of the name it makes out; both 0 to 1. */
interface Match {
  readonly found: number;
  readonly ofName: number;
}

const NO_MATCH: Match = { found: 0, ofName: 0 };
const WHOLE_MATCH: Match = { found: 1, ofName: 1 };

/** The best of the place's names, each compared as a whole and word by word. */
export function readTextQuality(query: TypedQuery, place: PlaceCandidate): TextQuality {
  const joinedNames = place.foldedNames.map(joinWords);
  const isWholeName = joinedNames.includes(query.joined);
  const match = isWholeName ? WHOLE_MATCH : bestMatch(query, place, joinedNames);
  const quality = isWholeName ? WHOLE_NAME : partQuality(match);
  const marks = MARKS_WEIGHT * marksShare(query.markedWords, place.title);
  return { quality: quality + marks, isWholeName, isComplete: match.found === 1 };
}

function bestMatch(query: TypedQuery, place: PlaceCandidate, joinedNames: readonly string[]): Match {
  let best = matchWords(query.words, place);
  for (const name of joinedNames) {
    for (const match of matchName(query.joined, name)) {
      if (partQuality(match) > partQuality(best)) best = match;
    }
  }
  return best;
}

/** Credits what was typed and takes a little off for what the name has beside it. */
const partQuality = ({ found, ofName }: Match): number =>
  PART_OF_NAME * found ** MISSING_EXPONENT * (1 - EXTRA_LETTERS_WEIGHT * (1 - ofName));

/** The query as the whole name, and as its beginning, with typos. */
function matchName(typed: string, name: string): Match[] {
  if (typed === "" || name === "") return [NO_MATCH];
  const { whole, prefix } = editDistance(typed, name);
  return [
    { found: 1 - whole / Math.max(typed.length, name.length), ofName: 1 },
    { found: 1 - prefix / typed.length, ofName: Math.min(1, typed.length / name.length) },
  ];
}

/** The typed words that stand in the names, the address or the type, in any order, by their letters. */
function matchWords(typed: readonly string[], { foldedNames, foldedRest }: PlaceCandidate): Match {
  const lettersTyped = countLetters(typed);
  if (lettersTyped === 0) return NO_MATCH;
  const nameWords = foldedNames.flatMap(words);
  const otherWords = words(foldedRest);
  const found = typed.reduce((sum, word, index) => {
    // The last word may still be half typed.
    const isBegun = index === typed.length - 1 && nameWords.some((name) => name.startsWith(word));
    return sum + word.length * (isBegun ? 1 : wordCredit(word, nameWords, otherWords));
  }, 0);
  const shortestName = Math.min(...foldedNames.map((name) => joinWords(name).length));
  return { found: found / lettersTyped, ofName: Math.min(1, found / Math.max(1, shortestName)) };
}

function wordCredit(word: string, nameWords: readonly string[], otherWords: readonly string[]): number {
  if (nameWords.includes(word)) return 1;
  if (otherWords.includes(word)) return OTHER_WORD_CREDIT;
  const isMistyped =
    word.length >= MIN_LETTERS_FOR_TYPO && nameWords.some((name) => isOneTypoAway(word, name));
  return isMistyped ? MISTYPED_WORD_CREDIT : 0;
}

const isOneTypoAway = (word: string, name: string): boolean =>
  Math.abs(word.length - name.length) <= 1 && editDistance(word, name).whole <= 1;

const countLetters = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0);

/** The share of the words typed with marks that the title holds with the same marks. */
function marksShare(typed: readonly string[], title: string): number {
  if (typed.length === 0) return 0;
  const marked = markedWords(title);
  return typed.filter((word) => marked.includes(word)).length / typed.length;
}
