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

/** By which the rectangle inside a circle is smaller than it could be, since the Earth is no plane. */
const INSIDE_SHARE = 0.98;

/** Up to this radius that suffices. */
const WIDEST_INSIDE_METERS = 200_000;

/** A rectangle that lies inside a circle; `undefined` for very wide ones, near the poles and at the antimeridian. */
export function boundsInside({ latitude, longitude }: Coordinates, radiusMeters: number): Bounds | undefined {
  const height = (INSIDE_SHARE * radiusMeters) / Math.SQRT2 / METERS_PER_DEGREE;
  // Degrees of longitude are longest at the edge nearer to the equator.
  const width = height / Math.cos(toRadians(Math.max(0, Math.abs(latitude) - height)));
  const isWide = radiusMeters > WIDEST_INSIDE_METERS || Math.abs(latitude) > HIGHEST_LATITUDE;
  if (isWide || Math.abs(longitude) + width > 180) return undefined;
  return {
    west: longitude - width,
    south: latitude - height,
    east: longitude + width,
    north: latitude + height,
  };
}

/** The rectangle that lies in both; `undefined` when there is none, and for those across the antimeridian. */
export function intersectBounds(one: Bounds, other: Bounds): Bounds | undefined {
  if (one.west > one.east || other.west > other.east) return undefined;
  const [west, south] = [Math.max(one.west, other.west), Math.max(one.south, other.south)];
  const [east, north] = [Math.min(one.east, other.east), Math.min(one.north, other.north)];
  return west <= east && south <= north ? { west, south, east, north } : undefined;
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
