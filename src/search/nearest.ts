import type { LookupResult, PlaceCandidate, PlaceFilter, PlaceLookup } from "../meilisearch/place-index.ts";
import { distanceMeters } from "../place/coordinates.ts";
import { inRing, isWhole, placesOf, type NearestPlan, type Wanted } from "./plan.ts";
import type { SearchContext } from "./search-context.ts";
import type { Ring } from "./rings.ts";

export interface Nearest {
  readonly places: readonly PlaceCandidate[];
  /** The results of the lookups that went along, in their order. */
  readonly along: readonly LookupResult[];
}

/** A guess, a better guess by what the first one found, the region, and the widest ring. */
const REGION_ROUND = 3;
const MAX_ROUNDS = 4;

/** A ring is chosen to hold this part of the most that a lookup returns: the guess may be too low by the rest. */
const AIMED_SHARE = 0.8;

/** A ring that holds no match says little about how much wider the next must be. */
const MAX_GROWTH = 16;

/**
 * The nearest places that match each filter. Sorting by distance in the engine costs 5 µs for every match. A ring that holds
 * few enough matches needs no sorting: it is returned whole, and ranking sorts it. The ring is guessed from the share of
 * places that match, and guessed again from how many there were. The lookups of `along` go with the first guess, since one
 * round trip costs as much as several lookups.
 */
export async function findNearest(
  { wanted, along = [], isEnough = () => false }: NearestPlan,
  wholeContext: SearchContext,
): Promise<Nearest> {
  const context = sharePool(wholeContext, wanted.length);
  const mayBeFew = wanted.filter((one) => one.mayBeFew);
  const searches = wanted.map((one) => beginSearch(one, context));
  const results = await context.lookUp([
    ...searches.map((search) => toLookup(search, context)),
    ...mayBeFew.map(({ filter, widest }) => ({
      filter: widest ? inRing(filter, widest) : filter,
      limit: context.pool.first,
    })),
    ...along,
  ]);
  const nearest = results.slice(0, wanted.length);
  const few = results.slice(wanted.length, wanted.length + mayBeFew.length);
  const found = placesOf([...nearest, ...few]);
  const wentAlong = results.slice(wanted.length + mayBeFew.length);
  if (isEnough(nearest, wentAlong)) return { places: found, along: wentAlong };
  const allKnown = new Set(mayBeFew.filter((_, index) => few.slice(index, index + 1).every(isWhole)));
  const open = searches.map((search, index) => (allKnown.has(wanted[index]!) ? undefined : search));
  const further = await searchFurther(
    nextSearches(open, { results: nearest, found, context }),
    found,
    context,
  );
  return { places: [...found, ...further], along: wentAlong };
}

/** Further rounds, until there is nothing left to look up. */
async function searchFurther(
  begun: readonly Search[],
  found: readonly PlaceCandidate[],
  context: SearchContext,
): Promise<PlaceCandidate[]> {
  const further: PlaceCandidate[] = [];
  let open = begun;
  for (let round = 2; round <= MAX_ROUNDS && open.length > 0; round += 1) {
    const searches = inRound(round, open, context);
    if (searches.length === 0) break;
    const results = await context.lookUp(searches.map((search) => toLookup(search, context)));
    further.push(...placesOf(results));
    open = nextSearches(searches, { results, found: [...found, ...further], context });
  }
  return further;
}

/** Several filters share the pool, since their candidates are ranked together. */
const sharePool = (context: SearchContext, parts: number): SearchContext => ({
  ...context,
  pool: { ...context.pool, most: Math.ceil(context.pool.most / Math.max(1, parts)) },
});

function beginSearch({ filter, share, widest }: Wanted, context: SearchContext): Search {
  const { everywhere, holding } = context.rings;
  const ring = narrowerOf(holding(aimedPlaces(context) / share), widest ?? everywhere);
  return { filter, widest: widest ?? everywhere, ring };
}

interface Search {
  readonly filter: PlaceFilter;
  readonly widest: Ring;
  readonly ring: Ring;
  /** Places in the widest ring known to hold too few matches, and in the narrowest known to hold too many. */
  readonly tooFew?: number;
  readonly tooMany?: number;
  /** It has looked in the region, and may go on beyond it. */
  readonly isInRegion?: boolean;
}

const aimedPlaces = ({ pool }: SearchContext): number => AIMED_SHARE * pool.most;

const toLookup = ({ filter, ring }: Search, { pool }: SearchContext): PlaceLookup => ({
  filter: inRing(filter, ring),
  limit: pool.most,
});

const narrowerOf = (one: Ring, other: Ring): Ring => (one.places < other.places ? one : other);

/** Beyond the region only what too few of the region match is looked up: a divided index asks every engine for it. */
function inRound(round: number, searches: readonly Search[], { rings }: SearchContext): readonly Search[] {
  if (round < REGION_ROUND) return searches;
  if (round === MAX_ROUNDS) return searches.filter(({ isInRegion }) => isInRegion).map(inWidest);
  const isWithin = ({ ring, widest }: Search): boolean =>
    ring.places < rings.region.places && rings.region.places < widest.places;
  return searches.map((search) =>
    search.tooMany === undefined && isWithin(search)
      ? { ...search, ring: rings.region, isInRegion: true }
      : inWidest(search),
  );
}

const inWidest = (search: Search): Search =>
  search.tooMany === undefined ? { ...search, ring: search.widest } : search;

/** What a round returned, and everything found so far. */
interface Round {
  readonly results: readonly LookupResult[];
  readonly found: readonly PlaceCandidate[];
  readonly context: SearchContext;
}

/** The next round: further in where a lookup did not return all matches, further out where there were too few. */
function nextSearches(searches: readonly (Search | undefined)[], round: Round): Search[] {
  const { results, found, context } = round;
  const isEnough = hasPlaces(found, context.pool.enough);
  return searches.flatMap(
    (search, index) => (search && nextSearch(search, results[index], { isEnough, context })) ?? [],
  );
}

/** Whether there are so many different places. */
function hasPlaces(places: readonly PlaceCandidate[], wanted: number): boolean {
  if (places.length < wanted) return false;
  const ids = new Set<string>();
  return wanted <= 0 || places.some(({ id }) => ids.add(id).size >= wanted);
}

function nextSearch(
  last: Search,
  result: LookupResult | undefined,
  { isEnough, context }: { readonly isEnough: boolean; readonly context: SearchContext },
): Search | undefined {
  const { ring, widest } = last;
  const { pool, rings } = context;
  const { total, places } = result ?? { total: 0, places: [] };
  const isTooMuch = total > pool.most;
  if (!isTooMuch && isEnough && isSure(places, ring, context)) return undefined;
  const guess = rings.holding(ring.places * Math.min(MAX_GROWTH, aimedPlaces(context) / Math.max(1, total)));
  const search: Search = { ...last, ...(isTooMuch ? { tooMany: ring.places } : { tooFew: ring.places }) };
  const { tooFew = -1, tooMany = Infinity } = search;
  // Places lie in groups: where the guess misses, the narrowest ring that is not known to be too narrow comes next.
  const next = [guess, rings.holdingMoreThan(tooFew)].find(
    ({ places: held }) => held > tooFew && held < tooMany,
  );
  const isAllowed = isTooMuch || ring.places < widest.places;
  return next && isAllowed ? { ...search, ring: narrowerOf(next, widest) } : undefined;
}

/** A ring of hexagons is not a circle: a place outside may be nearer than one in a corner. */
function isSure(places: readonly PlaceCandidate[], ring: Ring, { centre, pool }: SearchContext): boolean {
  if (pool.sure === 0) return true;
  const reach = ring.reachMeters();
  return places.filter(({ location }) => distanceMeters(centre, location) <= reach).length >= pool.sure;
}
