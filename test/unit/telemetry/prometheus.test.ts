import { describe, expect, test } from "vitest";
import { PROBLEMS } from "../../../src/errors.ts";
import type { EndedRequest, IndexReport, WaitingWrites } from "../../../src/telemetry/telemetry.ts";
import {
  createPrometheus,
  registerIndexMetrics,
  registerWriteMetrics,
} from "../../../src/telemetry/prometheus.ts";
import { startMetricsServer } from "../../../src/telemetry/metrics-server.ts";

const request: EndedRequest = { route: "/api/maps/search", method: "GET", status: 200, durationMs: 3 };

/** Metrics of a process of their own, read as a scraper reads them: the value of each series. */
function setUp() {
  const { registry, telemetry } = createPrometheus({ version: "1.2.3" });
  const read = async (beginning: string): Promise<Record<string, number>> => {
    const lines = (await registry.metrics()).split("\n").filter((line) => line.startsWith(beginning));
    return Object.fromEntries(
      lines.map((line) => {
        const end = line.lastIndexOf(" ");
        return [line.slice(0, end), Number(line.slice(end + 1))];
      }),
    );
  };
  /** Without the series that have counted nothing yet. */
  const readCounted = async (beginning: string): Promise<Record<string, number>> =>
    Object.fromEntries(Object.entries(await read(beginning)).filter(([, value]) => value > 0));
  return { registry, telemetry, read, readCounted };
}

describe("requests", () => {
  test("are counted by route, method and class of status, in seconds", async () => {
    const { telemetry, readCounted: read } = setUp();
    telemetry.requestEnded(request);
    telemetry.requestEnded({ ...request, status: 204, durationMs: 250 });
    telemetry.requestEnded({ ...request, status: 429, problem: "rate_limit_day" });
    const name = "hereabouts_http_request_duration_seconds";
    const labels = 'route="/api/maps/search",method="GET"';
    expect(await read(`${name}_count`)).toEqual({
      [`${name}_count{${labels},status="2xx"}`]: 2,
      [`${name}_count{${labels},status="4xx"}`]: 1,
    });
    expect(await read(`${name}_sum{${labels},status="2xx"}`)).toEqual({
      [`${name}_sum{${labels},status="2xx"}`]: 0.253,
    });
    expect(await read("hereabouts_http_problems_total")).toEqual({
      'hereabouts_http_problems_total{code="rate_limit_day"}': 1,
    });
  });

  test("with methods that nobody knows share one label", async () => {
    const { telemetry, readCounted: read } = setUp();
    for (const method of ["BREW", "PROPFIND", "a\nb"]) telemetry.requestEnded({ ...request, method });
    const counts = await read("hereabouts_http_request_duration_seconds_count");
    expect(Object.entries(counts)).toEqual([[expect.stringContaining('method="other"'), 3]]);
  });

  test("that wait for their answer are told as long as they do", async () => {
    const { telemetry, read } = setUp();
    telemetry.requestStarted();
    telemetry.requestStarted();
    telemetry.requestEnded(request);
    expect(await read("hereabouts_http_requests_in_flight")).toEqual({
      hereabouts_http_requests_in_flight: 1,
    });
  });

  test("that were shed or found nothing are counted", async () => {
    const { telemetry, read } = setUp();
    telemetry.requestShed("in_flight");
    telemetry.requestEnded({ ...request, foundNothing: true });
    expect(await read("hereabouts_requests_shed_total")).toEqual({
      'hereabouts_requests_shed_total{reason="in_flight"}': 1,
      'hereabouts_requests_shed_total{reason="key_lookups"}': 0,
      'hereabouts_requests_shed_total{reason="engine_queue"}': 0,
      'hereabouts_requests_shed_total{reason="draining"}': 0,
    });
    expect(await read("hereabouts_empty_searches_total")).toEqual({ hereabouts_empty_searches_total: 1 });
  });
});

describe("failures are counted from 0, so that Prometheus sees the first one:", () => {
  test("every problem code from the start", async () => {
    const problems = await setUp().read("hereabouts_http_problems_total");
    expect(Object.values(problems)).toEqual(Object.keys(PROBLEMS).map(() => 0));
  });

  test("failed requests and calls from the first request or call that succeeds", async () => {
    const { telemetry, read } = setUp();
    telemetry.requestEnded(request);
    telemetry.callEnded({ dependency: "engine", operation: "search", outcome: "ok", durationMs: 1 });
    const counts = {
      ...(await read("hereabouts_http_request_duration")),
      ...(await read("hereabouts_engine_call")),
    };
    const of = (labels: string): unknown =>
      Object.entries(counts).find(([name]) => name.includes(`_count{${labels}}`))?.[1];
    expect(of('route="/api/maps/search",method="GET",status="5xx"')).toBe(0);
    expect(of('operation="search",outcome="failed"')).toBe(0);
    expect(of('operation="search",outcome="timed_out"')).toBe(0);
  });
});

describe("what is behind the server", () => {
  test("calls are counted by what was asked and how they ended, the engine's apart from those of Redis", async () => {
    const { telemetry, readCounted: read } = setUp();
    telemetry.callEnded({ dependency: "engine", operation: "search", outcome: "timed_out", durationMs: 800 });
    telemetry.callEnded({ dependency: "redis", operation: "take_limits", outcome: "ok", durationMs: 0.2 });
    expect(await read("hereabouts_engine_call_duration_seconds_sum")).toEqual({
      'hereabouts_engine_call_duration_seconds_sum{operation="search",outcome="timed_out"}': 0.8,
    });
    expect(await read("hereabouts_redis_call_duration_seconds_count")).toEqual({
      'hereabouts_redis_call_duration_seconds_count{operation="take_limits",outcome="ok"}': 1,
    });
  });

  test("more operations than there can be do not make more series", async () => {
    const { telemetry, readCounted: read } = setUp();
    for (let n = 0; n < 1_000; n++)
      telemetry.callEnded({ dependency: "engine", operation: `document ${n}`, outcome: "ok", durationMs: 1 });
    const counts = await read("hereabouts_engine_call_duration_seconds_count");
    expect(Object.keys(counts)).toHaveLength(31);
    expect(counts['hereabouts_engine_call_duration_seconds_count{operation="other",outcome="ok"}']).toBe(970);
  });

  test("a breaker is in one state at a time, and its openings are counted", async () => {
    const { telemetry, read } = setUp();
    const state = (name: string) => `hereabouts_breaker_state{dependency="redis",state="${name}"}`;
    const states = () => read('hereabouts_breaker_state{dependency="redis"');
    expect(await states()).toEqual({ [state("closed")]: 1, [state("open")]: 0, [state("half_open")]: 0 });
    telemetry.breakerChanged("redis", "open");
    telemetry.breakerChanged("redis", "half_open");
    telemetry.breakerChanged("redis", "open");
    expect(await states()).toEqual({ [state("closed")]: 0, [state("open")]: 1, [state("half_open")]: 0 });
    expect(await read('hereabouts_breaker_opened_total{dependency="redis"')).toEqual({
      'hereabouts_breaker_opened_total{dependency="redis"}': 2,
    });
  });

  test("memories and limits held alone are counted", async () => {
    const { telemetry, read } = setUp();
    telemetry.cacheAsked("place", true);
    telemetry.cacheAsked("place", false);
    telemetry.cacheAsked("place", true);
    telemetry.limitHeldLocally();
    expect(await read('hereabouts_cache_requests_total{cache="place"')).toEqual({
      'hereabouts_cache_requests_total{cache="place",result="hit"}': 2,
      'hereabouts_cache_requests_total{cache="place",result="miss"}': 1,
    });
    expect(await read("hereabouts_limit_checks_held_locally_total")).toEqual({
      hereabouts_limit_checks_held_locally_total: 1,
    });
  });
});

describe("the index", () => {
  const ready = {
    state: "ready",
    places: 42,
    builtAt: "2026-11-20T00:00:00.000Z",
    checkedAt: "2026-11-22T02:30:00.000Z",
  } satisfies IndexReport;

  /** An index that answers as the test says, with a clock of its own. */
  function watch(readState: () => Promise<IndexReport>) {
    const prometheus = setUp();
    const world = { nowMs: 0, asked: 0 };
    registerIndexMetrics({
      registry: prometheus.registry,
      version: "9",
      readState: () => {
        world.asked += 1;
        return readState();
      },
      clock: () => world.nowMs,
    });
    return { ...prometheus, world };
  }

  test("is told with its version, places and the times it was built and checked", async () => {
    const { read } = watch(() => Promise.resolve(ready));
    expect(await read("hereabouts_index_")).toEqual({
      'hereabouts_index_state{state="ready"}': 1,
      'hereabouts_index_state{state="missing"}': 0,
      'hereabouts_index_state{state="wrong_version"}': 0,
      'hereabouts_index_state{state="damaged"}': 0,
      'hereabouts_index_state{state="unreachable"}': 0,
      'hereabouts_index_info{version="9"}': 1,
      hereabouts_index_places: 42,
      hereabouts_index_built_timestamp_seconds: Date.parse(ready.builtAt) / 1000,
      hereabouts_index_checked_timestamp_seconds: Date.parse(ready.checkedAt) / 1000,
    });
  });

  test("is asked once in ten seconds, however often somebody scrapes", async () => {
    const { read, world } = watch(() => Promise.resolve(ready));
    await Promise.all([read("hereabouts_index_"), read("hereabouts_index_")]);
    world.nowMs = 9_999;
    await read("hereabouts_index_");
    expect(world.asked).toBe(1);
    world.nowMs = 10_000;
    await read("hereabouts_index_");
    expect(world.asked).toBe(2);
  });

  test.each([
    { name: "fails", readState: () => Promise.reject(new Error("away")) },
    { name: "never answers", readState: () => new Promise<IndexReport>(() => undefined) },
  ])("is unreachable while its engine $name, and nothing old is told of it", async ({ readState }) => {
    let answer = (): Promise<IndexReport> => Promise.resolve(ready);
    const { read, world } = watch(() => answer());
    await read("hereabouts_index_");
    answer = readState;
    world.nowMs = 10_000;
    expect(await read("hereabouts_index_")).toEqual({
      'hereabouts_index_state{state="ready"}': 0,
      'hereabouts_index_state{state="missing"}': 0,
      'hereabouts_index_state{state="wrong_version"}': 0,
      'hereabouts_index_state{state="damaged"}': 0,
      'hereabouts_index_state{state="unreachable"}': 1,
    });
  });

  test("of another version tells which", async () => {
    const { read } = watch(() => Promise.resolve({ state: "wrong_version", found: "8", wanted: "9" }));
    expect(await read("hereabouts_index_info")).toEqual({ 'hereabouts_index_info{version="8"}': 1 });
  });
});

describe("the server of the metrics", () => {
  test("answers /metrics and nothing else", async () => {
    const { registry } = setUp();
    const server = await startMetricsServer({ source: registry, host: "127.0.0.1", port: 0 });
    const ask = (path: string, method = "GET") => fetch(`http://127.0.0.1:${server.port}${path}`, { method });
    const scraped = await ask("/metrics");
    expect(scraped.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const text = await scraped.text();
    expect(text).toContain('hereabouts_build_info{version="1.2.3"} 1');
    expect(text).toContain("nodejs_eventloop_lag_p99_seconds");
    expect(text).toContain("process_resident_memory_bytes");
    for (const [path, method] of [["/"], ["/metrics/"], ["//metrics"], ["/metrics", "POST"]] as const)
      expect((await ask(path, method)).status).toBe(404);
    await server.close();
  });

  test("refuses a port that is taken", async () => {
    const { registry } = setUp();
    const server = await startMetricsServer({ source: registry, host: "127.0.0.1", port: 0 });
    const second = startMetricsServer({ source: registry, host: "127.0.0.1", port: server.port });
    await expect(second).rejects.toThrow("EADDRINUSE");
    await server.close();
  });

  test("says so when a metric fails, and stays up", async () => {
    const { registry } = setUp();
    registry.metrics = () => Promise.reject(new Error("secret"));
    const server = await startMetricsServer({ source: registry, host: "127.0.0.1", port: 0 });
    const answer = await fetch(`http://127.0.0.1:${server.port}/metrics`);
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain("secret");
    await server.close();
  });
});

test("the names of our metrics follow the conventions of Prometheus", () => {
  const { registry } = setUp();
  registerIndexMetrics({ registry, version: "9", readState: () => Promise.reject(new Error("away")) });
  registerWriteMetrics({ registry, readWaiting: () => Promise.reject(new Error("away")) });
  const ours = registry.getMetricsAsArray().filter(({ name }) => name.startsWith("hereabouts_"));
  const wrong = ours.filter(({ name, type, help }) => {
    const isNamedRight = {
      counter: /_total$/,
      histogram: /_seconds$/,
      gauge: /(?<!_total|_ms)$/,
      summary: /$^/,
    }[type].test(name);
    return !isNamedRight || !/^hereabouts_[a-z_]+$/.test(name) || help === "";
  });
  expect(ours.length).toBeGreaterThan(10);
  expect(wrong).toEqual([]);
});

describe("the writes that wait for the worker", () => {
  test("are told with the moment of the oldest, which is absent when none waits", async () => {
    const { registry, read } = setUp();
    const world = { nowMs: 0, waiting: { count: 2, oldestAtMs: 1_500 } as WaitingWrites };
    registerWriteMetrics({
      registry,
      readWaiting: () => Promise.resolve(world.waiting),
      clock: () => world.nowMs,
    });
    expect(await read("hereabouts_writes_waiting")).toEqual({ hereabouts_writes_waiting: 2 });
    expect(await read("hereabouts_oldest_write")).toEqual({ hereabouts_oldest_write_timestamp_seconds: 1.5 });
    world.waiting = { count: 0 };
    world.nowMs += 10_000;
    expect(await read("hereabouts_writes_waiting")).toEqual({ hereabouts_writes_waiting: 0 });
    expect(await read("hereabouts_oldest_write")).toEqual({});
  });

  test("are left out while Redis does not respond", async () => {
    const { registry, read } = setUp();
    registerWriteMetrics({ registry, readWaiting: () => Promise.reject(new Error("away")) });
    expect(await read("hereabouts_writes_waiting")).toEqual({});
  });
});

describe("what requests cost", () => {
  const name = "hereabouts_caller_cost_seconds_total";

  test("is added up by caller, for this process and the engine", async () => {
    const { telemetry, read } = setUp();
    telemetry.requestCharged("one", { apiMs: 500, engineMs: 2_000 });
    telemetry.requestCharged("one", { apiMs: 500, engineMs: 1_000 });
    expect(await read(name)).toStrictEqual({
      [`${name}{caller="one",part="api"}`]: 1,
      [`${name}{caller="one",part="engine"}`]: 3,
    });
  });

  test("has series for a hundred callers, and one more for all others", async () => {
    const { telemetry, read } = setUp();
    for (let i = 1; i <= 150; i += 1) telemetry.requestCharged(`caller ${i}`, { apiMs: 0, engineMs: 1_000 });
    telemetry.requestCharged("caller 100", { apiMs: 0, engineMs: 1_000 });
    const costs = await read(name);
    expect(Object.keys(costs)).toHaveLength(2 * 101);
    expect(costs[`${name}{caller="caller 100",part="engine"}`]).toBe(2);
    expect(costs[`${name}{caller="other",part="engine"}`]).toBe(50);
  });
});
