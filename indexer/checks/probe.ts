import type { PlaceIndex } from "../../src/meilisearch/place-index.ts";
import { createPlaceSearch } from "../../src/search/search-places.ts";
import { retryOnTimeout } from "./check-new-index.ts";
import { distanceMeters, type Coordinates } from "../../src/place/geometry/coordinates.ts";
import { dataIdIdentity } from "../../src/place/document/data-id.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { typeLabel } from "../../src/place/document/type-codes.ts";
import { fold } from "../../src/place/text/fold.ts";
import { MAX_QUERY_LENGTH } from "../../src/place/request-defaults.ts";

type Search = ReturnType<typeof createPlaceSearch>;
export type Found = Awaited<ReturnType<Search["search"]>>["places"][number]["place"];

/** A search from a point. */
interface ProbeQuery {
  readonly query: string;
  readonly centre: Coordinates;
  readonly limit: number;
}

/** Searches an index in the same way as the server. */
export interface Probe {
  /** The first results, best first. */
  search(asked: ProbeQuery): Promise<readonly Found[]>;
  close(): Promise<void>;
}

/** Until then the search may not know how dense places are, and so covers less ground. */
const CENSUS_DEADLINE_MS = 5_000;

/** Searches an index, which it closes at its end. Waits until it knows what the server knows about the index. */
export async function createProbe(index: PlaceIndex): Promise<Probe> {
  const censusRead = Promise.withResolvers<void>();
  const search = createPlaceSearch({
    ...index,
    readCensus: () => {
      const reading = index.readCensus();
      void reading.finally(censusRead.resolve).catch(() => undefined);
      return reading;
    },
  });
  const timer = setTimeout(censusRead.resolve, CENSUS_DEADLINE_MS);
  await censusRead.promise;
  clearTimeout(timer);
  return {
    search: async ({ query, centre, limit }) => {
      const asked = { query: toQuery(query), centre, limit, offset: 0 };
      const { places } = await retryOnTimeout(() => search.search(asked));
      return places.map(({ place }) => place);
    },
    close: () => index.close(),
  };
}

const toQuery = (text: string): string =>
  Array.from(text.normalize("NFC").trim()).slice(0, MAX_QUERY_LENGTH).join("");

/** Suits two cores that other searches use as well. */
const SEARCHES_AT_ONCE = 3;

/** Counts the places that pass, testing a few at a time. */
export async function countPassing<T>(
  values: readonly T[],
  passes: (value: T) => Promise<boolean>,
): Promise<number> {
  const waiting = [...values];
  let passed = 0;
  const work = async (): Promise<void> => {
    for (let value = waiting.pop(); value !== undefined; value = waiting.pop())
      if (await passes(value)) passed += 1;
  };
  await Promise.all(Array.from({ length: SEARCHES_AT_ONCE }, work));
  return passed;
}

/**
 * Places nearby with the same name may rank before it: branches of a chain in one mall, the gates of one
 * park.
 */
const NEARLY_FIRST = 3;

/** Sources place the same point this far apart, and so does a new mapping of a large place. */
const SAME_SPOT_METERS = 500;

/**
 * Whether a place is found among the first results by a person who stands there and types its name, or its
 * category when it has no name. Another place of that name nearby also counts.
 */
export async function isFoundByName(
  { search }: Pick<Probe, "search">,
  place: PlaceDocument,
): Promise<boolean> {
  const found = await search({
    query: place.title || typeLabel(place.type, "vi"),
    centre: place.location,
    limit: NEARLY_FIRST,
  });
  return found.some((other) => isSamePlace(place, other));
}

function isSamePlace(place: PlaceDocument, other: Found): boolean {
  if (dataIdIdentity(place.data_id) === dataIdIdentity(other.data_id)) return true;
  if (fold(place.title) !== fold(other.title)) return false;
  return distanceMeters(place.location, other.location) <= SAME_SPOT_METERS;
}
