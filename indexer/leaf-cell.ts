import { s2 } from "s2js";
import type { Coordinates } from "../src/place/coordinates.ts";

/** The S2 leaf cell of a point, the first half of a data id. */
export const leafCell = ({ latitude, longitude }: Coordinates): bigint =>
  s2.cellid.fromLatLng(s2.LatLng.fromDegrees(latitude, longitude));
