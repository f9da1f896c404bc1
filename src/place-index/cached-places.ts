import { LRUCache } from "lru-cache";
import type { PlaceDocument } from "../place/place-document.ts";
import type { PlaceIndex } from "./place-index.ts";

/** How long a detail is given again without asking: a change shows after this at the latest. */
const FRESH_MS = 5_000;

/** While the engine is away an older one is better than none. */
const KEPT_MS = 600_000;

/** About twice as many bytes of memory; a place with many reviews and photos may have a hundred thousand letters. */
const MAX_LETTERS = 3_000_000;

/** The index with a memory for details. Places that nobody has are asked for again each time. */
export function cachePlaces(index: PlaceIndex, clock: () => number = () => performance.now()): PlaceIndex {
  const kept = new LRUCache<string, { place: PlaceDocument; readAt: number }>({
    maxSize: MAX_LETTERS,
    sizeCalculation: ({ place }) => JSON.stringify(place).length,
    ttl: KEPT_MS,
  });
  return {
    ...index,
    async getPlace(dataId) {
      const known = kept.get(dataId);
      if (known && clock() - known.readAt < FRESH_MS) return known.place;
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
