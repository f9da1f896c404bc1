import type { EngineAddress } from "../../src/meilisearch/connection.ts";
import { createPlaceIndex } from "../../src/meilisearch/create-place-index.ts";
import { createPlaceSearch } from "../../src/search/search-places.ts";
import type { RelevanceCase } from "./relevance-cases.ts";
import { retryOnTimeout } from "./check-new-index.ts";
import { distanceMeters } from "../../src/place/coordinates.ts";
import { dataIdIdentity } from "../../src/place/data-id.ts";
import type { PlaceDocument } from "../../src/place/place-document.ts";
import { typeLabel } from "../../src/place/type-codes.ts";
import { fold } from "../../src/place/text/fold.ts";
import { MAX_QUERY_LENGTH } from "../../src/place/request-defaults.ts";

type Search = ReturnType<typeof createPlaceSearch>;
export type Found = Awaited<ReturnType<Search["search"]>>[number]["place"];

/** Searches an index as the server does. */
export interface Probe {
  /** The first answers, best first. */
  search(asked: Pick<RelevanceCase, "query" | "centre" | "limit">): Promise<readonly Found[]>;
  close(): Promise<void>;
}

/** Until this is over the search may not know yet how dense places are, and looks less far. */
const CENSUS_DEADLINE_MS = 5_000;

/** Opens an index for searches, which begin once it knows what the server knows of it. */
export async function createProbe(address: EngineAddress): Promise<Probe> {
  const index = createPlaceIndex(address);
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
      return (await retryOnTimeout(() => search.search(asked))).map(({ place }) => place);
    },
    close: () => index.close(),
  };
}

const toQuery = (text: string): string =>
  Array.from(text.normalize("NFC").trim()).slice(0, MAX_QUERY_LENGTH).join("");

/** Two cores, and searches of others that go on meanwhile. */
const SEARCHES_AT_ONCE = 3;

/** How many of the places pass, a few asked at a time. */
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

/** Its namesakes next door may come before it: branches of a chain in one mall, the gates of one park. */
const NEARLY_FIRST = 3;

/** Points of one place differ by this much between sources, or when a large one is mapped anew. */
const SAME_SPOT_METERS = 500;

/**
 * Whether a place is found first or nearly so by somebody who stands there and types its name, or its kind if it has none; or
 * a namesake there.
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
