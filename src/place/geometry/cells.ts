import {
  cellToBoundary,
  cellToCenterChild,
  cellToChildren,
  cellToLatLng,
  cellToParent,
  gridDisk,
  gridDiskDistances,
  latLngToCell,
} from "h3-js";
import { distanceMeters, isInBounds, middleOf, type Bounds, type Coordinates } from "./coordinates.ts";

/**
 * The H3 resolutions that every place is indexed at: cells about 45, 17, 6.5 and 2.4 km, 920 m and 350 m
 * wide. The fine ones split a dense centre into rings of under 1,000 places; the coarse ones cover a region.
 */
export const CELL_RESOLUTIONS = [4, 5, 6, 7, 8, 9] as const;

export type CellResolution = (typeof CELL_RESOLUTIONS)[number];

const FINEST: CellResolution = 9;

/** The cells of a finer resolution that make up the cell, but for its jagged border. */
export const cellsWithin = (cell: string, resolution: CellResolution): string[] =>
  cellToChildren(cell, resolution);

/** The larger cells that the cell is a part of, of the resolutions that places are indexed at. */
export function coarserCellsOf(cell: string): string[] {
  const own = cellResolution(cell);
  return CELL_RESOLUTIONS.filter((one) => one < own).map((one) => cellToParent(cell, one));
}

/** The cells that contain the point, one per resolution, coarsest first. */
export function cellsOf({ latitude, longitude }: Coordinates): string[] {
  return CELL_RESOLUTIONS.map((resolution) => latLngToCell(latitude, longitude, resolution));
}

/** An H3 cell has its resolution in the second digit, then 52 bits: 7 of its base cell, and 3 of its place in each coarser cell. */
const RESOLUTION_DIGIT = 1;
const FIRST_BITS_DIGIT = 2;
const BASE_CELLS = 2 ** 7;
const CHILDREN = 2 ** 3;
const CELL_DIGITS = 13;
const FINEST_OF_H3 = 15;

/** More numbers than there are cells of a resolution. */
const cellsAt = (resolution: number): number => BASE_CELLS * CHILDREN ** resolution;

/** What one number stands for in the bits of a cell: finer digits, which a cell of this resolution does not use. */
const unusedAt = (resolution: number): number => CHILDREN ** (FINEST_OF_H3 - resolution);

/** The numbers of all coarser cells come before those of a resolution. */
function coarserThan(resolution: number): number {
  return resolution === 0 ? 0 : coarserThan(resolution - 1) + cellsAt(resolution - 1);
}

/** The number of a cell among the cells of all resolutions, in digits and letters: seven in place of fifteen for the finest. */
export function shortCell(cell: string): string {
  const resolution = Number.parseInt(cell[RESOLUTION_DIGIT] ?? "", 16);
  const bits = Number.parseInt(cell.slice(FIRST_BITS_DIGIT), 16);
  return (COARSER[resolution]! + Math.floor(bits / unusedAt(resolution))).toString(36);
}

/** The H3 name of a cell with this short name. */
export function fullCell(short: string): string {
  const number = Number.parseInt(short, 36);
  const resolution = COARSER.findLastIndex((first) => first <= number);
  const bits = (number - COARSER[resolution]! + 1) * unusedAt(resolution) - 1;
  return `8${resolution.toString(16)}${bits.toString(16).padStart(CELL_DIGITS, "0")}`;
}

/** Up to the finest that we use. */
const COARSER = Array.from({ length: 10 }, (_, resolution) => coarserThan(resolution));

/** The point's cell and all cells within `steps` of it: 1 + 3 × steps × (steps + 1) cells. */
export function cellsAround(
  { latitude, longitude }: Coordinates,
  resolution: CellResolution,
  steps: number,
): string[] {
  return gridDisk(latLngToCell(latitude, longitude, resolution), steps);
}

/** The cell that holds the point. */
export const cellAt = ({ latitude, longitude }: Coordinates, resolution: CellResolution): string =>
  latLngToCell(latitude, longitude, resolution);

/** The same cells as rings: the point's cell, then its neighbours, then their neighbours, and so on. */
export const cellRings = (point: Coordinates, resolution: CellResolution, steps: number): string[][] =>
  ringsOfCell(cellAt(point, resolution), steps);

/** The cell, then its neighbours, then their neighbours, and so on. */
export const ringsOfCell = (cell: string, steps: number): string[][] => gridDiskDistances(cell, steps);

/** The mean edge of a cell, in metres (H3's table of cell statistics). */
const EDGE_METERS: Readonly<Record<CellResolution, number>> = {
  4: 26_071.8,
  5: 9_854.1,
  6: 3_724.5,
  7: 1_406.5,
  8: 531.4,
  9: 200.8,
};

/** The radius of a circle with the area of a cell, in metres. */
export const radiusOfCell = (resolution: CellResolution): number =>
  EDGE_METERS[resolution] * Math.sqrt((1.5 * Math.sqrt(3)) / Math.PI);

/**
 * A distance in metres that the disk of cells around a point is certain to reach. From the middle of a disk
 * of hexagons, the border is at least (1.5 × steps + 0.5) edges away; the point lies somewhere in the middle
 * cell. Because the grid is distorted, the smallest edge near by counts, and the distortion within the disk
 * is subtracted (measured: at most 0.06 edges, near pentagons and far from them).
 */
export function reachOfDisk(point: Coordinates, resolution: CellResolution, steps: number): number {
  const [[middle = ""] = [], neighbours = []] = cellRings(point, resolution, 1);
  const centre = centreOf(middle);
  const spacing = Math.min(...neighbours.map((cell) => distanceMeters(centre, centreOf(cell))));
  const edge = spacing / Math.sqrt(3);
  return Math.max(0, (1.5 * steps + 0.5 - DISTORTION_EDGES) * edge - distanceMeters(centre, point));
}

const DISTORTION_EDGES = 0.1;

/** The middle of a cell. */
export function centreOf(cell: string): Coordinates {
  const [latitude, longitude] = cellToLatLng(cell);
  return { latitude, longitude };
}

/** Five rings of cells. Those that touch the circle follow it closely and make a short list; of twelve rings, more closely. */
const COVERING_STEPS = 5;
const CLOSE_STEPS = 12;

/**
 * A ring of cells reaches 1.5 edges further from any point of the middle cell. Near the grid's twelve
 * pentagons, where it is distorted most, the measured reach is 0.63 of that.
 */
const SAFE_REACH_PER_STEP = 1.5 * 0.6;

/**
 * The largest distance from a cell's middle to its corners, in mean edges of its resolution. The measured
 * maximum is 1.33.
 */
const FURTHEST_CORNER_EDGES = 1.5;

/** Cells that together cover the circle; `undefined` when it is too wide to cover (above about 117 km). */
export function cellsCovering(
  centre: Coordinates,
  radiusMeters: number,
  mostSteps = COVERING_STEPS,
): string[] | undefined {
  const resolution = CELL_RESOLUTIONS.findLast(
    (candidate) => EDGE_METERS[candidate] * SAFE_REACH_PER_STEP * mostSteps >= radiusMeters,
  );
  if (resolution === undefined) return undefined;
  const furthest = radiusMeters + FURTHEST_CORNER_EDGES * EDGE_METERS[resolution];
  const steps = Math.ceil(radiusMeters / (EDGE_METERS[resolution] * SAFE_REACH_PER_STEP));
  return cellsAround(centre, resolution, steps).filter(
    (cell) => distanceMeters(centre, centreOf(cell)) <= furthest,
  );
}

const METERS_PER_DEGREE = 111_195;

/** Half a metre and a hundredth, by which distances in the plane of the map may be wrong at this size. */
const slack = (meters: number): number => 0.5 + meters / 100;

/** Up to here, and away from the poles, a neighbourhood is as good as flat. */
const FLAT_METERS = 5_000;

/** The cells that the circle touches: fewer than `cellsCovering` has, at more cost. A close list has more and smaller ones. */
export function cellsTouching(
  centre: Coordinates,
  radiusMeters: number,
  { isClose = false }: { readonly isClose?: boolean } = {},
): string[] | undefined {
  const cells = cellsCovering(centre, radiusMeters, isClose ? CLOSE_STEPS : COVERING_STEPS);
  if (radiusMeters > FLAT_METERS || Math.abs(centre.latitude) > HIGHEST_LATITUDE_TO_NARROW) return cells;
  const own = cells?.[0] && latLngToCell(centre.latitude, centre.longitude, cellResolution(cells[0]));
  const metersEast = METERS_PER_DEGREE * Math.cos((centre.latitude * Math.PI) / 180);
  const toPlane = ([latitude = 0, longitude = 0]: readonly number[]): readonly [number, number] => [
    (((longitude - centre.longitude + 540) % 360) - 180) * metersEast,
    (latitude - centre.latitude) * METERS_PER_DEGREE,
  ];
  return cells?.filter((cell) => {
    if (cell === own) return true;
    const corners = cellToBoundary(cell).map(toPlane);
    const nearest = Math.min(
      ...corners.map((corner, index) =>
        metersToSegment(corner, corners[(index + 1) % corners.length] ?? corner),
      ),
    );
    return nearest <= radiusMeters + slack(radiusMeters);
  });
}

/** The distance of the origin from the line between two points. */
function metersToSegment([x1, y1]: readonly [number, number], [x2, y2]: readonly [number, number]): number {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, -(x1 * dx + y1 * dy) / length));
  return Math.hypot(x1 + share * dx, y1 + share * dy);
}

/** Nearer to the poles, the point of a rectangle with the nearest latitude and longitude need not be its nearest point. */
const HIGHEST_LATITUDE_TO_NARROW = 80;

/** Cells that together cover the rectangle; `undefined` when it is too large to cover (see `cellsCovering`). */
export function cellsCoveringBounds(bounds: Bounds): string[] | undefined {
  return cellsCovering(middleOf(bounds), metersToCorner(bounds))?.filter(
    (cell) => metersFromBounds(bounds, centreOf(cell)) <= metersToCornerOf(cell),
  );
}

/** From the middle of a rectangle, a corner is the furthest point, if it is small enough to cover. */
export function metersToCorner(bounds: Bounds): number {
  const { west, south, east, north } = bounds;
  const corners = [west, east].flatMap((longitude) =>
    [south, north].map((latitude) => ({ latitude, longitude })),
  );
  return Math.max(...corners.map((corner) => distanceMeters(middleOf(bounds), corner)));
}

/** How far a point is from a rectangle; 0 inside, and wherever a rectangle reaches so near to a pole that it is unclear. */
export function metersFromBounds(bounds: Bounds, point: Coordinates): number {
  if (Math.max(Math.abs(bounds.south), Math.abs(bounds.north)) > HIGHEST_LATITUDE_TO_NARROW) return 0;
  return distanceMeters(point, nearestIn(bounds, point));
}

/** How far a point lies within a rectangle, no less than it is; 0 and less where a cell around it may stand out. */
export function depthInBounds(
  { west, south, east, north }: Bounds,
  { latitude, longitude }: Coordinates,
): number {
  if (west > east || longitude < west || longitude > east) return 0;
  const toNorthOrSouth = Math.min(north - latitude, latitude - south) * METERS_PER_DEGREE;
  // Degrees of longitude are shortest where the rectangle is nearest to a pole.
  const metersEast =
    METERS_PER_DEGREE * Math.cos((Math.max(Math.abs(south), Math.abs(north)) * Math.PI) / 180);
  return Math.min(toNorthOrSouth, metersEast * Math.min(east - longitude, longitude - west));
}

/** From the middle of a cell to the furthest of its points, at most. */
const metersToCornerOf = (cell: string): number =>
  FURTHEST_CORNER_EDGES * EDGE_METERS[cellResolution(cell) as CellResolution];

/** Degrees bend distances by less than a tenth at this size. */
const SURELY = 0.9;

/** Whether all of a cell lies in a shape of which its middle is so deep inside. */
export function isSurelyIn(depth: number, cell: string, middle = centreOf(cell)): boolean {
  if (depth <= 0) return false;
  return cellToBoundary(cell).every(
    ([latitude, longitude]) => distanceMeters(middle, { latitude, longitude }) < SURELY * depth,
  );
}

/** The point of the rectangle with the nearest latitude and the nearest longitude. */
function nearestIn(bounds: Bounds, { latitude, longitude }: Coordinates): Coordinates {
  const { west, south, east, north } = bounds;
  const nearest = Math.min(Math.max(latitude, south), north);
  if (isInBounds(bounds, { latitude: nearest, longitude })) return { latitude: nearest, longitude };
  const stepsTo = (edge: number): number => Math.abs(((edge - longitude + 540) % 360) - 180);
  return { latitude: nearest, longitude: stepsTo(west) < stepsTo(east) ? west : east };
}

/** How closely cells follow a shape. */
export interface Closeness {
  readonly placesIn: (cell: string) => number;
  readonly mostCells: number;
}

/** The seven cells of the next size in a cell and the twelve around them hold every point of it: those within stand out. */
const STEPS_OF_NEXT_SIZE = 2;

/**
 * Cells of any size that together cover a shape: of those that touch its edge, the one with most places gives way to smaller ones, again
 * and again. `depthOf` is how far from the edge a point is inside, less than 0 outside; beyond `most` outside it need not be exact.
 */
export function cellsOfShape(
  around: Coordinates,
  furthestMeters: number,
  depthOf: (point: Coordinates, most: number) => number,
  { placesIn, mostCells }: Closeness,
): string[] {
  const [coarsest] = CELL_RESOLUTIONS;
  const reach = furthestMeters + FURTHEST_CORNER_EDGES * EDGE_METERS[coarsest];
  const steps = Math.ceil(reach / (EDGE_METERS[coarsest] * SAFE_REACH_PER_STEP));
  const seen = new Set<string>();
  const whole: string[] = [];
  const edge = new Map<string, number>();
  const add = (cell: string): void => {
    if (seen.has(cell)) return;
    seen.add(cell);
    const corner = metersToCornerOf(cell);
    const middle = centreOf(cell);
    const depth = depthOf(middle, corner);
    if (depth < -corner) return;
    const places = placesIn(cell);
    if (cellResolution(cell) === FINEST || places === 0 || isSurelyIn(depth, cell, middle)) whole.push(cell);
    else edge.set(cell, places);
  };
  cellsAround(around, coarsest, steps).forEach(add);
  while (edge.size > 0 && whole.length + edge.size < mostCells) {
    let [densest, most] = ["", 0];
    for (const [cell, places] of edge) if (places > most) [densest, most] = [cell, places];
    edge.delete(densest);
    gridDisk(cellToCenterChild(densest, cellResolution(densest) + 1), STEPS_OF_NEXT_SIZE).forEach(add);
  }
  return [...whole, ...edge.keys()];
}

/** The H3 resolution of a cell: the library takes a microsecond for each, and a shape asks thousands of times. */
export const cellResolution = (cell: string): number => Number.parseInt(cell[RESOLUTION_DIGIT] ?? "", 16);

/** The corners of a cell: latitude and longitude, alternating. */
export function outlineOf(cell: string): number[] {
  return cellToBoundary(cell).flat();
}
