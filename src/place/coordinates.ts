/** A point on the WGS 84 ellipsoid, in decimal degrees. */
export interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

/** A rectangle of degrees. Where `west` is greater than `east`, it crosses the antimeridian. */
export interface Bounds {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** The mean Earth radius of the IUGG, in metres. */
const EARTH_RADIUS_METERS = 6_371_008.8;

const toRadians = (degrees: number): number => (degrees * Math.PI) / 180;

/** True when both numbers are finite and within the ranges of latitude and longitude. */
export function isCoordinates(point: Coordinates): boolean {
  return Math.abs(point.latitude) <= 90 && Math.abs(point.longitude) <= 180;
}

/** True when the point lies in the rectangle or on its edge. */
export function isInBounds(
  { west, south, east, north }: Bounds,
  { latitude, longitude }: Coordinates,
): boolean {
  if (latitude < south || latitude > north) return false;
  return west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
}

const METERS_PER_DEGREE = (EARTH_RADIUS_METERS * Math.PI) / 180;

/** By which the rectangle around a circle is larger than it must be: degrees of longitude get shorter towards the poles. */
const BOUNDS_SURPLUS = 1.01;

/** Nearer to the poles a circle spans many more degrees of longitude than at its middle. */
const HIGHEST_LATITUDE = 80;

/** A rectangle that holds a circle of some kilometres at most; `undefined` near the poles and at the antimeridian. */
export function boundsAround({ latitude, longitude }: Coordinates, radiusMeters: number): Bounds | undefined {
  const height = (BOUNDS_SURPLUS * radiusMeters) / METERS_PER_DEGREE;
  const width = height / Math.cos(toRadians(latitude));
  if (Math.abs(latitude) > HIGHEST_LATITUDE || Math.abs(longitude) + width > 180) return undefined;
  return {
    west: longitude - width,
    south: latitude - height,
    east: longitude + width,
    north: latitude + height,
  };
}

/** The middle of the rectangle in degrees. */
export function middleOf({ west, south, east, north }: Bounds): Coordinates {
  const width = west <= east ? east - west : east - west + 360;
  const longitude = west + width / 2;
  return { latitude: (south + north) / 2, longitude: longitude > 180 ? longitude - 360 : longitude };
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
