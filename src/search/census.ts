import type { Census, PlaceIndex } from "../place-index/place-index.ts";

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
