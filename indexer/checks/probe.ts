import type { EngineAddress } from "../../src/place-index/engine-connection.ts";
import { createPlaceIndex } from "../../src/place-index/create-place-index.ts";
import { createPlaceSearch } from "../../src/search/search-places.ts";
import type { RelevanceCase } from "./relevance-cases.ts";
import { patiently } from "./patiently.ts";

type Search = ReturnType<typeof createPlaceSearch>;
export type Found = Awaited<ReturnType<Search["search"]>>[number]["place"];

/** Searches an index as the server does. */
export interface Probe {
  /** The first answers, best first. */
  search(asked: Pick<RelevanceCase, "query" | "centre" | "limit">): Promise<readonly Found[]>;
  close(): Promise<void>;
}

/** What the API takes. */
const MAX_QUERY_LENGTH = 256;

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
      return (await patiently(() => search.search(asked))).map(({ place }) => place);
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
