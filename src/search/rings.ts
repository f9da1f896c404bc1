import { CELL_RESOLUTIONS, cellRings, reachOfDisk, type CellResolution } from "../place/cells.ts";
import type { Coordinates } from "../place/coordinates.ts";
import type { Density, Census, PlaceIndex } from "../meilisearch/place-index.ts";

/**
 * The cells around a caller, chosen by how many places they hold, so that a ring means as much in a city as on an island, and
 * looking there costs the same however many places there are elsewhere.
 */
export interface Rings {
  /** The neighbourhood: even a name that one place in fifty has is there some twenty times only. */
  readonly near: Ring;
  /** Wide enough for twenty places of all but rare kinds. */
  readonly around: Ring;
  /** A city and what lies about it. */
  readonly region: Ring;
  readonly everywhere: Ring;
  /** The widest that holds no more places than that; the narrowest where even that holds more. */
  readonly holding: (places: number) => Ring;
  /** The narrowest that holds more places than that. */
  readonly holdingMoreThan: (places: number) => Ring;
}

export interface Ring {
  /** Absent: everywhere. */
  readonly cells?: readonly string[];
  readonly places: number;
  /** Up to which distance from the point it holds every place, in metres; worked out when asked. */
  readonly reachMeters: () => number;
}

const NEAR_PLACES = 1_000;
/** A kind that is one place in four hundred still has twenty here. */
const AROUND_PLACES = 8_000;
const REGION_PLACES = 60_000;

/** The widest disk that is looked at: it follows a circle better than a narrower one of wider cells, and is still a short list. */
const WIDEST_STEPS = 2;

const FINE_TO_COARSE: readonly CellResolution[] = CELL_RESOLUTIONS.toReversed();

/**
 * Disks of cells around the point, from a few houses to a region, each up to three times as wide as the one before. Counted one
 * by one, since a city needs only the first few.
 */
function* disksAround(centre: Coordinates, placesIn: (cell: string) => number): Generator<Ring> {
  for (const resolution of FINE_TO_COARSE) {
    let disk = { cells: [] as string[], places: 0 };
    for (const [steps, cells] of cellRings(centre, resolution, WIDEST_STEPS).entries()) {
      disk = {
        cells: [...disk.cells, ...cells],
        places: cells.reduce((sum, cell) => sum + placesIn(cell), disk.places),
      };
      // The middle cell alone is much like the disk of the finer cells before; only the finest has none before it.
      if (disk.cells.length > 1 || resolution === FINE_TO_COARSE[0]) {
        yield { ...disk, reachMeters: () => reachOfDisk(centre, resolution, steps) };
      }
    }
  }
}

/** What the rings are sized by. */
export interface RingCounts {
  /** Places everywhere; of a search that is restricted to a circle, those in it. */
  readonly places: number;
  readonly density: Density;
}

/**
 * The rings around a point. Before the places are counted they are those of the middle of a city, which is right for most callers
 * and found to be wrong, by what they hold, for the others.
 */
export function ringsAround(centre: Coordinates, counts: RingCounts | undefined): Rings {
  const everywhere: Ring = { places: counts?.places ?? ASSUMED_PLACES, reachMeters: () => Infinity };
  const placesIn = counts ? (cell: string) => counts.density.placesIn(cell) : assumeCity();
  const disks = disksAround(centre, placesIn);
  const seen: Ring[] = [];

  const drawUpTo = (places: number): void => {
    while ((seen.at(-1)?.places ?? 0) <= places) {
      const next = disks.next();
      if (next.done) break;
      seen.push(next.value);
    }
  };
  const holding = (places: number): Ring => {
    if (places >= everywhere.places) return everywhere;
    drawUpTo(places);
    return seen.findLast((disk) => disk.places <= places) ?? seen[0] ?? everywhere;
  };

  const holdingMoreThan = (places: number): Ring => {
    drawUpTo(places);
    return seen.find((disk) => disk.places > places && disk.places < everywhere.places) ?? everywhere;
  };

  // Asked for one by one: most searches never look at a region, and its cells take longest to count.
  return {
    get near() {
      return holding(NEAR_PLACES);
    },
    get around() {
      return holding(AROUND_PLACES);
    },
    get region() {
      return holding(REGION_PLACES);
    },
    everywhere,
    holding,
    holdingMoreThan,
  };
}

const ASSUMED_PLACES = 1_000_000;

/** In the middle of a large city a finest cell holds some forty places, and a coarser one at most seven times as many as the finer. */
const ASSUMED_IN_FINEST_CELL = 40;

function assumeCity(): (cell: string) => number {
  return (cell) => ASSUMED_IN_FINEST_CELL * 7 ** (FINEST_RESOLUTION - resolutionOf(cell));
}

const FINEST_RESOLUTION = CELL_RESOLUTIONS.at(-1) ?? 9;

/** The second digit of a cell's name. */
const resolutionOf = (cell: string): number => Number.parseInt(cell[1] ?? "", 16);

/** A swap is noticed after at most this long; until then rings are sized by the counts of the index before, which differ little. */
const REFRESH_MS = 10_000;

/** While the engine does not answer it is asked again after this long: else a swap before an outage would be noticed late. */
const RETRY_MS = 1_000;

export interface CensusReader {
  /** The latest census, at once; `undefined` before the first was read: no request waits for it. */
  latest(): Census | undefined;
  /** Settles when the reading that is under way has ended, well or not. */
  settled(): Promise<void>;
}

/** Reads the census with the first search and, while there are searches, anew when the index has been swapped. */
export function createCensusReader(
  index: PlaceIndex,
  clock: () => number = () => performance.now(),
): CensusReader {
  let census: Census | undefined;
  let builtAt: string | undefined;
  let readAt = -Infinity;
  let reading: Promise<void> = Promise.resolve();

  const read = async (): Promise<void> => {
    const state = await index.readState();
    if (state.state !== "ready") throw new Error(`The index is ${state.state}.`);
    if (state.builtAt === builtAt) return;
    census = await index.readCensus();
    builtAt = state.builtAt;
  };

  return {
    latest() {
      if (clock() - readAt >= REFRESH_MS) {
        readAt = clock();
        // Without it a search works with rings of fixed sizes.
        reading = read().catch(() => {
          readAt = clock() - REFRESH_MS + RETRY_MS;
        });
      }
      return census;
    },
    settled: () => reading,
  };
}
