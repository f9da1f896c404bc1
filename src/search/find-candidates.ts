import {
  MAX_NAME_BEGINNING,
  type PlaceAnswer,
  type PlaceCandidate,
  type PlaceFilter,
  type PlaceLookup,
} from "../place-index/place-index.ts";
import type { TypeCode } from "../place/type-codes.ts";
import { firstLetters, withoutFirstLetter } from "../text/fold.ts";
import { findNearest, inRing, isWhole, shareOfMore, type Wanted } from "./find-nearest.ts";
import type { Ring } from "./rings.ts";
import type { Scope } from "./scope.ts";
import type { TypedQuery } from "./typed-query.ts";

const placesOf = (answers: readonly (PlaceAnswer | undefined)[]): PlaceCandidate[] =>
  answers.flatMap((answer) => answer?.places ?? []);

/** Neighbours whose name is the category word: "Cafe" that is filed as a restaurant. */
const NAMED_LIKE_CATEGORY = 5;

/** While the places are not counted: a common kind. */
const ASSUMED_SHARE = 0.02;

/** The nearest places of the types, and the places near by that bear the words as their name. */
export async function findByTypes(
  types: readonly TypeCode[],
  { joined }: TypedQuery,
  scope: Scope,
): Promise<PlaceCandidate[]> {
  const named = { filter: inRing({ names: [joined] }, scope.rings.near), limit: NAMED_LIKE_CATEGORY };
  const ofTypes: Wanted = { filter: { types }, share: scope.shareOf(types) ?? ASSUMED_SHARE };
  const { places, others } = await findNearest([ofTypes], scope, [named]);
  return [...places, ...placesOf(others)];
}

/** What the first round brought, and what of it there is more of than came back. */
export interface FoundByWords {
  readonly places: readonly PlaceCandidate[];
  /** Places that bear the query as their name, or have all its words in it. */
  readonly bearers: readonly Wanted[];
  /** Places with all the words in name, type and address; names of the region that begin like the query. */
  readonly others: readonly Wanted[];
}

/**
 * What is cheap and nearly always enough: the places anywhere that bear the query as their name or hold every word of it, and the
 * names of the region that begin like it.
 */
export async function findByWords({ words, joined }: TypedQuery, scope: Scope): Promise<FoundByWords> {
  const { ask, pool, rings } = scope;
  const names = [joined];
  const begun: PlaceFilter = { nameBeginning: firstLetters(joined, MAX_NAME_BEGINNING) };
  const [inAll, inRegion] = await ask([
    { filter: { names, wordSets: [words] }, limit: pool.first },
    { filter: inRing(begun, rings.region), limit: pool.first },
  ]);
  const share = shareOfMore(inAll, rings.everywhere);
  const shareBegun = shareOfMore(inRegion, rings.region);
  return {
    places: placesOf([inAll, inRegion]),
    bearers: share > 0 ? [{ filter: { names, nameWords: words }, share }] : [],
    others: [
      ...(share > 0 ? [{ filter: { wordSets: [words] }, share }] : []),
      ...(shareBegun > 0 ? [{ filter: begun, share: shareBegun, widest: rings.region }] : []),
    ],
  };
}

/** A word too many must not hide a place. Of one word nothing would be left. */
function holdingAllButOne(words: readonly string[], ring: Ring, limit: number): PlaceLookup[] {
  if (words.length < 2) return [];
  const wordSets = words.map((_, left) => words.filter((_word, index) => index !== left));
  return [{ filter: inRing({ wordSets }, ring), limit }];
}

/** The places anywhere whose names hold all the words, the nearest of them when there are many. */
export async function findNamed(words: readonly string[], scope: Scope): Promise<PlaceCandidate[]> {
  if (words.length === 0) return [];
  const filter = { nameWords: words };
  const [inNames] = await scope.ask([{ filter, limit: scope.pool.first }]);
  const share = shareOfMore(inNames, scope.rings.everywhere);
  const nearest = share > 0 ? (await findNearest([{ filter, share }], scope)).places : [];
  return [...placesOf([inNames]), ...nearest];
}

/** What questions for names that are a little different brought. */
export interface FoundAlike {
  readonly places: readonly PlaceCandidate[];
  /** Those of them whose like were all brought: no other place of the same name is nearer. */
  readonly complete: readonly PlaceCandidate[];
}

/**
 * Names that are a typo or two away from the query, or of which it is the beginning, and places not far that hold all words but
 * one. Where the names are many, those near by and the nearest of `others`.
 */
export async function findAlike(
  { joined, words }: TypedQuery,
  scope: Scope,
  others: readonly Wanted[],
): Promise<FoundAlike> {
  const { pool, rings } = scope;
  const alikeIn = (ring: Ring): PlaceLookup => ({
    filter: inRing({}, ring),
    joinedName: joined,
    limit: pool.enough,
  });
  const answers = await scope.ask([
    alikeIn(rings.everywhere),
    ...holdingAllButOne(words, rings.around, pool.enough),
  ]);
  const [alike] = answers;
  if (!alike || isWhole(alike)) return { places: placesOf(answers), complete: placesOf([alike]) };
  const nearer = await findNearest(others, scope, [alikeIn(rings.near), alikeIn(rings.region)]);
  return { places: [...placesOf(answers), ...nearer.places, ...placesOf(nearer.others)], complete: [] };
}

/** What is left to try: a wrong first letter, a word too many further out, typos in single words. */
export async function findMistyped(query: TypedQuery, scope: Scope): Promise<FoundAlike> {
  const { ask, pool, rings } = scope;
  const inRegion = { filter: inRing({}, rings.region), limit: pool.enough };
  const tails = [query.joined, withoutFirstLetter(query.joined)];
  const answers = await ask([
    ...tails.map((joinedTail) => ({ ...inRegion, joinedTail })),
    ...holdingAllButOne(query.words, rings.region, pool.most),
    { ...inRegion, words: query.words.join(" ") },
  ]);
  return { places: placesOf(answers), complete: placesOf(answers.slice(0, tails.length).filter(isWhole)) };
}
