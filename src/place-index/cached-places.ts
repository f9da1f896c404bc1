import { LRUCache } from "lru-cache";
import type { PlaceDocument } from "../place/place-document.ts";
import { noTelemetry } from "../telemetry/telemetry.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { PlaceIndex } from "./place-index.ts";

interface CachedPlacesOptions {
  /** Milliseconds that never jump. */
  readonly clock?: () => number;
  readonly telemetry?: Telemetry;
}

/** How long a detail is given again without asking: a change shows after this at the latest. */
const FRESH_MS = 5_000;

/** While the engine is away an older one is better than none. */
const KEPT_MS = 600_000;

/** About twice as many bytes of memory; a place with many reviews and photos may have a hundred thousand letters. */
const MAX_LETTERS = 3_000_000;

/** The index with a memory for details. Places that nobody has are asked for again each time. */
export function cachePlaces(
  index: PlaceIndex,
  { clock = () => performance.now(), telemetry = noTelemetry }: CachedPlacesOptions = {},
): PlaceIndex {
  const kept = new LRUCache<string, { place: PlaceDocument; readAt: number }>({
    maxSize: MAX_LETTERS,
    sizeCalculation: ({ place }) => JSON.stringify(place).length,
    ttl: KEPT_MS,
  });
  return {
    ...index,
    async getPlace(dataId) {
      const known = kept.get(dataId);
      const isFresh = known !== undefined && clock() - known.readAt < FRESH_MS;
      telemetry.cacheAsked("place", isFresh);
      if (isFresh) return known.place;
      try {
        const place = await index.getPlace(dataId);
        if (place) kept.set(dataId, { place, readAt: clock() });
        else kept.delete(dataId);
        return place;
      } catch (error) {
        if (known) return known.place;
        throw error;
      }
    },
  };
}
