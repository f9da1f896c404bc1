import type { Census, PlaceIndex } from "../place-index/place-index.ts";

/** A swap is noticed after at most this long; until then rings are sized by the counts of the index before, which differ little. */
const REFRESH_MS = 10_000;

/** Gives the latest census at once, `undefined` before the first was read: no request waits for it. */
export type CensusReader = () => Census | undefined;

/** Reads the census with the first search and, while there are searches, anew when the index has been swapped. */
export function createCensusReader(
  index: PlaceIndex,
  clock: () => number = () => performance.now(),
): CensusReader {
  let census: Census | undefined;
  let builtAt: string | undefined;
  let readAt = -Infinity;

  const read = async (): Promise<void> => {
    const state = await index.readState();
    if (state.state !== "ready" || state.builtAt === builtAt) return;
    census = await index.readCensus();
    builtAt = state.builtAt;
  };

  return () => {
    if (clock() - readAt >= REFRESH_MS) {
      readAt = clock();
      // Without it a search works with rings of fixed sizes; the next refresh tries again.
      void read().catch(() => undefined);
    }
    return census;
  };
}
