import type { Coordinates } from "../place/coordinates.ts";
import {
  MAX_SORTED_PLACES,
  type PlaceAnswer,
  type PlaceCandidate,
  type PlaceFilter,
  type PlaceLookup,
} from "../place-index/place-index.ts";
import type { TypeCode } from "../place/type-codes.ts";
import type { Ring, Rings } from "./rings.ts";
import type { TypedQuery } from "./typed-query.ts";

/** Where and for how many places candidates are looked for. */
export interface Scope {
  readonly centre: Coordinates;
  readonly rings: Rings;
  /** A page and what stands before it. */
  readonly wanted: number;
  /** Puts lookups to the index, within the deadline of this search. */
  readonly ask: (lookups: readonly PlaceLookup[]) => Promise<PlaceAnswer[]>;
}

/** Twice a page: the engine's order within a lookup is coarser than ours. */
const PER_LOOKUP = 40;
/** Where the engine gives no order by distance: enough that the nearest are among them. */
const PER_WIDE_LOOKUP = 100;

const places = (answer: PlaceAnswer | undefined): readonly PlaceCandidate[] => answer?.places ?? [];

const nearestIn = (ring: Ring, centre: Coordinates): Pick<PlaceLookup, "nearestTo"> =>
  ring.places <= MAX_SORTED_PLACES ? { nearestTo: centre } : {};

/** The nearest places of the types, ring by ring until there are enough. */
export async function findByTypes(
  types: readonly TypeCode[],
  { ask, centre, rings, wanted }: Scope,
): Promise<PlaceCandidate[]> {
  const lookup = (limit: number, cells?: readonly string[]): PlaceLookup => ({
    filter: { types, ...(cells && { cells }) },
    limit: Math.max(limit, wanted),
  });
  const [near, around] = await ask([
    { ...lookup(PER_LOOKUP, rings.near.cells), ...nearestIn(rings.near, centre) },
    lookup(PER_WIDE_LOOKUP, rings.around.cells),
  ]);
  const found = [...places(near), ...places(around)];
  if ((around?.total ?? 0) >= wanted) return found;
  const wider = await ask([lookup(PER_WIDE_LOOKUP, rings.region.cells), lookup(PER_LOOKUP)]);
  return [...found, ...wider.flatMap(places)];
}

/**
 * What is cheap and nearly always enough: names like the query in the neighbourhood, and the places anywhere that hold every
 * word of it.
 */
export async function findByWords(query: TypedQuery, scope: Scope): Promise<PlaceCandidate[]> {
  const { ask, centre, rings, wanted } = scope;
  const limit = Math.max(PER_LOOKUP, wanted);
  const [near, holding] = await ask([
    {
      filter: { cells: rings.near.cells },
      joinedName: query.joined,
      ...nearestIn(rings.near, centre),
      limit,
    },
    { filter: { wordSets: [query.words] }, limit },
  ]);
  return [...places(near), ...places(holding), ...(await findNearestHolding(query.words, holding, scope))];
}

/** The places anywhere that hold all the words, the nearest of them when there are many. */
export async function findHolding(words: readonly string[], scope: Scope): Promise<PlaceCandidate[]> {
  const [holding] = await scope.ask([
    { filter: { wordSets: [words] }, limit: Math.max(PER_LOOKUP, scope.wanted) },
  ]);
  return [...places(holding), ...(await findNearestHolding(words, holding, scope))];
}

/** When more places hold every word than came back: those of them that are nearest. */
async function findNearestHolding(
  words: readonly string[],
  holding: PlaceAnswer | undefined,
  { ask, centre, rings, wanted }: Scope,
): Promise<PlaceCandidate[]> {
  const total = holding?.total ?? 0;
  if (total <= places(holding).length) return [];
  const filter: PlaceFilter = { wordSets: [words] };
  const lookups: PlaceLookup[] =
    total <= MAX_SORTED_PLACES
      ? [{ filter, nearestTo: centre, limit: Math.max(PER_LOOKUP, wanted) }]
      : [rings.near, rings.around, rings.region].map(({ cells }) => ({
          filter: { ...filter, cells },
          limit: Math.max(PER_WIDE_LOOKUP, wanted),
        }));
  return (await ask(lookups)).flatMap(places);
}

/** Where nothing holds all that was typed: typos, words too many, half-typed words, in the region and then anywhere. */
export async function findMistyped(
  query: TypedQuery,
  { ask, centre, rings, wanted }: Scope,
): Promise<PlaceCandidate[]> {
  const limit = Math.max(PER_LOOKUP, wanted);
  const { cells } = rings.region;
  const answers = await ask([
    { filter: { cells: rings.around.cells }, joinedName: query.joined, limit },
    { filter: { cells }, joinedName: query.joined, limit },
    { filter: {}, joinedName: query.joined, limit },
    {
      filter: { cells: rings.near.cells },
      joinedTail: query.joined,
      ...nearestIn(rings.near, centre),
      limit,
    },
    {
      filter: { cells: rings.near.cells },
      joinedTail: query.joined.slice(1),
      ...nearestIn(rings.near, centre),
      limit,
    },
    { filter: { cells }, joinedTail: query.joined, limit },
    { filter: { cells }, joinedTail: query.joined.slice(1), limit },
    ...leaveOneOut(query.words).map((wordSets): PlaceLookup => ({
      filter: { wordSets, cells },
      limit: PER_WIDE_LOOKUP,
    })),
    { filter: { cells }, words: query.text, limit },
  ]);
  return answers.flatMap(places);
}

/** All words but one, for each of them: a word too many must not hide the place. Of one word nothing would be left. */
function leaveOneOut(words: readonly string[]): string[][][] {
  if (words.length < 2) return [];
  return [words.map((_, left) => words.filter((_word, index) => index !== left))];
}
