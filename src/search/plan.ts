import type { Coordinates } from "../place/coordinates.ts";
import type {
  Census,
  PlaceAnswer,
  PlaceFilter,
  PlaceIndex,
  PlaceLookup,
} from "../meilisearch/place-index.ts";
import { ringsAround, type RingCounts, type Rings } from "./rings.ts";
import type { SearchRequest, Refinements } from "./search-request.ts";
import { cellsCovering } from "../place/cells.ts";
import { datesAround, slotsAt } from "../place/open-slots.ts";
import { typesUnder } from "../place/type-codes.ts";

/** How many candidates are looked for: the nearest of a kind are surely among them when these many of it are known. */
export interface Pool {
  /** Of a lookup everywhere, which tells whether it was needed to look further: most names have fewer bearers. */
  readonly first: number;
  /** Fewer are too few where there may be more further away. */
  readonly enough: number;
  /** Of one lookup; where there are more, a narrower ring is asked. */
  readonly most: number;
  /** So many must surely be the nearest, where there are so many. */
  readonly sure: number;
}

/** A page of the usual length. */
export const PAGE_POOL: Pool = { first: 8, enough: 20, most: 60, sure: 3 };
/** The furthest place of the furthest page, 200 + 50, and as many again that are in nobody's way. */
export const DEEP_POOL: Pool = { first: 250, enough: 250, most: 600, sure: 3 };

/** Where candidates are looked for, and how many. */
export interface Scope {
  readonly centre: Coordinates;
  readonly rings: Rings;
  readonly pool: Pool;
  /** The share of all places that are of one of the types; `undefined` before the places are counted. */
  readonly shareOf: (types: readonly string[]) => number | undefined;
  /** Puts lookups to the index, refined by what this search restricts, within its deadline. */
  readonly ask: (lookups: readonly PlaceLookup[]) => Promise<PlaceAnswer[]>;
}

interface ScopeOptions {
  readonly index: PlaceIndex;
  readonly request: SearchRequest;
  readonly census: Census | undefined;
  readonly pool: Pool;
  /** Ends the wait for the engine. */
  readonly signal: AbortSignal;
}

/** Where a search looks: rings around its centre, each lookup refined by what it restricts. */
export function createScope({ index, request, census, pool, signal }: ScopeOptions): Scope {
  const { centre, refinements = {} } = request;
  const restriction = toFilter(refinements, centre, census?.timezones);
  const refine = (lookup: PlaceLookup): PlaceLookup => ({
    ...lookup,
    filter: both(lookup.filter, restriction),
  });
  return {
    pool,
    centre,
    rings: ringsAround(centre, census && countsWithin(restriction.within, census)),
    shareOf: (types) => census && shareOf(types, census),
    ask: (lookups) => index.findPlaces(lookups.map(refine), signal),
  };
}

/** Of a search in a circle the circle is everywhere. */
function countsWithin(cells: readonly string[] | undefined, { places, density }: Census): RingCounts {
  if (cells === undefined) return { places, density };
  return { places: cells.reduce((sum, cell) => sum + density.placesIn(cell), 0), density };
}

const shareOf = (wanted: readonly string[], { places, types }: Census): number =>
  wanted.reduce((sum, type) => sum + (types.get(type) ?? 0), 0) / Math.max(1, places);

/** The two name different members but for the types, of which a place has to have one of each. */
function both(filter: PlaceFilter, restriction: PlaceFilter): PlaceFilter {
  if (!filter.types || !restriction.types) return { ...filter, ...restriction };
  const allowed = new Set(restriction.types);
  return { ...filter, ...restriction, types: filter.types.filter((type) => allowed.has(type)) };
}

/**
 * The refinements as the index can sift them: exactly, but for hours on special days and for the radius, which let a few too many
 * through. While the time zones are not known yet, hours are not sifted at all.
 */
export function toFilter(
  { types, openAt, minRating, maxPrice, radiusMeters }: Refinements,
  centre: Coordinates,
  timezones: readonly string[] | undefined,
): PlaceFilter {
  const within = radiusMeters === undefined ? undefined : cellsCovering(centre, radiusMeters);
  return {
    ...(types && { types: types.flatMap(typesUnder) }),
    ...(openAt && timezones && { openSlots: slotsAt(openAt, timezones), specialDates: datesAround(openAt) }),
    ...(minRating !== undefined && { minRating }),
    ...(maxPrice !== undefined && { maxPrice }),
    ...(within && { within }),
  };
}

/** Inside the circle to the metre. */
export const isInside = ({ radiusMeters }: Refinements, distanceMeters: number): boolean =>
  radiusMeters === undefined || distanceMeters <= radiusMeters;
