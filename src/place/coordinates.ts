/** A point on the WGS 84 ellipsoid, in decimal degrees. */
export interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

/** The mean Earth radius of the IUGG, in metres. */
const EARTH_RADIUS_METERS = 6_371_008.8;

const toRadians = (degrees: number): number => (degrees * Math.PI) / 180;

/** True when both numbers are finite and within the ranges of latitude and longitude. */
export function isCoordinates(point: Coordinates): boolean {
  return Math.abs(point.latitude) <= 90 && Math.abs(point.longitude) <= 180;
}

/**
 * Great-circle distance in metres by the haversine formula, accurate to about 0.5 % because the Earth is not
 * a sphere.
 */
export function distanceMeters(from: Coordinates, to: Coordinates): number {
  const halfLatitude = toRadians(to.latitude - from.latitude) / 2;
  const halfLongitude = toRadians(to.longitude - from.longitude) / 2;
  const chord =
    Math.sin(halfLatitude) ** 2 +
    Math.cos(toRadians(from.latitude)) * Math.cos(toRadians(to.latitude)) * Math.sin(halfLongitude) ** 2;
  return 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(chord)));
}
