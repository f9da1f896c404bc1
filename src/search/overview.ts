import type { Census, PlaceIndex } from "../place-index/place-index.ts";
import { cellResolution, outlineOf } from "../place/cells.ts";

/** Where the places of an index are, as a map shows it: cells of one size with how many places each holds. */
export interface Overview {
  readonly places: number;
  /** How many places each type has, most first. */
  readonly types: readonly (readonly [type: string, places: number])[];
  /** The corners of each cell, latitude and longitude in turns, and its number of places. */
  readonly cells: readonly { readonly outline: readonly number[]; readonly places: number }[];
}

/** As many as a browser draws without a thought and a line carries in no time. */
const MAX_CELLS = 2_500;

/** Sizes of cells that say something on a map, finest first: of about a kilometre to 45 km. */
const RESOLUTIONS = [8, 7, 6, 5, 4];

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
  const fitting = RESOLUTIONS.map((resolution) => bySize.get(resolution) ?? []).find(
    (cells) => cells.length > 0 && cells.length <= MAX_CELLS,
  );
  return {
    places,
    types: [...types].toSorted(([, one], [, other]) => other - one),
    cells: (fitting ?? []).map(([cell, count]) => ({ outline: outlineOf(cell), places: count })),
  };
}
