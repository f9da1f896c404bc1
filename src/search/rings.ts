import { CELL_RESOLUTIONS, cellRings, reachOfDisk, type CellResolution } from "../place/cells.ts";
import type { Bounds, Coordinates } from "../place/coordinates.ts";
import { lostIn, type Density, type Census, type PlaceIndex } from "../meilisearch/place-index.ts";
import type { StoredVocabulary } from "../meilisearch/stored-vocabulary.ts";

/**
 * Disks of cells around a point, sized by how many places they hold. So a ring means as much in a city as on an island, and
 * a lookup in it costs the same however many places there are elsewhere.
 */
export interface Rings {
  /** The neighbourhood: even a name that one place in fifty has occurs only about twenty times in it. */
  readonly near: Ring;
  /** Wide enough for twenty places of all but rare types. */
  readonly around: Ring;
  /** A city and its surroundings. */
  readonly region: Ring;
  readonly everywhere: Ring;
  /** The widest ring with at most that many places; the narrowest ring where even that has more. */
  readonly holding: (places: number) => Ring;
  /** The narrowest ring with more places than that. */
  readonly holdingMoreThan: (places: number) => Ring;
}

export interface Ring {
  /** Everywhere when absent. */
  readonly cells?: readonly string[];
  /** Only what lies in this rectangle too. */
  readonly bounds?: Bounds;
  readonly places: number;
  /** The ring holds every place up to this distance from the point, in metres; worked out when called. */
  readonly reachMeters: () => number;
}

const NEAR_PLACES = 1_000;
/** A type that one place in four hundred has still occurs twenty times here. */
const AROUND_PLACES = 8_000;
const REGION_PLACES = 60_000;

/** The widest disk of each cell size: rounder than a narrower disk of larger cells, and still a short list of cells. */
const WIDEST_STEPS = 2;

const FINE_TO_COARSE: readonly CellResolution[] = CELL_RESOLUTIONS.toReversed();

/**
 * Disks of cells around the point, from a few houses to a region, each up to three times as wide as the one before. Counted
 * one by one, since a city needs only the first few.
 */
function* disksAround(centre: Coordinates, placesIn: (cell: string) => number): Generator<Ring> {
  for (const resolution of FINE_TO_COARSE) {
    let disk = { cells: [] as string[], places: 0 };
    for (const [steps, cells] of cellRings(centre, resolution, WIDEST_STEPS).entries()) {
      disk = {
        cells: [...disk.cells, ...cells],
        places: cells.reduce((sum, cell) => sum + placesIn(cell), disk.places),
      };
      // One cell alone is much like the disk of finer cells before it; only the finest has none before it.
      if (disk.cells.length > 1 || resolution === FINE_TO_COARSE[0]) {
        yield { ...disk, reachMeters: () => reachOfDisk(centre, resolution, steps) };
      }
    }
  }
}

/** The counts that rings are sized by. */
export interface RingCounts {
  /** Places everywhere; for a search with a radius, places in its circle. */
  readonly places: number;
  readonly density: Density;
}

/**
 * The rings around a point. Before the places are counted, the point is taken for the middle of a city. That is right for
 * most callers; for the others the results of the first lookup correct it.
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

  // Worked out only when used: most searches never look at a region, and its cells take longest to count.
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

/** In the middle of a large city the finest cell holds about forty places, a coarser one at most seven times the finer. */
const ASSUMED_IN_FINEST_CELL = 40;

function assumeCity(): (cell: string) => number {
  return (cell) => ASSUMED_IN_FINEST_CELL * 7 ** (FINEST_RESOLUTION - resolutionOf(cell));
}

const FINEST_RESOLUTION = CELL_RESOLUTIONS.at(-1) ?? 9;

/** The resolution is the second digit of the name of an H3 cell. */
const resolutionOf = (cell: string): number => Number.parseInt(cell[1] ?? "", 16);

/** A new index is noticed within this time. Until then rings are sized by the counts of the old one, which differ little. */
const REFRESH_MS = 10_000;

/** After a failure the census is read again this soon, so that a new index is noticed soon after an outage. */
const RETRY_MS = 1_000;

export interface CensusReader {
  /** The latest census without waiting; `undefined` before the first was read. */
  latest(): Census | undefined;
  /** The areas and words of the data team, which came with the index of the latest census; `undefined` without any. */
  vocabulary(): StoredVocabulary | undefined;
  /** Settles when the read under way has ended, successfully or not. */
  settled(): Promise<void>;
}

/** Reads the census with the first search, and again when a later search finds that the index was replaced. */
export function createCensusReader(
  index: PlaceIndex,
  clock: () => number = () => performance.now(),
): CensusReader {
  let census: Census | undefined;
  let vocabulary: StoredVocabulary | undefined;
  let builtAt: string | undefined;
  let isComplete = false;
  let readAt = -Infinity;
  let reading: Promise<void> = Promise.resolve();

  const read = async (): Promise<void> => {
    const state = await index.readState();
    if (state.state !== "ready") throw new Error(`The index is ${state.state}.`);
    // What was counted without a lost partition is counted again when the partition is back.
    const isWhole = state.division === undefined || lostIn(state.division).length === 0;
    if (state.builtAt === builtAt && (isComplete || !isWhole)) return;
    const [counts, stored] = await Promise.all([index.readCensus(), index.readVocabulary()]);
    census = counts;
    vocabulary = stored;
    builtAt = state.builtAt;
    isComplete = isWhole;
  };

  return {
    latest() {
      if (clock() - readAt >= REFRESH_MS) {
        readAt = clock();
        // Searches work without a census, with assumed counts.
        reading = read().catch(() => {
          readAt = clock() - REFRESH_MS + RETRY_MS;
        });
      }
      return census;
    },
    vocabulary: () => vocabulary,
    settled: () => reading,
  };
}
