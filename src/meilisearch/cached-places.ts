import { LRUCache } from "lru-cache";
import { ProblemError } from "../errors.ts";
import type { StoredPlace } from "../place/document/place-document.ts";
import { noTelemetry, type Telemetry } from "../telemetry/telemetry.ts";
import type { PlaceIndex } from "./place-index.ts";

interface CachedPlacesOptions {
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
  readonly telemetry?: Telemetry;
  readonly freshMs?: number;
  /** Counts the writes of which callers have heard that they are done: what was asked before is not reused. */
  readonly writes?: () => number;
}

/** A place is reused for this long without asking the engine. A change shows after this time at the latest. */
const FRESH_MS = 5_000;

/** While the engine is down an older copy is better than none, for ten minutes. Then it might mislead. */
const KEPT_MS = 600_000;

/** Characters of JSON, each about two bytes. A place with many reviews and photos may have 100,000. */
const MAX_CHARACTERS = 3_000_000;

/** About what the other fields of a place, a review and a photo take as JSON. Counting exactly took as long as a response. */
const PLACE_CHARACTERS = 3_000;
const REVIEW_CHARACTERS = 200;
const PHOTO_CHARACTERS = 150;

/** The size of a place in characters of JSON, by its long fields. */
function sizeOf({ description, review_list: reviews, photos }: StoredPlace): number {
  const galleries = photos.reduce((sum, { media }) => sum + PHOTO_CHARACTERS * (1 + media.length), 0);
  return reviews.reduce(
    (sum, { text, photos: pictures }) =>
      sum + REVIEW_CHARACTERS + text.length + PHOTO_CHARACTERS * pictures.length,
    PLACE_CHARACTERS + description.length + galleries,
  );
}

interface KeptPlace {
  readonly place: StoredPlace;
  readonly asked: Asked;
}

/** When a place was asked for, and after how many writes. */
interface Asked {
  readonly at: number;
  readonly writes: number;
}

/**
 * The index with a cache for `getPlace` and `getPlaces`. Unknown places are not cached. While the engine is down or overloaded, a place is
 * returned as it was, at most `KEPT_MS` ago.
 */
export function cachePlaces(index: PlaceIndex, options: CachedPlacesOptions = {}): PlaceIndex {
  const cache = createPlaceCache(options);
  return {
    ...index,
    async getPlace(dataId, signal) {
      const known = cache.fresh(dataId);
      if (known) return known;
      const asked = cache.ask();
      try {
        const place = await index.getPlace(dataId, signal);
        cache.keep(dataId, place, asked);
        return place;
      } catch (error) {
        return cache.insteadOf(error, dataId);
      }
    },
    async getPlaces(dataIds, signal) {
      const places = new Map(dataIds.map((dataId) => [dataId, cache.fresh(dataId)]));
      const wanted = [...places.keys()].filter((dataId) => places.get(dataId) === undefined);
      const asked = cache.ask();
      try {
        const read = wanted.length === 0 ? [] : await index.getPlaces(wanted, signal);
        for (const [position, dataId] of wanted.entries()) {
          places.set(dataId, read[position]);
          cache.keep(dataId, read[position], asked);
        }
        return dataIds.map((dataId) => places.get(dataId));
      } catch (error) {
        return dataIds.map((dataId) => cache.insteadOf(error, dataId));
      }
    },
  };
}

function createPlaceCache({
  clock = () => performance.now(),
  telemetry = noTelemetry,
  freshMs = FRESH_MS,
  writes = () => 0,
}: CachedPlacesOptions) {
  const kept = new LRUCache<string, KeptPlace>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ place }) => sizeOf(place),
    ttl: KEPT_MS,
    ttlResolution: 0,
    perf: { now: clock },
  });
  return {
    ask: (): Asked => ({ at: clock(), writes: writes() }),
    fresh(dataId: string): StoredPlace | undefined {
      const known = kept.get(dataId);
      const isFresh =
        known !== undefined && clock() - known.asked.at < freshMs && known.asked.writes === writes();
      telemetry.cacheAsked("place", isFresh);
      return isFresh ? known.place : undefined;
    },
    keep(dataId: string, place: StoredPlace | undefined, asked: Asked): void {
      if (place) kept.set(dataId, { place, asked });
      else kept.delete(dataId);
    },
    /** An older copy. Throws without one, and for a bug or a caller that hung up, which a copy must not hide. */
    insteadOf(error: unknown, dataId: string): StoredPlace {
      const known = kept.get(dataId);
      if (known && error instanceof ProblemError) return known.place;
      throw error;
    },
  };
}
