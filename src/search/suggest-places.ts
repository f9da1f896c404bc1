import {
  MAX_NAME_BEGINNING,
  MAX_WORD_BEGINNING,
  type PlaceAnswer,
  type PlaceCandidate,
  type PlaceFilter,
  type PlaceLookup,
} from "../meilisearch/place-index.ts";
import { firstLetters, fold, joinWords, words } from "../place/text/fold.ts";
import { findNearest, inRing, shareOfMore } from "./find-nearest.ts";
import {
  createRanking,
  SUGGESTION_WEIGHTS,
  type ScoredPlace,
  LOWEST_QUALITY,
  readTextQuality,
  type TextQuality,
} from "./rank.ts";
import type { Pool, Scope } from "./plan.ts";
import type { TypedQuery } from "./read-query.ts";

/**
 * Enough that some names are left when the branches of chains are taken together. With half as many again of each the eval finds
 * no more right names among four.
 */
export const SUGGESTION_POOL: Pool = { first: 10, enough: 6, most: 24, sure: 1 };

const MIN_LETTERS_FOR_WORD = 2;

/** From here on what was typed is long enough to be recognised in spite of a typo. */
const MIN_LETTERS_FOR_TYPO = 4;

/** A name that begins with what was typed, and one of which a later word does. */
const BEGINS: TextQuality = { quality: 1, isWholeName: false, isComplete: true, likeness: 1 };
const WORD_BEGINS: TextQuality = { ...BEGINS, quality: 0.93 };

/** What somebody may be typing, best first, each name once with its nearest place; more than `limit` of them. */
export async function suggestPlaces(query: TypedQuery, limit: number, scope: Scope): Promise<ScoredPlace[]> {
  if (query.joined === "") return [];
  const readText = (place: PlaceCandidate): TextQuality | undefined => {
    const text = readBeginning(query, place);
    return text.quality >= LOWEST_QUALITY ? text : undefined;
  };
  const ranking = createRanking({ centre: scope.centre, weights: SUGGESTION_WEIGHTS, readText });
  for (const { places } of await findBegun(query, scope)) ranking.add(places);
  const names = firstOfEachName(ranking.inOrder());
  const isEnough = names.filter(({ text }) => text.isComplete).length >= limit;
  if (isEnough || query.joined.length < MIN_LETTERS_FOR_TYPO) return names;
  ranking.add(await findMistyped(query, scope));
  return firstOfEachName(ranking.inOrder());
}

/** The best known and the nearest names that begin so, and later words that do. */
async function findBegun(query: TypedQuery, scope: Scope): Promise<Pick<PlaceAnswer, "places">[]> {
  const { near, region } = scope.rings;
  const { first, most } = scope.pool;
  const begun: PlaceFilter = { nameBeginning: firstLetters(query.joined, MAX_NAME_BEGINNING) };
  const answers = await scope.ask([
    { filter: inRing(begun, region), limit: first },
    { filter: inRing(begun, near), limit: most },
    ...begunWord(query, scope),
  ]);
  const [inRegion, nearBy] = answers;
  const cutNear = shareOfMore(nearBy, near);
  const cutFar = shareOfMore(inRegion, region);
  if (cutNear > 0)
    return [...answers, await findNearest([{ filter: begun, share: cutNear, widest: near }], scope)];
  if (cutFar === 0 || (nearBy?.places.length ?? 0) >= first) return answers;
  return [...answers, await findNearest([{ filter: begun, share: cutFar, widest: region }], scope)];
}

function begunWord({ words: typed, joined }: TypedQuery, { rings, pool }: Scope): PlaceLookup[] {
  // One letter begins a word of most names.
  if (joined.length < MIN_LETTERS_FOR_WORD) return [];
  const before = typed.slice(0, -1);
  const filter: PlaceFilter = {
    wordBeginning: firstLetters(typed.at(-1) ?? "", MAX_WORD_BEGINNING),
    ...(before.length > 0 && { wordSets: [before] }),
  };
  return [{ filter: inRing(filter, before.length > 0 ? rings.region : rings.around), limit: pool.first }];
}

/** What a typo may have hidden. */
async function findMistyped({ joined }: TypedQuery, scope: Scope): Promise<readonly PlaceCandidate[]> {
  const { rings, pool, ask } = scope;
  const ring = joined.length > MAX_NAME_BEGINNING ? rings.region : rings.near;
  const [answer] = await ask([{ filter: inRing({}, ring), joinedName: joined, limit: pool.most }]);
  return answer?.places ?? [];
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
