import { NOTHING_FOUND } from "../../support/fake-places.ts";
import { Agent, request, type IncomingMessage } from "node:http";
import { once } from "node:events";
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { engineUnavailable } from "../../../src/errors.ts";
import { createPlaceSearch } from "../../../src/search/search-places.ts";
import type { PlaceSearch } from "../../../src/search/search-request.ts";
import { noTelemetry } from "../../../src/telemetry/telemetry.ts";
import { fakePlaces } from "../../support/fake-places.ts";
import { createMemoryIndex } from "../../support/memory-index.ts";
import { CENTRE, placeAt } from "../../support/memory-search.ts";
import { startTestApp, type TestApp } from "../../support/test-app.ts";

const DEADLINE_MS = 800;

/** A search that ends so many requests in a second, one after the other, and fails those that have waited for too long. */
function createSlowSearch(perSecond: number): PlaceSearch {
  let freeAt = 0;
  const search: PlaceSearch["search"] = async () => {
    const now = performance.now();
    freeAt = Math.max(freeAt, now) + 1_000 / perSecond;
    const waitMs = freeAt - now;
    await sleep(Math.min(waitMs, DEADLINE_MS));
    if (waitMs > DEADLINE_MS) throw engineUnavailable(new Error("too late"));
    return NOTHING_FOUND;
  };
  return {
    search,
    suggest: search,
    areasAt: () => [],
    countTypes: async () => new Map(),
    districtOf: () => "",
    epoch: () => 0,
    match: async () => ({ matches: [], missingPartitions: [] }),
    complete: () => [],
  };
}

/** Asks so often in a second, whether the answers come or not. How many answers there were of each status. */
async function flood(app: TestApp, perSecond: number, seconds: number): Promise<Map<number, number>> {
  const agent = new Agent({ keepAlive: true });
  const statuses = new Map<number, number>();
  const ask = async (): Promise<void> => {
    const asking = request(`${app.url}/api/maps/search?q=pho`, { agent, headers: { "x-api-key": app.key } });
    const [reply] = (await once(asking.end(), "response")) as [IncomingMessage];
    await once(reply.resume(), "end");
    statuses.set(reply.statusCode ?? 0, (statuses.get(reply.statusCode ?? 0) ?? 0) + 1);
  };
  const asked: Promise<void>[] = [];
  const startedAt = performance.now();
  while (performance.now() - startedAt < seconds * 1_000) {
    const due = ((performance.now() - startedAt) / 1_000) * perSecond;
    while (asked.length < due) asked.push(ask());
    await sleep(5);
  }
  await Promise.all(asked);
  agent.destroy();
  return statuses;
}

test("with four times the load it can handle, the server serves some requests, refuses others, and delays none too long", async () => {
  const perSecond = 100;
  const shed: string[] = [];
  await using app = await startTestApp({
    ...fakePlaces(),
    search: createSlowSearch(perSecond),
    redisUrl: "none",
    perMinute: 1_000_000,
    telemetry: { ...noTelemetry, requestShed: (reason) => void shed.push(reason) },
  });
  const statuses = await flood(app, 4 * perSecond, 2);
  expect(new Set(statuses.keys())).toStrictEqual(new Set([200, 503]));
  expect(statuses.get(200)).toBeGreaterThan(100);
  expect(shed).toHaveLength(statuses.get(503) ?? 0);
});

test("requests that wait while the engine does not respond are told so, and not that others were in the way", async () => {
  const silent: PlaceSearch["search"] = async () => {
    await sleep(700);
    throw engineUnavailable(new Error("no response"));
  };
  const shed: string[] = [];
  await using app = await startTestApp({
    ...fakePlaces(),
    search: { ...createSlowSearch(1), search: silent },
    redisUrl: "none",
    telemetry: { ...noTelemetry, requestShed: (reason) => void shed.push(reason) },
  });
  const responses = await Promise.all(Array.from({ length: 40 }, () => app.ask("/api/maps/search?q=pho")));
  expect(new Set(responses.map(({ body }) => (body as { code: string }).code))).toStrictEqual(
    new Set(["engine_unavailable"]),
  );
  expect(shed).toStrictEqual([]);
});

test("a request with wrong parameters does not wait for its turn while the engine does not respond", async () => {
  const silent: PlaceSearch["search"] = async () => {
    await sleep(700);
    throw engineUnavailable(new Error("no response"));
  };
  await using app = await startTestApp({
    ...fakePlaces(),
    search: { ...createSlowSearch(1), search: silent },
    redisUrl: "none",
  });
  const waiting = Array.from({ length: 40 }, () => app.ask("/api/maps/search?q=pho"));
  const wrong = Array.from({ length: 20 }, () => app.ask("/api/maps/place?data_id=0x1"));
  const refused = await Promise.all(wrong);
  expect(new Set(refused.map(({ status }) => status))).toStrictEqual(new Set([422]));
  await Promise.all(waiting);
});

/** A search of two cores, in the order of arrival: a heavy one takes a core for 70 ms, any other for 5 ms. */
function createTwoCoreSearch(): PlaceSearch {
  const freeAt = [0, 0];
  const search: PlaceSearch["search"] = async ({ query }) => {
    const now = performance.now();
    const core = freeAt[0]! <= freeAt[1]! ? 0 : 1;
    freeAt[core] = Math.max(freeAt[core]!, now) + (query === "heavy" ? 70 : 5);
    const waitMs = freeAt[core]! - now;
    await sleep(Math.min(waitMs, DEADLINE_MS));
    if (waitMs > DEADLINE_MS) throw engineUnavailable(new Error("too late"));
    return NOTHING_FOUND;
  };
  return {
    search,
    suggest: search,
    areasAt: () => [],
    countTypes: async () => new Map(),
    districtOf: () => "",
    epoch: () => 0,
    match: async () => ({ matches: [], missingPartitions: [] }),
    complete: () => [],
  };
}

/** Sends one request after the other on each connection until told to stop; how many responses there were of each status. */
async function askOn(app: TestApp, { key, query, connections }: Load, stopping: AbortSignal) {
  const statuses = new Map<number, number>();
  const askInTurn = async (): Promise<void> => {
    while (!stopping.aborted) {
      const response = await fetch(`${app.url}/api/maps/search?q=${query}`, {
        headers: { "x-api-key": key },
      });
      await response.arrayBuffer();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: connections }, askInTurn));
  return statuses;
}

interface Load {
  readonly key: string;
  readonly query: string;
  readonly connections: number;
}

test.each([8, 50])(
  "heavy searches of one caller on %i connections cost another caller no response",
  async (connections) => {
    const heavyKey = `heavy-${randomBytes(12).toString("hex")}`;
    const shed: string[] = [];
    await using app = await startTestApp({
      ...fakePlaces(),
      search: createTwoCoreSearch(),
      redisUrl: "none",
      otherKeys: [heavyKey],
      perMinute: 1_000_000,
      telemetry: { ...noTelemetry, requestShed: (reason) => void shed.push(reason) },
    });
    const stopping = AbortSignal.timeout(3_000);
    const [normal, heavy] = await Promise.all([
      askOn(app, { key: app.key, query: "pho", connections: 1 }, stopping),
      askOn(app, { key: heavyKey, query: "heavy", connections }, stopping),
    ]);
    expect([...normal.keys()]).toStrictEqual([200]);
    expect([...heavy.keys()].filter((status) => status !== 503)).toStrictEqual([200]);
    expect(shed).toHaveLength(heavy.get(503) ?? 0);
  },
);

test("a request refused for lack of capacity counts against its caller's minute", async () => {
  await using app = await startTestApp({
    ...fakePlaces(),
    search: createTwoCoreSearch(),
    redisUrl: "none",
    perMinute: 100,
  });
  const answers = await Promise.all(Array.from({ length: 120 }, () => app.ask("/api/maps/search?q=heavy")));
  const count = (status: number): number => answers.filter((answer) => answer.status === status).length;
  expect(count(503)).toBeGreaterThan(0);
  expect(count(200) + count(503)).toBe(100);
  expect(count(429)).toBe(20);
});

// They wait most of the time, each for its own app.
describe.concurrent("a search that the engine does not finish", () => {
  /** As an engine that is well, but at work for longer than any request may take. */
  const untilAborted = (_lookups: unknown, signal: AbortSignal): Promise<never> =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    });

  async function startEndless(otherKey: string): Promise<TestApp> {
    const memory = createMemoryIndex([placeAt(100, "Phở Hòa", { type: "PHO" })]);
    const index = { ...memory, pin: () => ({ ...memory.pin(CENTRE), findPlaces: untilAborted }) };
    return startTestApp({ index, search: createPlaceSearch(index), redisUrl: "none", otherKeys: [otherKey] });
  }

  const ask = async (app: TestApp, target: string, key = app.key) => {
    const response = await fetch(`${app.url}/api/maps/${target}`, { headers: { "x-api-key": key } });
    return { status: response.status, body: (await response.json()) as unknown };
  };

  test.each([
    ["search?q=pho", "q"],
    ["search?q=pho&offset=50", "offset"],
    ["nearby?lat=10.77&lng=106.7&radius=500", "radius"],
    ["nearby?lat=10.77&lng=106.7&sort=rating", "sort"],
    ["nearby?lat=10.77&lng=106.7&bbox=106.6,10.7,106.8,10.8", "bbox"],
    ["nearby?lat=10.77&lng=106.7&open_at=2026-11-20T12:00:00%2B07:00", "open_at"],
  ])("is never overload for a caller alone, who is told what to change: %s", async (target, parameter) => {
    await using app = await startEndless("another-key-000000000000");
    expect(await ask(app, target)).toMatchObject({
      status: 422,
      body: { code: "query_too_expensive", errors: [{ parameter, code: "too_expensive" }] },
    });
  });

  test("is overload while another caller has requests", async () => {
    const other = "another-key-000000000000";
    await using app = await startEndless(other);
    const both = await Promise.all([ask(app, "search?q=pho"), ask(app, "search?q=com", other)]);
    expect(both[0]).toMatchObject({ status: 503, body: { code: "overloaded" } });
    // The other one looked at the same moment, or is alone by now.
    expect([422, 503]).toContain(both[1]?.status);
  });
});
