import { NOTHING_FOUND } from "../../support/fake-places.ts";
import { describe, expect, test } from "vitest";
import { CallerGoneError } from "../../../src/errors.ts";
import { cacheSearches } from "../../../src/search/cached-search.ts";
import type { FoundPlaces, SearchRequest } from "../../../src/search/search-request.ts";
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
  const answer = (): Promise<FoundPlaces> => {
    asked += 1;
    return asked <= failures ? Promise.reject(new Error("engine away")) : Promise.resolve(NOTHING_FOUND);
  };
  const counting = {
    search: answer,
    suggest: answer,
    areasAt: () => [],
    countTypes: async () => new Map(),
    districtOf: () => "",
    epoch: () => 0,
    match: async () => ({ matches: [], missingPartitions: [] }),
    complete: () => [],
  };
  let writes = 0;
  return {
    search: cacheSearches(counting, { writes: () => writes }),
    asked: () => asked,
    write: () => void (writes += 1),
  };
}

describe("equal requests", () => {
  test("at the same time ask once", async () => {
    const { search, asked } = createCountingSearch();
    await Promise.all([search.search(request), search.search({ ...request }), search.search(request)]);
    expect(asked()).toBe(1);
  });

  test("before and after a write that is done ask twice", async () => {
    const { search, asked, write } = createCountingSearch();
    const before = search.search(request);
    write();
    await Promise.all([before, search.search(request)]);
    await search.search(request);
    expect(asked()).toBe(2);
  });

  test("in a row ask once", async () => {
    const { search, asked } = createCountingSearch();
    await search.search(request);
    await search.search(request);
    expect(asked()).toBe(1);
  });

  test("fail together, and the next one asks again", async () => {
    const { search, asked } = createCountingSearch(1);
    const both = await Promise.allSettled([search.search(request), search.search(request)]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await expect(search.search(request)).resolves.toEqual(NOTHING_FOUND);
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
  const answer = () => Promise.resolve(NOTHING_FOUND);
  const search = cacheSearches(
    {
      search: answer,
      suggest: answer,
      areasAt: () => [],
      countTypes: async () => new Map(),
      districtOf: () => "",
      epoch: () => 0,
      match: async () => ({ matches: [], missingPartitions: [] }),
      complete: () => [],
    },
    { telemetry },
  );
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

/** A search that goes on until it is given up or told to answer. */
function createEndlessSearch() {
  const signals: AbortSignal[] = [];
  const answers: (() => void)[] = [];
  const ask = (_request: SearchRequest, signal?: AbortSignal): Promise<FoundPlaces> =>
    new Promise((resolve, reject) => {
      signals.push(signal!);
      answers.push(() => resolve(NOTHING_FOUND));
      signal?.addEventListener("abort", () => reject(signal.reason as Error));
    });
  return {
    search: cacheSearches({
      search: ask,
      suggest: ask,
      areasAt: () => [],
      countTypes: async () => new Map(),
      districtOf: () => "",
      epoch: () => 0,
      match: async () => ({ matches: [], missingPartitions: [] }),
      complete: () => [],
    }),
    signals,
    answerAll: () => answers.forEach((one) => one()),
  };
}

test("what lacks partitions is not reused: they may be back", async () => {
  let asked = 0;
  const answer = () => {
    asked += 1;
    return Promise.resolve({ places: [], missingPartitions: asked === 1 ? [3] : [] });
  };
  const others = {
    areasAt: () => [],
    countTypes: async () => new Map(),
    districtOf: () => "",
    epoch: () => 0,
    match: async () => ({ matches: [], missingPartitions: [] }),
    complete: () => [],
  };
  const search = cacheSearches({ search: answer, suggest: answer, ...others });
  const found = [await search.search(request), await search.search(request), await search.search(request)];
  expect(found.map(({ missingPartitions }) => missingPartitions)).toEqual([[3], [], []]);
  expect(asked).toBe(2);
});

describe("a caller who disconnects", () => {
  const gone = new CallerGoneError();

  test("no longer waits, and others with the same request still get their response", async () => {
    const { search, signals, answerAll } = createEndlessSearch();
    const [leaving, staying] = [new AbortController(), new AbortController()];
    const left = search.search(request, leaving.signal);
    const stayed = search.search(request, staying.signal);
    leaving.abort(gone);
    await expect(left).rejects.toBe(gone);
    expect(signals.map(({ aborted }) => aborted)).toStrictEqual([false]);
    answerAll();
    await expect(stayed).resolves.toStrictEqual(NOTHING_FOUND);
  });

  test("ends the search if it was the last one, and the next caller starts a new one", async () => {
    const { search, signals, answerAll } = createEndlessSearch();
    const callers = [new AbortController(), new AbortController()];
    const asked = callers.map(({ signal }) => search.search(request, signal));
    for (const caller of callers) caller.abort(gone);
    const next = search.search(request, new AbortController().signal);
    expect((await Promise.allSettled(asked)).map(({ status }) => status)).toStrictEqual([
      "rejected",
      "rejected",
    ]);
    expect(signals.map(({ aborted }) => aborted)).toStrictEqual([true, false]);
    answerAll();
    await expect(next).resolves.toStrictEqual(NOTHING_FOUND);
  });

  test("before it was asked ends it at once", async () => {
    const { search, signals } = createEndlessSearch();
    await expect(search.search(request, AbortSignal.abort(gone))).rejects.toBe(gone);
    expect(signals.map(({ aborted }) => aborted)).toStrictEqual([true]);
  });

  test("never ends a search that another caller still waits for", async () => {
    const { search, signals, answerAll } = createEndlessSearch();
    const leaving = new AbortController();
    const waiting = search.search(request);
    const left = search.search(request, leaving.signal);
    leaving.abort(gone);
    await expect(left).rejects.toBe(gone);
    expect(signals.map(({ aborted }) => aborted)).toStrictEqual([false]);
    answerAll();
    await expect(waiting).resolves.toStrictEqual(NOTHING_FOUND);
  });
});
