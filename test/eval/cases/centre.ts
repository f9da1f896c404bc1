import { isCoordinates, type Coordinates } from "../../../src/place/coordinates.ts";
import type { Random } from "../random.ts";

/** Callers stand within this distance of the place they look for: across a quarter, not across the city. */
export const NEAR_METERS = 3_000;
/** A caller in another part of the country. */
const FAR_METERS = 300_000;

const METERS_PER_DEGREE = 111_195;

/** A point somewhere around another one, in a random direction. Six decimals are a tenth of a metre. */
function pointAround({ latitude, longitude }: Coordinates, meters: number, random: Random): Coordinates {
  const bearing = 2 * Math.PI * random.fraction();
  const north = (meters * Math.cos(bearing)) / METERS_PER_DEGREE;
  const east = (meters * Math.sin(bearing)) / (METERS_PER_DEGREE * Math.cos((latitude * Math.PI) / 180));
  const round = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;
  return { latitude: round(latitude + north), longitude: round(longitude + east) };
}

/** Where the caller stands: every distance up to `NEAR_METERS` is equally likely, so near is likelier than by area. */
export const centreNear = (place: Coordinates, random: Random): Coordinates =>
  pointAround(place, NEAR_METERS * random.fraction(), random);

export function centreFarFrom(place: Coordinates, random: Random): Coordinates {
  for (;;) {
    const centre = pointAround(place, FAR_METERS, random);
    if (isCoordinates(centre)) return centre;
  }
}
