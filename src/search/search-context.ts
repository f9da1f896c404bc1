import type { Census, PlaceFilter, PlaceLookup } from "../meilisearch/place-index.ts";
import { busySlotsAt } from "../place/time/busyness.ts";
import { cellsCovering, cellsCoveringBounds, type Closeness } from "../place/geometry/cells.ts";
import { distanceMeters, isInBounds, type Bounds, type Coordinates } from "../place/geometry/coordinates.ts";
import { datesAround, slotsAt, wasClockChanged, zoneLetters } from "../place/time/open-slots.ts";
import type { MomentIn } from "../place/time/open-state.ts";
import {
  cellsInAll,
  isInShape,
  toBoundsPart,
  toCirclePart,
  toPart,
  type Part,
} from "../place/geometry/shapes.ts";
import { typesUnder } from "../place/document/type-codes.ts";
import {
  densityWithin,
  IN_CITY,
  countTypes,
  ringsAround,
  type Ring,
  type RingCounts,
  type Rings,
} from "./rings.ts";
import type { FindPlaces } from "./request-reader.ts";
import type { Refinements, SearchRequest } from "./search-request.ts";
import { RINGS, SHAPES } from "./numbers.ts";

/** Where a search looks, and what of its request the engine filters. */

/** Where and when a reading is looked up; what is absent is as the request says. */
export interface Where {
  readonly centre?: Coordinates;
  /** Only places in one of these areas (ids of src/place/geometry/areas). */
  readonly areas?: readonly string[];
  /** Only places that are open then. */
  readonly openAt?: MomentIn;
  /** Only places within this distance of the request's centre. */
  readonly radiusMeters?: number;
  /** Only places in this rectangle; some of its surroundings are let through. */
  readonly bounds?: Bounds;
}

/** One search under way: where it looks, and how it asks the index. */
export interface SearchContext {
  readonly centre: Coordinates;
  readonly rings: Rings;
  /** The share (0 to 1) of all places that have one of these types; `undefined` before the places are counted. */
  readonly shareOf: (types: readonly string[]) => number | undefined;
  /** Places of the whole dataset. */
  readonly places: number;
  /**
   * Where lookups are narrowed by opening hours: special days around the moment. Of places without hours of their own for these the
   * index knows to the minute whether they are open. `undefined` without opening hours, and where it does not know.
   */
  readonly specialDates: readonly string[] | undefined;
  /** Cells that cover what lies in all of these parts of the Earth, small where places are many. */
  readonly coverOf: (parts: readonly Part[]) => Required<Pick<Ring, "cells" | "places">>;
  /** Narrows a lookup by the refinements of the request. */
  readonly restrict: (lookup: PlaceLookup) => PlaceLookup;
  /** Sends lookups to the index in one round trip, each narrowed so. */
  readonly lookUp: FindPlaces;
}

/** Draws the rings around each point once: most readings of a search look around the same one. */
function shareRings(counts: RingCounts | undefined): (centre: Coordinates) => Rings {
  const drawn = new Map<string, Rings>();
  return (centre) =>
    drawn.getOrInsertComputed(`${centre.latitude} ${centre.longitude}`, () => ringsAround(centre, counts));
}

/** The contexts of one search, each for where and when a reading is looked up. */
export function createContexts(
  findPlaces: FindPlaces,
  request: SearchRequest,
  census: Census | undefined,
): (where: Where) => SearchContext {
  const ringsAnywhere = shareRings(census);
  const ofPart = (part: Geometry) => {
    const refinements = { ...request.refinements, ...part };
    const filter = toRefinementFilter(refinements, request.centre, census);
    const { within } = filter;
    const counts = within && census && countsWithin(within, hasShape(refinements), census);
    return { filter, ringsAt: within ? shareRings(counts) : ringsAnywhere };
  };
  // Drawing the cells of a rectangle takes a tenth of a millisecond, those of shapes some milliseconds, and a search has dozens of
  // lookups.
  const known = new Map<string, ReturnType<typeof ofPart>>();
  return ({ centre = request.centre, areas, openAt, ...part }) => {
    const key = JSON.stringify([part.radiusMeters, part.bounds]);
    const { filter, ringsAt } = known.getOrInsertComputed(key, () => ofPart(part));
    const restriction: PlaceFilter = {
      ...filter,
      ...(openAt && census && toOpenFilter(openAt, census.timezones)),
      ...(areas && { areas }),
    };
    const ofRequest = request.refinements?.openAt;
    const openIn = openAt ?? (ofRequest && (() => ofRequest));
    const isDecided = openIn !== undefined && census && canDecide(openIn, census.timezones);
    const restrict = (lookup: PlaceLookup): PlaceLookup => ({
      ...lookup,
      filter: combine(lookup.filter, restriction),
    });
    return {
      centre,
      rings: ringsAt(centre),
      shareOf: (types) => census && countTypes(census, types) / Math.max(1, census.places),
      places: census?.places ?? RINGS.assumedPlaces,
      specialDates: isDecided ? restriction.specialDates : undefined,
      coverOf(parts) {
        const closeness = closenessBy(census);
        const cells = cellsInAll(parts, closeness);
        return { cells, places: cells.reduce((sum, cell) => sum + closeness.placesIn(cell), 0) };
      },
      restrict,
      lookUp: (lookups) => findPlaces(lookups.map(restrict)),
    };
  };
}

/**
 * For a search with a radius, a rectangle or a shape, "everywhere" is the cells that cover it; of several those with the fewest places. A
 * shape may lie far from the middle of its rings, or have few of the places there, so they count those in its cells only.
 */
function countsWithin(
  lists: readonly (readonly string[])[],
  isShape: boolean,
  { density }: Census,
): RingCounts {
  const counts = lists.map((cells) => cells.reduce((sum, cell) => sum + density.placesIn(cell), 0));
  return {
    places: Math.min(...counts),
    density: isShape ? densityWithin(lists.flat(), density) : density,
  };
}

/** The two filters share no field but `types`, where a place must match both. */
function combine(filter: PlaceFilter, restriction: PlaceFilter): PlaceFilter {
  if (!filter.types || !restriction.types) return { ...filter, ...restriction };
  const allowed = new Set(restriction.types);
  return { ...filter, ...restriction, types: filter.types.filter((type) => allowed.has(type)) };
}

/**
 * The refinements of a request as a filter of the index. Opening hours on special days, busyness, the radius, the rectangle and
 * shapes let a few too many places through; the search removes them (`isAtItsHours`, `isInside`). Hours are not filtered before the
 * time zones are known.
 */
export function toRefinementFilter(
  refinements: Refinements,
  centre: Coordinates,
  census: Counts | undefined,
): PlaceFilter {
  const { types, openAt, busy, minRating, maxPrice, custom, bounds } = refinements;
  const timezones = census?.timezones;
  const within = cellsOf(refinements, centre, census);
  return {
    ...(types && { types: types.flatMap(typesUnder) }),
    ...(openAt && timezones && toOpenFilter(() => openAt, timezones)),
    ...(busy && timezones && { busySlots: busySlotsAt(busy.at, busy.maxPercent, timezones) }),
    ...(minRating !== undefined && { minRating }),
    ...(maxPrice !== undefined && { maxPrice }),
    ...(custom && { custom }),
    ...(within.length > 0 ? { within } : bounds && { bounds }),
  };
}

/** What filters are made by. */
type Counts = Pick<Census, "density" | "timezones">;

/** By the places that each cell holds; before they are counted, as if all were in the middle of a city. */
function closenessBy(counts: Counts | undefined): Closeness {
  const density = counts?.density ?? IN_CITY;
  return { placesIn: (cell) => density.placesIn(cell), mostCells: SHAPES.mostCells };
}

const hasShape = ({ polygon, route }: Geometry): boolean => polygon !== undefined || route !== undefined;

/** Lists of cells that cover the parts of the Earth. With a shape it is one for all of them: shorter than several, of smaller cells. */
function cellsOf(geometry: Geometry, centre: Coordinates, counts: Counts | undefined): (readonly string[])[] {
  if (hasShape(geometry)) return [cellsInAll(partsOf(geometry, centre), closenessBy(counts))];
  const { radiusMeters, bounds } = geometry;
  const circle = radiusMeters === undefined ? undefined : cellsCovering(centre, radiusMeters);
  return [circle, bounds && cellsCoveringBounds(bounds)].filter((cells) => cells !== undefined);
}

/** What a place must lie in, all of it; what is compared fastest comes first. */
export const partsOf = (
  { radiusMeters, bounds, polygon, route }: Geometry,
  centre: Coordinates,
): readonly Part[] => [
  ...(bounds ? [toBoundsPart(bounds)] : []),
  ...(radiusMeters === undefined ? [] : [toCirclePart(centre, radiusMeters)]),
  ...(route ? [toPart(route)] : []),
  ...(polygon ? [toPart(polygon)] : []),
];

/** Whether the parts of the week say who is open: no clock was changed lately, and no two zones share their letters. */
const canDecide = (momentIn: MomentIn, timezones: readonly string[]): boolean =>
  new Set(timezones.map(zoneLetters)).size === timezones.length &&
  timezones.every((timezone) => {
    const moment = momentIn(timezone);
    return moment === undefined || !wasClockChanged(moment, timezone);
  });

/** Time zones with the same clock are looked up together. */
function toOpenFilter(momentIn: MomentIn, timezones: readonly string[]): PlaceFilter {
  const zonesAt = Map.groupBy(timezones, (timezone) => momentIn(timezone)?.epochMilliseconds ?? NaN);
  zonesAt.delete(NaN);
  const moments = [...zonesAt].map(([ms, zones]) => ({
    moment: Temporal.Instant.fromEpochMilliseconds(ms),
    zones,
  }));
  return {
    openSlots: moments.flatMap(({ moment, zones }) => slotsAt(moment, zones)),
    specialDates: [...new Set(moments.flatMap(({ moment }) => datesAround(moment)))],
  };
}

/** Restricts a filter to a ring. */
export const inRing = (filter: PlaceFilter, { cells, bounds }: Ring): PlaceFilter => ({
  ...filter,
  ...(cells && { cells }),
  ...(bounds && { bounds }),
});

/** Where a request looks for places. */
export type Geometry = Pick<Refinements, "radiusMeters" | "bounds" | "polygon" | "route">;

/** Whether a request looks in a part of the Earth only. */
export const isInPart = ({ radiusMeters, bounds, polygon, route }: Geometry = {}): boolean =>
  (radiusMeters ?? bounds ?? polygon ?? route) !== undefined;

/** Whether a place lies in the radius around the centre, to the metre, in the rectangle and in the shapes. */
export const isInside = (
  { radiusMeters, bounds, polygon, route }: Geometry,
  centre: Coordinates,
  location: Coordinates,
): boolean =>
  (radiusMeters === undefined || distanceMeters(centre, location) <= radiusMeters) &&
  (bounds === undefined || isInBounds(bounds, location)) &&
  (polygon === undefined || isInShape(polygon, location)) &&
  (route === undefined || isInShape(route, location));
