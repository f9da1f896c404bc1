import {
  MAX_NAME_BEGINNING,
  MAX_WORD_BEGINNING,
  type PlaceCandidate,
  type PlaceFilter,
  type PlaceLookup,
} from "../place-index/place-index.ts";
import { firstLetters, fold, joinWords, words } from "../text/fold.ts";
import { findNearest, nearestIn, type Scope } from "./find-candidates.ts";
import { createRanking, SUGGESTION_WEIGHTS, type ScoredPlace } from "./rank.ts";
import { LOWEST_QUALITY, readTextQuality, type TextQuality } from "./text-quality.ts";
import type { TypedQuery } from "./typed-query.ts";

/** Enough that some names are left when the branches of chains are taken together. */
const PER_LOOKUP = 30;

/** From here on what was typed is long enough to be recognised in spite of a typo. */
const MIN_LETTERS_FOR_TYPO = 4;

/** A name that begins with what was typed, and one of which a later word does. */
const BEGINS: TextQuality = { quality: 1, isWholeName: false, isComplete: true, likeness: 1 };
const WORD_BEGINS: TextQuality = { ...BEGINS, quality: 0.93 };

/** What somebody may be typing, best first, each name once with its nearest place. */
export async function suggestPlaces(query: TypedQuery, scope: Scope): Promise<ScoredPlace[]> {
  if (query.joined === "") return [];
  const readText = (place: PlaceCandidate): TextQuality | undefined => {
    const text = readBeginning(query, place);
    return text.quality >= LOWEST_QUALITY ? text : undefined;
  };
  const ranking = createRanking({ centre: scope.centre, weights: SUGGESTION_WEIGHTS, readText });
  const beginning = { nameBeginning: firstLetters(query.joined, MAX_NAME_BEGINNING) };
  const [inRegion, ...others] = await scope.ask([
    { filter: { ...beginning, cells: scope.rings.region.cells }, limit: PER_LOOKUP },
    ...lookupsNear(beginning, query, scope),
  ]);
  ranking.add([inRegion, ...others].flatMap((answer) => answer?.places ?? []));
  const { ask, centre, rings } = scope;
  ranking.add(await findNearest(beginning, inRegion, rings.region, { ask, centre, perLookup: PER_LOOKUP }));
  return firstOfEachName(ranking.inOrder());
}

/** The rest of the first round: the nearest of that beginning, later words that begin so, and what a typo may have hidden. */
function lookupsNear(
  beginning: PlaceFilter,
  { words: typed, joined }: TypedQuery,
  scope: Scope,
): PlaceLookup[] {
  const { near, around, region } = scope.rings;
  const limit = PER_LOOKUP;
  const nearest = { filter: { cells: near.cells }, ...nearestIn(near, scope.centre), limit };
  const before = typed.slice(0, -1);
  const word: PlaceFilter = {
    wordBeginning: firstLetters(typed.at(-1) ?? "", MAX_WORD_BEGINNING),
    ...(before.length > 0 && { wordSets: [before] }),
  };
  const ring = before.length > 0 ? region : around;
  return [
    { ...nearest, filter: { ...nearest.filter, ...beginning } },
    { filter: { ...word, cells: ring.cells }, limit },
    ...(joined.length >= MIN_LETTERS_FOR_TYPO ? [{ ...nearest, joinedName: joined }] : []),
    ...(joined.length > MAX_NAME_BEGINNING
      ? [{ filter: { cells: region.cells }, joinedName: joined, limit }]
      : []),
  ];
}

function readBeginning(query: TypedQuery, place: PlaceCandidate): TextQuality {
  const { foldedNames } = place;
  if (foldedNames.some((name) => joinWords(name).startsWith(query.joined))) return BEGINS;
  return isInNames(query.words, foldedNames.flatMap(words)) ? WORD_BEGINS : readTextQuality(query, place);
}

/** All typed words are words of a name, the last at least begun. */
const isInNames = (typed: readonly string[], nameWords: readonly string[]): boolean =>
  typed.every((word, index) =>
    nameWords.some((name) => (index === typed.length - 1 ? name.startsWith(word) : name === word)),
  );

/** A branch is often named after its street: "Highlands Coffee - Nguyễn Huệ". */
const BRANCH_SUFFIX = / [-–—|(].*$/u;

/** The list is in order, so the first of a name is its best, and of a chain its nearest branch. */
function firstOfEachName(ranked: readonly ScoredPlace[]): ScoredPlace[] {
  const names = new Set<string>();
  return ranked.filter(({ place }) => {
    const name = joinWords(fold(place.title.replace(BRANCH_SUFFIX, "")));
    const isNew = !names.has(name);
    names.add(name);
    return isNew;
  });
}
