import {
  cellToBoundary,
  cellToLatLng,
  getResolution,
  gridDisk,
  gridDiskDistances,
  latLngToCell,
} from "h3-js";
import { distanceMeters, type Coordinates } from "./coordinates.ts";

/**
 * Resolutions of the H3 grid that every place is filed under: cells about 45, 17, 6.5 and 2.4 km, 920 and 350 m wide.
 * The fine ones part a dense centre into rings of under 1,000 places, the coarse ones reach across a region.
 */
export const CELL_RESOLUTIONS = [4, 5, 6, 7, 8, 9] as const;

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

/** The same cells as rings: the one of the point, those that touch it, those that touch these, and so on. */
export function cellRings(
  { latitude, longitude }: Coordinates,
  resolution: CellResolution,
  steps: number,
): string[][] {
  return gridDiskDistances(latLngToCell(latitude, longitude, resolution), steps);
}

/** The mean edge of a cell, in metres (H3's table of cell statistics). */
const EDGE_METERS: Readonly<Record<CellResolution, number>> = {
  4: 26_071.8,
  5: 9_854.1,
  6: 3_724.5,
  7: 1_406.5,
  8: 531.4,
  9: 200.8,
};

/**
 * How far the disk of cells around a point surely reaches, in metres. Seen from the middle of a disk of hexagons its border is at
 * least (1.5 × steps + 0.5) edges away; the point lies somewhere in the middle cell. The edge is that of the smallest cell near by, since
 * the grid is distorted; what it is distorted within the disk is taken off (measured: at most 0.06 edges, near and far from pentagons).
 */
export function reachOfDisk(point: Coordinates, resolution: CellResolution, steps: number): number {
  const [[middle = ""] = [], neighbours = []] = cellRings(point, resolution, 1);
  const centre = centreOf(middle);
  const spacing = Math.min(...neighbours.map((cell) => distanceMeters(centre, centreOf(cell))));
  const edge = spacing / Math.sqrt(3);
  return Math.max(0, (1.5 * steps + 0.5 - DISTORTION_EDGES) * edge - distanceMeters(centre, point));
}

const DISTORTION_EDGES = 0.1;

function centreOf(cell: string): Coordinates {
  const [latitude, longitude] = cellToLatLng(cell);
  return { latitude, longitude };
}

/** Five rings of cells: of these, the ones that touch the circle follow it closely and are a short list. */
const COVERING_STEPS = 5;

/**
 * A ring of cells reaches 1.5 edges further from any point of the middle cell. Where the grid is distorted most, about its twelve
 * pentagons, it was measured to reach 0.63 of that.
 */
const SAFE_REACH_PER_STEP = 1.5 * 0.6;

/** No corner of a cell is further from its middle, in mean edges of its size: 1.33 was the most that was measured. */
const FURTHEST_CORNER_EDGES = 1.5;

/** Cells that surely hold the circle; `undefined` where it is too wide for any (some 117 km). */
export function cellsCovering(centre: Coordinates, radiusMeters: number): string[] | undefined {
  const resolution = CELL_RESOLUTIONS.findLast(
    (candidate) => EDGE_METERS[candidate] * SAFE_REACH_PER_STEP * COVERING_STEPS >= radiusMeters,
  );
  if (resolution === undefined) return undefined;
  const furthest = radiusMeters + FURTHEST_CORNER_EDGES * EDGE_METERS[resolution];
  return cellsAround(centre, resolution, COVERING_STEPS).filter(
    (cell) => distanceMeters(centre, centreOf(cell)) <= furthest,
  );
}

/** How fine the grid of a cell is. */
export function cellResolution(cell: string): number {
  return getResolution(cell);
}

/** The corners of a cell, latitude and longitude in turns. */
export function outlineOf(cell: string): number[] {
  return cellToBoundary(cell).flat();
}
