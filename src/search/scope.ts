import type { Census, PlaceFilter, PlaceIndex, PlaceLookup } from "../place-index/place-index.ts";
import type { Scope } from "./find-candidates.ts";
import { toFilter } from "./refine.ts";
import { ringsAround } from "./rings.ts";
import type { SearchRequest } from "./search-request.ts";

/** How many candidates one lookup brings. */
type Pool = Pick<Scope, "perLookup" | "perWideLookup">;

/** A page and a half: more are only looked up for long pages and for those who page on. */
export const PAGE_POOL: Pool = { perLookup: 30, perWideLookup: 60 };
/** The furthest place of the furthest page, 200 + 50, out of each lookup. */
export const DEEP_POOL: Pool = { perLookup: 250, perWideLookup: 500 };

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
    ...pool,
    centre,
    rings: ringsAround(centre, census?.density),
    ask: (lookups) => index.findPlaces(lookups.map(refine), signal),
  };
}

/** The two name different members but for the types, of which a place has to have one of each. */
function both(filter: PlaceFilter, restriction: PlaceFilter): PlaceFilter {
  if (!filter.types || !restriction.types) return { ...filter, ...restriction };
  const allowed = new Set(restriction.types);
  return { ...filter, ...restriction, types: filter.types.filter((type) => allowed.has(type)) };
}
