import type { City } from "./city.ts";

/** Moves between degrees and metres around one city. */
export interface Plane {
  readonly metersPerLatitude: number;
  readonly metersPerLongitude: number;
}

/** Metres in a degree of latitude, near enough at 10–21° north. */
const METERS_PER_DEGREE = 110_700;

/** The flat sheet on which a city of some tens of kilometres is drawn. */
export function planeOf(city: City): Plane {
  return {
    metersPerLatitude: METERS_PER_DEGREE,
    metersPerLongitude: METERS_PER_DEGREE * cosineOfDegrees(city.centre.latitude),
  };
}

/** The Taylor series, exact to eight digits below 25°: `Math.cos` may differ in its last digits between machines. */
function cosineOfDegrees(degrees: number): number {
  const radians = (degrees * Math.PI) / 180;
  const square = radians * radians;
  return 1 - square / 2 + (square * square) / 24 - (square * square * square) / 720;
}
