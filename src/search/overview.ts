import type { Census, PlaceIndex } from "../meilisearch/place-index.ts";
import { cellResolution, outlineOf } from "../place/geometry/cells.ts";

/** Where the places of an index are, as a map shows it: cells of one size with how many places each holds. */
export interface Overview {
  readonly places: number;
  /** How many places each type has, most first. */
  readonly types: readonly (readonly [type: string, places: number])[];
  /** The same places in cells of several sizes, fine first. */
  readonly levels: readonly (readonly OverviewCell[])[];
}

interface OverviewCell {
  /** Its corners, latitude and longitude in turns, in ten-thousandths of a degree (some ten metres); each but the first as a step. */
  readonly outline: readonly number[];
  readonly places: number;
}

/** As many as a browser draws without a thought and a line carries in no time. */
const MAX_CELLS = 2_500;

/** Sizes of cells, fine first: about 350 m to 45 km wide. */
const RESOLUTIONS = [9, 8, 7, 6, 5, 4];

/** Reads overviews of an index, each once: an index changes as a whole. */
export function createOverviewReader(index: PlaceIndex): () => Promise<Overview> {
  let builtAt: string | undefined;
  let overview: Promise<Overview> | undefined;
  return async () => {
    const state = await index.readState();
    const current = state.state === "ready" ? state.builtAt : undefined;
    if (overview === undefined || current !== builtAt) {
      builtAt = current;
      overview = index.readCensus().then(toOverview);
      // What failed is read anew.
      overview.catch(() => (overview = undefined));
    }
    return overview;
  };
}

function toOverview({ places, types, density }: Census): Overview {
  const bySize = Map.groupBy(density.entries(), ([cell]) => cellResolution(cell));
  const levels = RESOLUTIONS.map((resolution) => bySize.get(resolution) ?? []).filter(
    (cells) => cells.length > 0 && cells.length <= MAX_CELLS,
  );
  return {
    places,
    types: [...types].toSorted(([, one], [, other]) => other - one),
    levels: levels.map((cells) =>
      cells.map(([cell, count]) => ({ outline: toSteps(outlineOf(cell)), places: count })),
    ),
  };
}

/** As many as a map needs that draws none, to know whether there are places around a point: some 4 kB. */
const FEW_CELLS = 500;

/** The overview for a map that draws no cells: the densest of the fine ones, where it starts, and the coarse ones. */
export function withFewCells(overview: Overview): Overview {
  const [fine = [], ...coarse] = overview.levels;
  if (fine.length <= FEW_CELLS) return overview;
  const densest = fine.toSorted((one, other) => other.places - one.places).slice(0, 1);
  return { ...overview, levels: [densest, ...coarse.filter((cells) => cells.length <= FEW_CELLS)] };
}

function toSteps(degrees: readonly number[]): number[] {
  const units = degrees.map((degree) => Math.round(degree * 10_000));
  return units.map((unit, index) => unit - (units[index - 2] ?? 0));
}
