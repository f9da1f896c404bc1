import { gridDisk, latLngToCell } from "h3-js";
import type { Coordinates } from "./coordinates.ts";

/**
 * Resolutions of the H3 grid that every place is filed under: cells about 45, 17, 6.5 and 2.4 km, 920, 350 and 130 m wide.
 * The fine ones part a dense centre into rings of under 1,000 places, the coarse ones reach across a region.
 */
export const CELL_RESOLUTIONS = [4, 5, 6, 7, 8, 9, 10] as const;

export type CellResolution = (typeof CELL_RESOLUTIONS)[number];

/** The cells that hold the point, one of each resolution, coarse first. */
export function cellsOf({ latitude, longitude }: Coordinates): string[] {
  return CELL_RESOLUTIONS.map((resolution) => latLngToCell(latitude, longitude, resolution));
}

/** The cell of the point and all cells within `steps` of it: 1 + 3 × steps × (steps + 1) cells. */
export function cellsAround(
  { latitude, longitude }: Coordinates,
  resolution: CellResolution,
  steps: number,
): string[] {
  return gridDisk(latLngToCell(latitude, longitude, resolution), steps);
}
