import { distanceMeters, type Coordinates } from "../place/coordinates.ts";
import type { PlaceCandidate } from "../meilisearch/place-index.ts";
import { editDistance } from "../place/text/edit-distance.ts";
import { fold, joinWords, words, hasMarks, markedWords } from "../place/text/fold.ts";
import type { TypedQuery } from "./read-query.ts";

/** How much being near and being well known add to a text quality of 0 to 1. */
export interface Weights {
  readonly distance: number;
  readonly prominence: number;
}

/**
 * Of a search. Words decide first; being near is worth about a typo, being well known a quarter of that: callers mostly want
 * what is near.
 */
export const SEARCH_WEIGHTS: Weights = { distance: 0.12, prominence: 0.03 };

/**
 * Of suggestions: a few letters say little, so being near and being well known weigh more. Share of right names among four after
 * four letters on the demo gazetteer (`eval`), for any place and for those that many look for: .55 and .79 with 0.12 and 0.12,
 * .76 and .77 with these, .78 and .75 with 0.3 and 0.06.
 */
export const SUGGESTION_WEIGHTS: Weights = { distance: 0.25, prominence: 0.06 };

/** Half of what being near adds is left at this distance: a walk, or a short ride. */
const HALF_DISTANCE_METERS = 1_500;

/** The prominence of the best-known places (`prominence` in src/meilisearch). */
const HIGHEST_PROMINENCE = 45;

/** A candidate with the parts of its score; they add up to it. */
export interface ScoredPlace {
  readonly place: PlaceCandidate;
  readonly distanceMeters: number;
  readonly text: TextQuality;
  readonly distance: number;
  readonly prominence: number;
  readonly score: number;
}

/** What candidates are measured by. */
export interface RankedBy {
  readonly centre: Coordinates;
  readonly weights: Weights;
  /** `undefined` for a place that is no answer at all. */
  readonly readText: (place: PlaceCandidate) => TextQuality | undefined;
}

/** Collects candidates, each place once, and puts them in order. */
export interface Ranking {
  readonly add: (candidates: readonly PlaceCandidate[]) => void;
  /** Best first; ties by id, so that the same request always has the same order. */
  readonly inOrder: () => ScoredPlace[];
}

export function createRanking(by: RankedBy): Ranking {
  const seen = new Set<string>();
  const scored: ScoredPlace[] = [];
  return {
    add(candidates) {
      for (const place of candidates) {
        if (seen.has(place.id)) continue;
        seen.add(place.id);
        const text = by.readText(place);
        if (text) scored.push(scorePlace(place, text, by));
      }
    },
    inOrder: () => scored.toSorted((a, b) => b.score - a.score || (a.place.id < b.place.id ? -1 : 1)),
  };
}

function scorePlace(place: PlaceCandidate, text: TextQuality, { centre, weights }: RankedBy): ScoredPlace {
  const meters = distanceMeters(centre, place.location);
  const distance = (weights.distance * HALF_DISTANCE_METERS) / (HALF_DISTANCE_METERS + meters);
  // Who types a whole name wants the nearest place of that name, whatever others think of it.
  const prominence = text.isWholeName
    ? 0
    : weights.prominence * Math.min(1, place.prominence / HIGHEST_PROMINENCE);
  return {
    place,
    distanceMeters: meters,
    text,
    distance,
    prominence,
    score: text.quality + distance + prominence,
  };
}

/** The whole query is the whole name. Nothing else reaches it: a far place of this very name comes before near ones that are almost it. */
export const WHOLE_NAME = 1;
/** The best that anything but the whole name can get. */
const PART_OF_NAME = 0.86;
/** Of two names that hold all that was typed, the one with less beside it is a little more likely meant. */
const EXTRA_LETTERS_WEIGHT = 0.09;
/** What was not found, or was found by a typo, counts more than its share: three words of four is much less than all four. */
const MISSING_EXPONENT = 1.6;
/** A word found in the address or the type explains the query nearly as well as one of the name; */
const OTHER_WORD_CREDIT = 0.92;
/** and better where all words stand there in this order: house 358 and not 358/67 of the same street. */
const PHRASE_CREDIT = 0.96;
/** A word that was typed differently by one letter. */
const MISTYPED_WORD_CREDIT = 0.8;
const MIN_LETTERS_FOR_TYPO = 4;
/** "đường" typed with its marks is not "dương". It never outweighs a letter, and a name without any marks is not held against a place. */
const WRONG_MARKS_WEIGHT = 0.03;

/** Half of the typed letters found reaches this; below it a place has little to do with the query. */
export const LOWEST_QUALITY = 0.25;

/** How well a place answers the words of a query. */
export interface TextQuality {
  /** 0 to 1. */
  readonly quality: number;
  /** The query is one of its names. */
  readonly isWholeName: boolean;
  /** Every letter that was typed is there, without a typo. */
  readonly isComplete: boolean;
  /**
   * How much the query is like a whole name of it, 0 to 1: the share of letters that need no change. Not compared, and 0, where every
   * word is in its names.
   */
  readonly likeness: number;
}

/** The query is one of the place's names. */
export const isNamed = ({ joined }: TypedQuery, { foldedNames }: PlaceCandidate): boolean =>
  foldedNames.some((name) => joinWords(name) === joined);

/** How much of what was typed is there, and how much of the name it makes out; both 0 to 1. */
interface Match {
  readonly found: number;
  readonly ofName: number;
  readonly isComplete: boolean;
}

const NO_MATCH: Match = { found: 0, ofName: 0, isComplete: false };

/** The best of the place's names, each compared as a whole and word by word. */
export function readTextQuality(query: TypedQuery, place: PlaceCandidate): TextQuality {
  const joinedNames = place.foldedNames.map(joinWords);
  const wrongMarks = WRONG_MARKS_WEIGHT * wrongMarksShare(query.markedWords, place.title);
  if (joinedNames.includes(query.joined)) {
    return { quality: WHOLE_NAME - wrongMarks, isWholeName: true, isComplete: true, likeness: 1 };
  }
  let best = matchWords(query.words, place);
  let likeness = 0;
  // All there in the names: no comparison letter by letter, the dearest part, finds more.
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

/** Credits what was typed and takes a little off for what the name has beside it. */
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

/** The typed words that stand in the names, the address or the type, in any order, by their letters. */
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

/** The share of the words typed with marks that the title has with other marks. A title without marks has none to be wrong. */
function wrongMarksShare(typed: readonly string[], title: string): number {
  if (typed.length === 0 || !hasMarks(title)) return 0;
  const marked = markedWords(title);
  const folded = new Set(marked.map(fold));
  const wrong = typed.filter((word) => folded.has(fold(word)) && !marked.includes(word));
  return wrong.length / typed.length;
}
