import { cellsAround, type CellResolution } from "../place/cells.ts";
import type { Coordinates } from "../place/coordinates.ts";
import { MAX_SORTED_PLACES, type Density } from "../place-index/place-index.ts";

/** The cells around a caller, sized by how many places they hold, so that a ring means as much in a city as on an island. */
export interface Rings {
  /** Few enough places that the engine may sort them by distance. */
  readonly near: Ring;
  /** Wide enough for twenty places of all but rare kinds. */
  readonly around: Ring;
  /** A city and what lies about it. */
  readonly region: Ring;
}

export interface Ring {
  readonly cells: readonly string[];
  readonly places: number;
}

/** A kind that is one place in four hundred still has twenty here. */
const AROUND_PLACES = 8_000;
const REGION_PLACES = 60_000;

/**
 * Disks of cells from a block of houses to a region, each up to twice as wide as the one before. More cells would follow the
 * circle better, but cost the engine time.
 */
const DISKS: readonly (readonly [resolution: CellResolution, steps: number])[] = [
  [10, 0],
  ...([10, 9, 8, 7, 6, 5, 4] as const).flatMap((resolution) => [
    [resolution, 1] as const,
    [resolution, 2] as const,
  ]),
];

/** The widest disks around the point that hold no more places than each ring may; the narrowest one where even that holds more. */
export function ringsAround(centre: Coordinates, density: Density | undefined): Rings {
  if (density === undefined) return ringsOfFixedSize(centre);
  let [near, around, region] = [EMPTY, EMPTY, EMPTY];
  for (const [resolution, steps] of DISKS) {
    const cells = cellsAround(centre, resolution, steps);
    const ring = { cells, places: countPlaces(cells, density) };
    if (ring.places <= MAX_SORTED_PLACES || near === EMPTY) near = ring;
    if (ring.places <= AROUND_PLACES || around === EMPTY) around = ring;
    if (ring.places <= REGION_PLACES || region === EMPTY) region = ring;
    if (ring.places > REGION_PLACES) break;
  }
  return { near, around, region };
}

/** For the moments before the counts are read: right for the middle of a city. How many places they hold is not known. */
function ringsOfFixedSize(centre: Coordinates): Rings {
  const ring = (resolution: CellResolution, steps: number): Ring => ({
    cells: cellsAround(centre, resolution, steps),
    places: Infinity,
  });
  return { near: ring(9, 2), around: ring(7, 2), region: ring(5, 1) };
}

const EMPTY: Ring = { cells: [], places: 0 };

const countPlaces = (cells: readonly string[], density: Density): number =>
  cells.reduce((sum, cell) => sum + (density.get(cell) ?? 0), 0);
