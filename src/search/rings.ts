import { CELL_RESOLUTIONS, cellRings, cellsAround, type CellResolution } from "../place/cells.ts";
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

/** The widest disk that is looked at: it follows a circle better than a narrower one of wider cells, and is still a short list. */
const WIDEST_STEPS = 2;

/**
 * Disks of cells around the point, from one block of houses to a region, each up to twice as wide as the one before. Counted one
 * by one, since a city needs only the first few.
 */
function* disksAround(centre: Coordinates, density: Density): Generator<Ring> {
  for (const resolution of FINE_TO_COARSE) {
    let disk: Ring = { cells: [], places: 0 };
    for (const cells of cellRings(centre, resolution, WIDEST_STEPS)) {
      disk = { cells: [...disk.cells, ...cells], places: disk.places + countPlaces(cells, density) };
      // The middle cell alone is much like the disk of the finer cells before; only the finest has none before it.
      if (disk.cells.length > 1 || resolution === FINE_TO_COARSE[0]) yield disk;
    }
  }
}

const FINE_TO_COARSE: readonly CellResolution[] = CELL_RESOLUTIONS.toReversed();

/** The widest disks around the point that hold no more places than each ring may; the narrowest one where even that holds more. */
export function ringsAround(centre: Coordinates, density: Density | undefined): Rings {
  if (density === undefined) return ringsOfFixedSize(centre);
  let near: Ring | undefined;
  let around: Ring | undefined;
  let region: Ring | undefined;
  for (const disk of disksAround(centre, density)) {
    if (!near || disk.places <= MAX_SORTED_PLACES) near = disk;
    if (!around || disk.places <= AROUND_PLACES) around = disk;
    if (!region || disk.places <= REGION_PLACES) region = disk;
    if (disk.places > REGION_PLACES) break;
  }
  return { near: near ?? NOWHERE, around: around ?? NOWHERE, region: region ?? NOWHERE };
}

const NOWHERE: Ring = { cells: [], places: 0 };

/** For the moments before the counts are read: right for the middle of a city. How many places they hold is not known. */
function ringsOfFixedSize(centre: Coordinates): Rings {
  const ring = (resolution: CellResolution, steps: number): Ring => ({
    cells: cellsAround(centre, resolution, steps),
    places: Infinity,
  });
  return { near: ring(9, 2), around: ring(7, 2), region: ring(5, 1) };
}

const countPlaces = (cells: readonly string[], density: Density): number =>
  cells.reduce((sum, cell) => sum + (density.get(cell) ?? 0), 0);
