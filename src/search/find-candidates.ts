import {
  MAX_NAME_BEGINNING,
  type PlaceAnswer,
  type PlaceCandidate,
  type PlaceFilter,
  type PlaceLookup,
} from "../meilisearch/place-index.ts";
import type { TypeCode } from "../place/type-codes.ts";
import { firstLetters, withoutFirstLetter, words } from "../place/text/fold.ts";
import { findNearest, inRing, isWhole, shareOfMore, type Wanted } from "./find-nearest.ts";
import type { Ring } from "./rings.ts";
import type { Scope } from "./plan.ts";
import type { TypedQuery } from "./read-query.ts";

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
 * What is cheap and nearly always enough: the places anywhere that bear the query as their name or hold every word of it, the names
 * of the neighbourhood that begin like it, and how many do anywhere.
 */
export async function findByWords(query: TypedQuery, scope: Scope): Promise<FoundByWords> {
  const { pool, rings } = scope;
  const holding: PlaceFilter = { names: [query.joined], wordSets: [query.words] };
  const begun: PlaceFilter = { nameBeginning: firstLetters(query.joined, MAX_NAME_BEGINNING) };
  const [inAll, begunNear, begunAnywhere] = await scope.ask([
    { filter: holding, limit: pool.first },
    { filter: inRing(begun, rings.near), limit: pool.first },
    { filter: begun, limit: 0 },
  ]);
  const isBegunFurther = (begunAnywhere?.total ?? 0) > (begunNear?.places.length ?? 0);
  return {
    places: placesOf([inAll, begunNear]),
    bearers: moreBearers(query, inAll, rings.everywhere),
    others: [
      ...moreOf(holding, inAll, rings.everywhere),
      ...(isBegunFurther ? moreOf(begun, begunAnywhere, rings.everywhere, rings.region) : []),
    ],
  };
}

/** Of the places that hold the words those that have them in their names. */
function moreBearers(
  { words: typed, joined }: TypedQuery,
  inAll: PlaceAnswer | undefined,
  ring: Ring,
): Wanted[] {
  const bearing = shareOfBearers(typed, inAll?.places ?? []);
  return moreOf({ names: [joined], nameWords: typed }, inAll, ring).map((wanted) =>
    bearing > 0 ? { ...wanted, share: wanted.share * bearing } : { ...wanted, mayBeFew: true },
  );
}

/** How many of those that hold the words hold them in their names, as far as the few that came tell. */
function shareOfBearers(typed: readonly string[], places: readonly PlaceCandidate[]): number {
  const bearers = places.filter(({ foldedNames }) => {
    const nameWords = new Set(foldedNames.flatMap(words));
    return typed.every((word) => nameWords.has(word));
  });
  return bearers.length / Math.max(1, places.length);
}

/** The nearest are wanted of what there is more of in the ring than came back. */
function moreOf(
  filter: PlaceFilter,
  answer: PlaceAnswer | undefined,
  ring: Ring,
  widest: Ring = ring,
): Wanted[] {
  const share = shareOfMore(answer, ring);
  return share > 0 ? [{ filter, share, widest }] : [];
}

/** A word too many must not hide a place. Of one word nothing would be left. */
function holdingAllButOne(typed: readonly string[], ring: Ring, limit: number): PlaceLookup[] {
  if (typed.length < 2) return [];
  const wordSets = typed.map((_, left) => typed.filter((_word, index) => index !== left));
  return [{ filter: inRing({ wordSets }, ring), limit }];
}

/** The places anywhere whose names hold all the words, the nearest of them when there are many. */
export async function findNamed(nameWords: readonly string[], scope: Scope): Promise<PlaceCandidate[]> {
  if (nameWords.length === 0) return [];
  const filter = { nameWords };
  const [inNames] = await scope.ask([{ filter, limit: scope.pool.first }]);
  const more = moreOf(filter, inNames, scope.rings.everywhere);
  const nearest = more.length > 0 ? (await findNearest(more, scope)).places : [];
  return [...placesOf([inNames]), ...nearest];
}

/** What questions for names that are a little different brought. */
export interface FoundAlike {
  readonly places: readonly PlaceCandidate[];
  /** Those of them whose like were all brought: no other place of the same name is nearer. */
  readonly complete: readonly PlaceCandidate[];
}

const alikeIn = (ring: Ring, { joined }: TypedQuery, { pool }: Scope): PlaceLookup => ({
  filter: inRing({}, ring),
  joinedName: joined,
  limit: pool.most,
});

/**
 * Names anywhere that are a typo or two away from the query, or of which it is the beginning, and places not far that hold all
 * words but one. Where the names are many, those near by, those of the region, and the nearest of `others`.
 */
export async function findAlike(
  query: TypedQuery,
  scope: Scope,
  others: readonly Wanted[],
): Promise<FoundAlike> {
  const { pool, rings } = scope;
  const answers = await scope.ask([
    alikeIn(rings.everywhere, query, scope),
    ...holdingAllButOne(query.words, rings.around, pool.enough),
  ]);
  const [alike] = answers;
  if (!alike || isWhole(alike)) return { places: placesOf(answers), complete: placesOf([alike]) };
  const nearer = await findNearest(others, scope, [
    alikeIn(rings.near, query, scope),
    alikeIn(rings.region, query, scope),
  ]);
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
  return {
    places: placesOf(answers),
    complete: placesOf(answers.slice(0, tails.length).filter(isWhole)),
  };
}
