import { LRUCache } from "lru-cache";
import {
  CELL_RESOLUTIONS,
  cellAt,
  cellResolution,
  cellRings,
  cellsTouching,
  cellsWithin,
  centreOf,
  coarserCellsOf,
  radiusOfCell,
  reachOfDisk,
  ringsOfCell,
  type CellResolution,
} from "../place/geometry/cells.ts";
import {
  boundsAround,
  distanceMeters,
  type Bounds,
  type Coordinates,
} from "../place/geometry/coordinates.ts";
import type { Census, Density } from "../meilisearch/place-index.ts";
import { RINGS } from "./numbers.ts";

/** Disks of cells around a point, sized by how many places they hold: a ring means and costs as much in a city as on an island. */
export type Rings = ReturnType<typeof ringsAround>;

export interface Ring {
  /** Everywhere when absent. */
  readonly cells?: readonly string[];
  /** Only what lies in this rectangle too. */
  readonly bounds?: Bounds;
  readonly places: number;
  /** The ring holds every place up to this distance from the point, in metres; worked out when called. */
  readonly reachMeters: () => number;
}

/** Narrower than cells: in the densest part of a town, one may hold thousands of places. */
export interface Circle extends Ring {
  /** The rectangle around it. */
  readonly bounds: Bounds;
  /** Places in all of its cells; `places` may be an estimate of those in the circle alone. */
  readonly placesInCells: number;
}

const FINE_TO_COARSE: readonly CellResolution[] = CELL_RESOLUTIONS.toReversed();
const FINEST = FINE_TO_COARSE[0]!;

/** Disks of cells, from a few houses to a region, each up to three times as wide as the last. A city needs only the first few. */
function* disksAround(centre: Coordinates, density: CellCounts): Generator<Ring> {
  for (const resolution of FINE_TO_COARSE) {
    for (const [steps, disk] of readDisks(cellAt(centre, resolution), density).entries()) {
      // One cell alone is much like the disk of finer cells before it; only the finest has none before it.
      if (disk.cells.length > 1 || resolution === FINEST) {
        yield { ...disk, reachMeters: () => reachOfDisk(centre, resolution, steps) };
      }
    }
  }
}

/** A cell and all cells within some steps of it, with how many places they hold. */
interface Disk {
  readonly cells: readonly string[];
  readonly places: number;
}

function countDisks(cell: string, density: CellCounts): Disk[] {
  let disk: Disk = { cells: [], places: 0 };
  return ringsOfCell(cell, RINGS.widestSteps).map(
    (cells) =>
      (disk = {
        cells: [...disk.cells, ...cells],
        places: cells.reduce((sum, one) => sum + density.placesIn(one), disk.places),
      }),
  );
}

/** Callers come from the same towns again and again: without these disks a search takes the API 3 % more CPU. Each cell's take 2 kB. */
const MOST_KNOWN_CELLS = 400;

const knownDisks = new WeakMap<CellCounts, LRUCache<string, readonly Disk[]>>();

function readDisks(cell: string, density: CellCounts): readonly Disk[] {
  const known = knownDisks.getOrInsertComputed(density, () => new LRUCache({ max: MOST_KNOWN_CELLS }));
  const disks = known.get(cell) ?? countDisks(cell, density);
  known.set(cell, disks);
  return disks;
}

/** Part of a circle's surroundings: a cell, and how many places it holds. */
interface Block {
  readonly meters: number;
  readonly radiusMeters: number;
  readonly places: number;
}

/** How often some hundred metres are halved until a circle is right to the metre. */
const HALVINGS = 9;

/** Circles around the point, drawn by how many places its cells hold. */
function circlesAround(centre: Coordinates, density: CellCounts | undefined) {
  const placesIn = (cell: string): number => density?.placesIn(cell) ?? 0;
  function* blocksOf(cell: string, resolution: CellResolution, coarsest: number): Generator<Block> {
    const places = placesIn(cell);
    if (places > coarsest && resolution < FINEST) {
      const finer = (resolution + 1) as CellResolution;
      for (const child of cellsWithin(cell, finer)) yield* blocksOf(child, finer, coarsest);
    } else if (places > 0) {
      yield {
        meters: distanceMeters(centre, centreOf(cell)),
        radiusMeters: radiusOfCell(resolution),
        places,
      };
    }
  }

  /** The circle with this radius, a close one of up to 170 cells; `undefined` where it is too wide for a list, and at the poles. */
  function circle(radius: number, options?: { readonly isClose?: boolean }): Circle | undefined {
    const [cells, bounds] = [cellsTouching(centre, radius, options), boundsAround(centre, radius)];
    if (!cells || !bounds) return undefined;
    const places = cells.reduce((sum, cell) => sum + placesIn(cell), 0);
    return { cells, bounds, placesInCells: places, places, reachMeters: () => radius };
  }

  /** The circle with about this many places; `undefined` where there are fewer nearby, and before the places are counted. */
  function circleHolding(places: number): Circle | undefined {
    let from = 0;
    for (const resolution of FINE_TO_COARSE) {
      const blocks = cellRings(centre, resolution, RINGS.widestSteps)
        .flat()
        .flatMap((cell) => [...blocksOf(cell, resolution, RINGS.coarseShare * places)]);
      let to = reachOfDisk(centre, resolution, RINGS.widestSteps);
      if (placesWithin(to, blocks) < places) {
        from = to;
        continue;
      }
      for (let halving = 0; halving < HALVINGS; halving += 1) {
        const middle = (from + to) / 2;
        if (placesWithin(middle, blocks) < places) from = middle;
        else to = middle;
      }
      const found = circle(to);
      return found && { ...found, places: placesWithin(to, blocks) };
    }
    return undefined;
  }
  return { circle, circleHolding };
}

const placesWithin = (radius: number, blocks: readonly Block[]): number =>
  blocks.reduce((sum, block) => sum + block.places * shareWithin(radius, block), 0);

/** The share of a block that lies within a radius around the centre, if its places lie evenly. */
function shareWithin(radius: number, { meters, radiusMeters }: Block): number {
  if (meters < radiusMeters) return Math.min(1, (radius / radiusMeters) ** 2);
  return Math.min(1, Math.max(0, (radius - meters + radiusMeters) / (2 * radiusMeters)));
}

/** The counts that rings are sized by. */
export interface RingCounts {
  /** Places everywhere; for a search with a radius, places in its circle. */
  readonly places: number;
  readonly density: CellCounts;
}

/** How many places each cell has. */
type CellCounts = Pick<Density, "placesIn">;

/** The same counts, but only of places in some cells of any size: those of a shape. */
export function densityWithin(cells: readonly string[], density: CellCounts): CellCounts {
  const counts = new Map<string, number>();
  for (const cell of cells) {
    const places = density.placesIn(cell);
    for (const one of [cell, ...coarserCellsOf(cell)]) counts.set(one, (counts.get(one) ?? 0) + places);
  }
  const all = new Set(cells);
  return {
    placesIn: (cell) =>
      counts.getOrInsertComputed(cell, () =>
        coarserCellsOf(cell).some((one) => all.has(one)) ? density.placesIn(cell) : 0,
      ),
  };
}

/** The rings around a point. Before places are counted it is taken for the middle of a city; elsewhere the first lookup corrects that. */
export function ringsAround(centre: Coordinates, counts: RingCounts | undefined) {
  const everywhere: Ring = { places: counts?.places ?? RINGS.assumedPlaces, reachMeters: () => Infinity };
  const disks = disksAround(centre, counts?.density ?? IN_CITY);
  const seen: Ring[] = [];

  const drawUpTo = (places: number): void => {
    while ((seen.at(-1)?.places ?? 0) <= places) {
      const next = disks.next();
      if (next.done) break;
      seen.push(next.value);
    }
  };
  /** The widest ring with at most that many places; the narrowest ring where even that has more. */
  const holding = (places: number): Ring => {
    if (places >= everywhere.places) return everywhere;
    drawUpTo(places);
    return seen.findLast((disk) => disk.places <= places) ?? seen[0] ?? everywhere;
  };
  /** The narrowest ring with more places than that. */
  const holdingMoreThan = (places: number): Ring => {
    drawUpTo(places);
    return seen.find((disk) => disk.places > places && disk.places < everywhere.places) ?? everywhere;
  };

  return { everywhere, holding, holdingMoreThan, ...circlesAround(centre, counts?.density) };
}

/** How many places have one of the types. */
export const countTypes = ({ types: counts }: Census, types: readonly string[]): number =>
  types.reduce((sum, type) => sum + (counts.get(type) ?? 0), 0);

/** About how many places cells have in the middle of a city. */
export const IN_CITY: CellCounts = {
  placesIn: (cell) => RINGS.assumedInFinestCell * 7 ** (FINEST - cellResolution(cell)),
};
