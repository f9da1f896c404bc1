import type { Coordinates } from "../../../src/place/coordinates.ts";
import type { Random } from "./random.ts";

const METERS_PER_DEGREE = 111_195;

/** Coordinates are sent as a phone sends them: five decimals are about a metre. */
const COORDINATE_SCALE = 100_000;

const rounded = (degrees: number): number => Math.round(degrees * COORDINATE_SCALE) / COORDINATE_SCALE;

/** A point anywhere in the circle around the place, all parts of it alike. Good enough away from the poles. */
export function pointWithin(place: Coordinates, radiusMeters: number, random: Random): Coordinates {
  return pointAt(place, radiusMeters * Math.sqrt(random.fraction()), random);
}

/** A point at this distance from the place, in any direction. */
export function pointAt(place: Coordinates, meters: number, random: Random): Coordinates {
  const direction = 2 * Math.PI * random.fraction();
  const metersPerLongitude = METERS_PER_DEGREE * Math.cos((place.latitude * Math.PI) / 180);
  return {
    latitude: rounded(place.latitude + (meters * Math.cos(direction)) / METERS_PER_DEGREE),
    longitude: rounded(place.longitude + (meters * Math.sin(direction)) / metersPerLongitude),
  };
}
