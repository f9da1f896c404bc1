import { LRUCache } from "lru-cache";
import { ProblemError } from "../errors.ts";
import type { PlaceDocument } from "../place/place-document.ts";
import { noTelemetry, type Telemetry } from "../telemetry/telemetry.ts";
import type { PlaceIndex } from "./place-index.ts";

interface CachedPlacesOptions {
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
  readonly telemetry?: Telemetry;
}

/** A place is reused for this long without asking the engine. A change shows after this time at the latest. */
const FRESH_MS = 5_000;

/** While the engine is down an older copy is better than none, for ten minutes. Then it might mislead. */
const KEPT_MS = 600_000;

/** Characters of JSON, each about two bytes. A place with many reviews and photos may have 100,000. */
const MAX_CHARACTERS = 3_000_000;

/**
 * The index with a cache for `getPlace`. Unknown places are not cached. While the engine is down or overloaded, a place is
 * returned as it was, at most `KEPT_MS` ago.
 */
export function cachePlaces(
  index: PlaceIndex,
  { clock = () => performance.now(), telemetry = noTelemetry }: CachedPlacesOptions = {},
): PlaceIndex {
  const kept = new LRUCache<string, { place: PlaceDocument; readAt: number }>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ place }) => JSON.stringify(place).length,
    ttl: KEPT_MS,
    ttlResolution: 0,
    perf: { now: clock },
  });
  return {
    ...index,
    async getPlace(dataId, signal) {
      const known = kept.get(dataId);
      const isFresh = known !== undefined && clock() - known.readAt < FRESH_MS;
      telemetry.cacheAsked("place", isFresh);
      if (isFresh) return known.place;
      try {
        const place = await index.getPlace(dataId, signal);
        if (place) kept.set(dataId, { place, readAt: clock() });
        else kept.delete(dataId);
        return place;
      } catch (error) {
        // A bug, or a caller that hung up, must not be hidden by an old copy.
        if (known && error instanceof ProblemError) return known.place;
        throw error;
      }
    },
  };
}
