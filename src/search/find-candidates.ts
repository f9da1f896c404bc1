import type { Coordinates } from "../place/coordinates.ts";
import {
  MAX_NAME_BEGINNING,
  MAX_SORTED_PLACES,
  type PlaceAnswer,
  type PlaceCandidate,
  type PlaceFilter,
  type PlaceLookup,
} from "../place-index/place-index.ts";
import type { TypeCode } from "../place/type-codes.ts";
import { firstLetters, withoutFirstLetter } from "../text/fold.ts";
import type { Ring, Rings } from "./rings.ts";
import type { TypedQuery } from "./typed-query.ts";

/** Where candidates are looked for, and how many. */
export interface Scope {
  readonly centre: Coordinates;
  readonly rings: Rings;
  /** Candidates of one lookup whose order by distance or by likeness is the engine's. */
  readonly perLookup: number;
  /** The same where the engine gives no such order: enough that the nearest are among them. */
  readonly perWideLookup: number;
  /** Puts lookups to the index, refined by what this search restricts, within its deadline. */
  readonly ask: (lookups: readonly PlaceLookup[]) => Promise<PlaceAnswer[]>;
}

const placesOf = (answer: PlaceAnswer | undefined): readonly PlaceCandidate[] => answer?.places ?? [];

/** Lookups in the nearest ring have the nearest places first, where the ring is small enough for the engine to sort. */
export const nearestIn = (ring: Ring, centre: Coordinates): Pick<PlaceLookup, "nearestTo"> =>
  ring.places <= MAX_SORTED_PLACES ? { nearestTo: centre } : {};

/** The nearest places of the types, ring by ring until a page is full, and the places near by that bear the words as their name. */
export async function findByTypes(
  types: readonly TypeCode[],
  { joined }: TypedQuery,
  scope: Scope,
): Promise<PlaceCandidate[]> {
  const { ask, centre, rings, perLookup, perWideLookup } = scope;
  const ofTypes = (limit: number, cells?: readonly string[]): PlaceLookup => ({
    filter: { types, ...(cells && { cells }) },
    limit,
  });
  const nearest = nearestIn(rings.near, centre);
  const [near, around, named] = await ask([
    { ...ofTypes(perLookup, rings.near.cells), ...nearest },
    ofTypes(perWideLookup, rings.around.cells),
    { filter: { cells: rings.near.cells, names: [joined] }, ...nearest, limit: perLookup },
  ]);
  const found = [...placesOf(near), ...placesOf(around), ...placesOf(named)];
  if ((near?.total ?? 0) >= perLookup) return found;
  // Where there are more around than came back, not the nearest came but the best known.
  if ((around?.total ?? 0) >= perLookup) {
    return [...found, ...(await findNearest({ types }, around, rings.around, scope))];
  }
  const wider = await ask([ofTypes(perWideLookup, rings.region.cells), ofTypes(perLookup)]);
  return [...found, ...wider.flatMap(placesOf)];
}

/**
 * What is cheap and nearly always enough: names that begin like the query in the neighbourhood, the places anywhere that bear it
 * as their name or hold every word of it, and those not far that hold all words but one.
 */
export async function findByWords({ words, joined }: TypedQuery, scope: Scope): Promise<PlaceCandidate[]> {
  const { ask, centre, rings, perLookup: limit } = scope;
  const named: PlaceFilter = { names: [joined], nameWords: words };
  const [inNames, ...others] = await ask([
    { filter: named, limit },
    { filter: { ...beginningOf(joined), cells: rings.near.cells }, ...nearestIn(rings.near, centre), limit },
    { filter: { wordSets: [words] }, limit },
    ...holdingAllButOne(words, rings.around, limit),
  ]);
  const nearest = await findNearestOf(named, inNames, scope);
  return [inNames, ...others].flatMap(placesOf).concat(nearest);
}

const beginningOf = (joined: string): PlaceFilter => ({
  nameBeginning: firstLetters(joined, MAX_NAME_BEGINNING),
});

/** A word too many must not hide a place. Of one word nothing would be left. */
function holdingAllButOne(words: readonly string[], { cells }: Ring, limit: number): PlaceLookup[] {
  if (words.length < 2) return [];
  const wordSets = words.map((_, left) => words.filter((_word, index) => index !== left));
  return [{ filter: { wordSets, cells }, limit }];
}

/** Names of the region that begin like the query, the nearest of them when there are many: for a name that is half typed. */
export async function findByBeginning({ joined }: TypedQuery, scope: Scope): Promise<PlaceCandidate[]> {
  const filter = beginningOf(joined);
  const { cells } = scope.rings.region;
  const [inRegion] = await scope.ask([{ filter: { ...filter, cells }, limit: scope.perLookup }]);
  return [...placesOf(inRegion), ...(await findNearest(filter, inRegion, scope.rings.region, scope))];
}

/** The places anywhere whose names hold all the words, the nearest of them when there are many. */
export async function findNamed(words: readonly string[], scope: Scope): Promise<PlaceCandidate[]> {
  if (words.length === 0) return [];
  const filter = { nameWords: words };
  const [inNames] = await scope.ask([{ filter, limit: scope.perLookup }]);
  return [...placesOf(inNames), ...(await findNearestOf(filter, inNames, scope))];
}

/** When more places anywhere meet a filter than came back: those of them that are nearest. */
async function findNearestOf(
  filter: PlaceFilter,
  answer: PlaceAnswer | undefined,
  scope: Scope,
): Promise<PlaceCandidate[]> {
  const { ask, rings, perWideLookup } = scope;
  if ((answer?.total ?? 0) <= MAX_SORTED_PLACES) return findNearest(filter, answer, undefined, scope);
  const lookups = [rings.near, rings.around, rings.region].map(({ cells }): PlaceLookup => ({
    filter: { ...filter, cells },
    limit: perWideLookup,
  }));
  return (await ask(lookups)).flatMap(placesOf);
}

/** The nearest of what an answer told the number of, where that is more than came back and few enough to sort. */
export async function findNearest(
  filter: PlaceFilter,
  answer: PlaceAnswer | undefined,
  ring: Ring | undefined,
  { ask, centre, perLookup }: Pick<Scope, "ask" | "centre" | "perLookup">,
): Promise<PlaceCandidate[]> {
  const total = answer?.total ?? 0;
  if (total <= placesOf(answer).length || total > MAX_SORTED_PLACES) return [];
  const inRing = ring ? { ...filter, cells: ring.cells } : filter;
  const [nearest] = await ask([{ filter: inRing, nearestTo: centre, limit: perLookup }]);
  return [...placesOf(nearest)];
}

/** Names that are a typo or two away from the query: the nearest, and the likest anywhere. */
export async function findAlike({ joined }: TypedQuery, scope: Scope): Promise<PlaceCandidate[]> {
  const { ask, centre, rings, perLookup: limit } = scope;
  const answers = await ask([
    { filter: { cells: rings.near.cells }, joinedName: joined, ...nearestIn(rings.near, centre), limit },
    { filter: { cells: rings.region.cells }, joinedName: joined, limit },
    { filter: {}, joinedName: joined, limit },
  ]);
  return answers.flatMap(placesOf);
}

/** What is left to try: a wrong first letter, a word too many further out, typos in single words. */
export async function findMistyped(query: TypedQuery, scope: Scope): Promise<PlaceCandidate[]> {
  const { ask, centre, rings, perLookup: limit, perWideLookup } = scope;
  const nearest = { filter: { cells: rings.near.cells }, ...nearestIn(rings.near, centre), limit };
  const inRegion = { filter: { cells: rings.region.cells }, limit };
  const tail = withoutFirstLetter(query.joined);
  const answers = await ask([
    { ...nearest, joinedTail: query.joined },
    { ...nearest, joinedTail: tail },
    { ...inRegion, joinedTail: query.joined },
    { ...inRegion, joinedTail: tail },
    ...holdingAllButOne(query.words, rings.region, perWideLookup),
    { ...inRegion, words: query.words.join(" ") },
  ]);
  return answers.flatMap(placesOf);
}
