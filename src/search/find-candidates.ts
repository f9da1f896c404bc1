import type { Coordinates } from "../place/coordinates.ts";
import {
  MAX_SORTED_PLACES,
  type PlaceAnswer,
  type PlaceCandidate,
  type PlaceFilter,
  type PlaceLookup,
} from "../place-index/place-index.ts";
import type { TypeCode } from "../place/type-codes.ts";
import { withoutFirstLetter } from "../text/fold.ts";
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
    { filter: { cells: rings.near.cells }, joinedName: joined, ...nearest, limit: perLookup },
  ]);
  const found = [...placesOf(near), ...placesOf(around), ...placesOf(named)];
  if ((around?.total ?? 0) >= perLookup) return found;
  const wider = await ask([ofTypes(perWideLookup, rings.region.cells), ofTypes(perLookup)]);
  return [...found, ...wider.flatMap(placesOf)];
}

/**
 * What is cheap and nearly always enough: names like the query in the neighbourhood, the places anywhere that hold every word
 * of it, and those not far that hold all but one.
 */
export async function findByWords(query: TypedQuery, scope: Scope): Promise<PlaceCandidate[]> {
  const { ask, centre, rings, perLookup } = scope;
  const [near, holding, ...others] = await ask([
    {
      filter: { cells: rings.near.cells },
      joinedName: query.joined,
      ...nearestIn(rings.near, centre),
      limit: perLookup,
    },
    { filter: { wordSets: [query.words] }, limit: perLookup },
    ...holdingAllButOne(query.words, rings.around, perLookup),
  ]);
  const nearest = await findNearestHolding(query.words, holding, scope);
  return [...placesOf(near), ...placesOf(holding), ...others.flatMap(placesOf), ...nearest];
}

/** A word too many must not hide a place. Of one word nothing would be left. */
function holdingAllButOne(words: readonly string[], { cells }: Ring, limit: number): PlaceLookup[] {
  if (words.length < 2) return [];
  const wordSets = words.map((_, left) => words.filter((_word, index) => index !== left));
  return [{ filter: { wordSets, cells }, limit }];
}

/** The places anywhere that hold all the words, the nearest of them when there are many. */
export async function findHolding(words: readonly string[], scope: Scope): Promise<PlaceCandidate[]> {
  const [holding] = await scope.ask([{ filter: { wordSets: [words] }, limit: scope.perLookup }]);
  return [...placesOf(holding), ...(await findNearestHolding(words, holding, scope))];
}

/** When more places hold every word than came back: those of them that are nearest. */
async function findNearestHolding(
  words: readonly string[],
  holding: PlaceAnswer | undefined,
  { ask, centre, rings, perLookup, perWideLookup }: Scope,
): Promise<PlaceCandidate[]> {
  const total = holding?.total ?? 0;
  if (total <= placesOf(holding).length) return [];
  const filter: PlaceFilter = { wordSets: [words] };
  const lookups: PlaceLookup[] =
    total <= MAX_SORTED_PLACES
      ? [{ filter, nearestTo: centre, limit: perLookup }]
      : [rings.near, rings.around, rings.region].map(({ cells }) => ({
          filter: { ...filter, cells },
          limit: perWideLookup,
        }));
  return (await ask(lookups)).flatMap(placesOf);
}

/** Where nothing holds all that was typed: typos, a wrong first letter, words too many, half-typed words; in the region, then anywhere. */
export async function findMistyped(query: TypedQuery, scope: Scope): Promise<PlaceCandidate[]> {
  const { ask, centre, rings, perLookup: limit, perWideLookup } = scope;
  const { near, around, region } = rings;
  const nearest = { filter: { cells: near.cells }, ...nearestIn(near, centre), limit };
  const inRegion = { filter: { cells: region.cells }, limit };
  const tail = withoutFirstLetter(query.joined);
  const answers = await ask([
    { filter: { cells: around.cells }, joinedName: query.joined, limit },
    { ...inRegion, joinedName: query.joined },
    { filter: {}, joinedName: query.joined, limit },
    { ...nearest, joinedTail: query.joined },
    { ...nearest, joinedTail: tail },
    { ...inRegion, joinedTail: query.joined },
    { ...inRegion, joinedTail: tail },
    ...holdingAllButOne(query.words, region, perWideLookup),
    { ...inRegion, words: query.words.join(" ") },
  ]);
  return answers.flatMap(placesOf);
}
