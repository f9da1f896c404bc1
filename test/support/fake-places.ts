import { readQueryWords } from "../../src/search/reading/tokens.ts";
import { toReading } from "../../src/search/reading/reading.ts";
import { engineUnavailable } from "../../src/errors.ts";
import type { IndexState, PlaceIndex } from "../../src/meilisearch/place-index.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import type { FoundPlaces, PlaceSearch } from "../../src/search/search-request.ts";

interface FakeOptions {
  readonly places?: readonly PlaceDocument[];
  readonly state?: IndexState;
  /** Every call fails with this error instead of returning places. */
  readonly error?: Error;
}

/** Results of searches that find nothing. */
export const NOTHING_FOUND: FoundPlaces = { places: [], missingPartitions: [] };

/** An index and a search in memory, for tests that are not about finding: every query matches every place. */
export function fakePlaces({ places = [], state, error }: FakeOptions = {}): {
  index: PlaceIndex;
  search: PlaceSearch;
} {
  const orError = async <T>(value: T): Promise<T> => {
    if (error) throw error;
    return value;
  };
  const explanation = { text: 0, distance: 0, prominence: 0, score: 0, parts: {} };
  const ranked = places.map((place) => ({ place, distanceMeters: 0, explanation }));
  const find: PlaceSearch["search"] = ({ query, limit, offset, isCounted }) =>
    orError({
      places: ranked.slice(offset, offset + limit),
      missingPartitions: [],
      ...(isCounted && { total: places.length }),
      reading: toReading("plain", { name: readQueryWords(query) }),
    });
  return {
    search: {
      search: find,
      suggest: find,
      match: () => orError({ matches: [], missingPartitions: [] }),
      areasAt: () => [],
      countTypes: async () => new Map(),
      districtOf: () => "",
      epoch: () => 0,
      complete: () => [],
    },
    index: {
      getPlace: (dataId: string) => orError(places.find((place) => place.data_id === dataId)),
      getPlaces: (dataIds: readonly string[]) =>
        orError(dataIds.map((id) => places.find((place) => place.data_id === id))),
      readState: async () =>
        state ?? { state: "ready", places: places.length, builtAt: "2026-11-20T00:00:00.000Z" },
      close: async () => {},
      // Only the real search calls the other methods.
    } as PlaceIndex,
  };
}

/** The error of the real index when the engine is gone. */
export const engineGone = (): Error => engineUnavailable(new Error("connect ECONNREFUSED 10.1.2.3:7700"));
