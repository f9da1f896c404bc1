import { LRUCache } from "lru-cache";
import { ProblemError } from "../errors.ts";
import type { PlaceDocument } from "../place/place-document.ts";
import { noTelemetry, type Telemetry } from "../telemetry/telemetry.ts";
import type { PlaceIndex } from "./place-index.ts";

interface CachedPlacesOptions {
  /** Milliseconds that never jump. */
  readonly clock?: () => number;
  readonly telemetry?: Telemetry;
}

/** How long a detail is given again without asking: a change shows after this at the latest. */
const FRESH_MS = 5_000;

/** While the engine is away an older one is better than none, up to ten minutes; after that it might mislead. */
const KEPT_MS = 600_000;

/** About twice as many bytes of memory; a place with many reviews and photos may have a hundred thousand letters. */
const MAX_LETTERS = 3_000_000;

/**
 * The index with a memory for details. Places that nobody has are asked for again each time. While the engine is away or has too
 * much to do a detail is given as it was, `KEPT_MS` old at most.
 */
export function cachePlaces(
  index: PlaceIndex,
  { clock = () => performance.now(), telemetry = noTelemetry }: CachedPlacesOptions = {},
): PlaceIndex {
  const kept = new LRUCache<string, { place: PlaceDocument; readAt: number }>({
    maxSize: MAX_LETTERS,
    sizeCalculation: ({ place }) => JSON.stringify(place).length,
    ttl: KEPT_MS,
    ttlResolution: 0,
    perf: { now: clock },
  });
  return {
    ...index,
    async getPlace(dataId, unwanted) {
      const known = kept.get(dataId);
      const isFresh = known !== undefined && clock() - known.readAt < FRESH_MS;
      telemetry.cacheAsked("place", isFresh);
      if (isFresh) return known.place;
      try {
        const place = await index.getPlace(dataId, unwanted);
        if (place) kept.set(dataId, { place, readAt: clock() });
        else kept.delete(dataId);
        return place;
      } catch (error) {
        // A mistake of ours, or a caller who is gone, is no reason to look the other way.
        if (known && error instanceof ProblemError) return known.place;
        throw error;
      }
    },
  };
}
