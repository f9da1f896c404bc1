import type { Density, PlaceIndex } from "../place-index/place-index.ts";

/** A swap is noticed after at most this long; until then rings are sized by the counts of the index before, which differ little. */
const REFRESH_MS = 10_000;

/** Gives the latest known density at once, `undefined` before the first was read: no request waits for it. */
export type DensityReader = () => Density | undefined;

/** Reads the density with the first search and, while there are searches, anew when the index has been swapped. */
export function createDensityReader(
  index: PlaceIndex,
  clock: () => number = () => performance.now(),
): DensityReader {
  let density: Density | undefined;
  let builtAt: string | undefined;
  let readAt = -Infinity;

  const read = async (): Promise<void> => {
    const state = await index.readState();
    if (state.state !== "ready" || state.builtAt === builtAt) return;
    density = await index.readDensity();
    builtAt = state.builtAt;
  };

  return () => {
    if (clock() - readAt >= REFRESH_MS) {
      readAt = clock();
      // Without counts a search works with rings of fixed sizes; the next refresh tries again.
      void read().catch(() => undefined);
    }
    return density;
  };
}
