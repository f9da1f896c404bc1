import { cellsCovering } from "../place/cells.ts";
import type { Coordinates } from "../place/coordinates.ts";
import { datesAround, slotsAt } from "../place/open-slots.ts";
import { typesUnder } from "../place/type-codes.ts";
import type { PlaceFilter } from "../place-index/place-index.ts";
import type { Refinements } from "./search-request.ts";

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
