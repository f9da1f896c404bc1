import { describe, expect, test } from "vitest";
import { cacheSearches } from "../../../src/search/cached-search.ts";
import type { RankedPlace, SearchRequest } from "../../../src/search/search-request.ts";
import { createTelemetryRecord } from "../../support/telemetry-record.ts";

const request: SearchRequest = {
  query: "pho",
  centre: { latitude: 10.77, longitude: 106.7 },
  limit: 20,
  offset: 0,
};

/** A search that counts how often it is asked, and fails as often as told. */
function createCountingSearch(failures = 0) {
  let asked = 0;
  const answer = (): Promise<RankedPlace[]> => {
    asked += 1;
    return asked <= failures ? Promise.reject(new Error("engine away")) : Promise.resolve([]);
  };
  return { search: cacheSearches({ search: answer, suggest: answer }), asked: () => asked };
}

describe("equal requests", () => {
  test("that come together ask once", async () => {
    const { search, asked } = createCountingSearch();
    await Promise.all([search.search(request), search.search({ ...request }), search.search(request)]);
    expect(asked()).toBe(1);
  });

  test("that follow each other ask once", async () => {
    const { search, asked } = createCountingSearch();
    await search.search(request);
    await search.search(request);
    expect(asked()).toBe(1);
  });

  test("fail together, and the next one asks again", async () => {
    const { search, asked } = createCountingSearch(1);
    const both = await Promise.allSettled([search.search(request), search.search(request)]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await expect(search.search(request)).resolves.toEqual([]);
    expect(asked()).toBe(2);
  });
});

test.each<Partial<SearchRequest>>([
  { query: "phở" },
  { centre: { latitude: 10.77001, longitude: 106.7 } },
  { limit: 10 },
  { offset: 20 },
  { sort: "distance" },
  { refinements: { minRating: 4 } },
  { refinements: { openAt: Temporal.Instant.from("2026-11-20T05:00:00Z") } },
])("a request that differs in %j is another request", async (difference) => {
  const { search, asked } = createCountingSearch();
  await search.search(request);
  await search.search({ ...request, ...difference });
  expect(asked()).toBe(2);
});

test("a search and a suggestion of the same words are two questions", async () => {
  const { search, asked } = createCountingSearch();
  await search.search(request);
  await search.suggest(request);
  expect(asked()).toBe(2);
});

test("the telemetry hears which requests were answered without asking, by kind", async () => {
  const { telemetry, heard } = createTelemetryRecord();
  const answer = () => Promise.resolve([]);
  const search = cacheSearches({ search: answer, suggest: answer }, { telemetry });
  await Promise.all([search.search(request), search.search(request)]);
  await search.search(request);
  await search.suggest(request);
  expect(heard("cacheAsked")).toEqual([
    ["search", false],
    ["search", true],
    ["search", true],
    ["suggest", false],
  ]);
});
