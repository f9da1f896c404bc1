import type { Coordinates } from "../../src/place/geometry/coordinates.ts";

/** The mean Earth radius that distances are measured with. */
const EARTH_RADIUS_METERS = 6_371_008.8;

const toRadians = (degrees: number): number => (degrees * Math.PI) / 180;
const toDegrees = (radians: number): number => (radians * 180) / Math.PI;

/** The point at a distance and direction from another: 0° is north, 90° east. */
export function pointAt(
  { latitude, longitude }: Coordinates,
  meters: number,
  bearingDegrees: number,
): Coordinates {
  const angle = meters / EARTH_RADIUS_METERS;
  const [fromLatitude, bearing] = [toRadians(latitude), toRadians(bearingDegrees)];
  const sine =
    Math.sin(fromLatitude) * Math.cos(angle) + Math.cos(fromLatitude) * Math.sin(angle) * Math.cos(bearing);
  const east = Math.atan2(
    Math.sin(bearing) * Math.sin(angle) * Math.cos(fromLatitude),
    Math.cos(angle) - Math.sin(fromLatitude) * sine,
  );
  const turned = longitude + toDegrees(east);
  return {
    latitude: toDegrees(Math.asin(Math.min(1, Math.max(-1, sine)))),
    longitude: turned > 180 ? turned - 360 : turned < -180 ? turned + 360 : turned,
  };
}
