import { encode } from "pluscodes";
import type { Coordinates } from "./coordinates.ts";

/** The middle of the northernmost row of cells: the pole itself lies above every cell. */
const MAX_LATITUDE = 89.999_937_5;

/**
 * A hundredth of a millimetre. The encoder divides binary fractions, which puts one in a hundred ordinary coordinates, those
 * on the edge of a cell, into the cell below; this lifts them over the edge.
 */
const EDGE_DEGREES = 1e-10;

/** The global Open Location Code of a point, ten digits (a cell of about 14 metres), such as `7P28QPC3+FW`. */
export function toPlusCode({ latitude, longitude }: Coordinates): string {
  const inside = {
    latitude: Math.min(latitude + EDGE_DEGREES, MAX_LATITUDE),
    longitude: longitude + EDGE_DEGREES,
  };
  return encode(inside) ?? "";
}
