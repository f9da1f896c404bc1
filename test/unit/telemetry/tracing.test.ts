import { setTimeout as sleep } from "node:timers/promises";
import Koa from "koa";
import Router from "@koa/router";
import { describe, expect, test } from "vitest";
import { ProblemError, engineUnavailable } from "../../../src/errors.ts";
import { accessLog, traceRequests } from "../../../src/http/middleware/access-log.ts";
import { problems } from "../../../src/http/middleware/problems.ts";
import { requestId, type RequestState } from "../../../src/http/request-state.ts";
import type { Telemetry } from "../../../src/telemetry/telemetry.ts";
import { createTracing } from "../../../src/telemetry/tracing.ts";
import type { SamplerName } from "../../../src/telemetry/telemetry.ts";
import { findDeadPort, startSilentServer } from "../../support/dead-servers.ts";
import { createLogBook } from "../../support/log-lines.ts";
import { serve } from "../../support/serve.ts";
import { startTraceCollector } from "../../support/trace-collector.ts";

const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const CALLER_SPAN_ID = "b7ad6b7169203331";
const SAMPLED = `00-${TRACE_ID}-${CALLER_SPAN_ID}-01`;
const NOT_SAMPLED = `00-${TRACE_ID}-${CALLER_SPAN_ID}-00`;

interface Setting {
  readonly endpoint: string;
  readonly sampler?: SamplerName;
  readonly samplerRatio?: number;
}

/** An app with routes that call the engine, or say that they did. */
async function startTracedApp({ endpoint, sampler = "parentbased_always_on", samplerRatio = 1 }: Setting) {
  const { logger, lines } = createLogBook();
  const tracing = createTracing({
    endpoint,
    serviceName: "places",
    version: "1",
    sampler,
    samplerRatio,
    logger,
  });
  const app = new Koa<RequestState>();
  app.use(requestId());
  app.use(traceRequests(tracing.tracer));
  const { telemetry } = tracing;
  app.use(accessLog({ logger, telemetry, slowRequestMs: Infinity, parameterNames: new Set() }));
  app.use(problems({ publicBaseUrl: "https://places.example", logger }));
  app.use(createRoutes(telemetry).routes());
  const served = await serve(app);
  return {
    lines,
    ask: (path: string, headers: Record<string, string> = {}) => fetch(served.url + path, { headers }),
    /** Ends the app; by then all its spans were sent. */
    async stop() {
      await served[Symbol.asyncDispose]();
      await tracing.stop();
    },
  };
}

function createRoutes(telemetry: Telemetry): Router<RequestState> {
  const router = new Router<RequestState>();
  router.get("/search", async (ctx) => {
    await sleep(20);
    telemetry.callEnded({ dependency: "redis", operation: "take_limits", outcome: "ok", durationMs: 1 });
    const waitMs = Number(ctx.get("x-wait-ms"));
    await sleep(waitMs);
    telemetry.callEnded({ dependency: "engine", operation: "search", outcome: "ok", durationMs: waitMs });
    ctx.state.results = 3;
    ctx.body = "found";
  });
  router.get("/down", () => {
    telemetry.callEnded({ dependency: "engine", operation: "search", outcome: "timed_out", durationMs: 1 });
    throw engineUnavailable(new Error("late"));
  });
  router.get("/wrong", () => {
    throw new ProblemError("invalid_parameter");
  });
  return router;
}

describe("a request", () => {
  test("is a span of its caller's trace, and the calls it waited for lie within it", async () => {
    await using collector = await startTraceCollector();
    const app = await startTracedApp({ endpoint: collector.url });
    await app.ask("/search", { traceparent: SAMPLED, "x-request-id": "mine", "x-wait-ms": "5" });
    await app.stop();

    const [request, ...calls] = collector.spans.toSorted((a, b) => a.kind - b.kind);
    expect(request).toMatchObject({
      name: "GET /search",
      kind: 2,
      traceId: TRACE_ID,
      parentSpanId: CALLER_SPAN_ID,
      statusCode: 0,
      resource: { "service.name": "places", "service.version": "1" },
      attributes: {
        "http.request.method": "GET",
        "http.route": "/search",
        "http.response.status_code": 200,
        "hereabouts.request_id": "mine",
        "hereabouts.results": 3,
      },
    });
    expect(calls.map(({ name, kind }) => ({ name, kind }))).toEqual([
      { name: "redis take_limits", kind: 3 },
      { name: "engine search", kind: 3 },
    ]);
    for (const call of calls) {
      expect(call).toMatchObject({ traceId: TRACE_ID, parentSpanId: request!.spanId });
      expect(call.startMs).toBeGreaterThanOrEqual(request!.startMs);
      expect(call.endMs).toBeLessThanOrEqual(request!.endMs);
    }
  });

  test("is named in the log by the id of its trace", async () => {
    await using collector = await startTraceCollector();
    const app = await startTracedApp({ endpoint: collector.url });
    await app.ask("/search", { traceparent: SAMPLED });
    await app.stop();
    expect(app.lines("request")).toMatchObject([{ trace_id: TRACE_ID }]);
  });

  test("keeps its calls to itself, however many run at once", async () => {
    await using collector = await startTraceCollector();
    const app = await startTracedApp({ endpoint: collector.url });
    const waits = Array.from({ length: 20 }, (_, n) => String((n * 7) % 20));
    await Promise.all(waits.map((wait) => app.ask("/search", { "x-wait-ms": wait, "x-request-id": wait })));
    await app.stop();

    const requests = collector.spans.filter(({ kind }) => kind === 2);
    expect(requests).toHaveLength(20);
    for (const { spanId, traceId, attributes } of requests) {
      const calls = collector.spans.filter(({ parentSpanId }) => parentSpanId === spanId);
      expect(calls.map(({ name }) => name)).toEqual(["redis take_limits", "engine search"]);
      expect(calls.map((call) => call.traceId)).toEqual([traceId, traceId]);
      const { startMs, endMs } = calls[1]!;
      expect(endMs - startMs).toBeCloseTo(Number(attributes["hereabouts.request_id"]), 1);
    }
  });

  test.each([
    { path: "/down", statusCode: 2, problem: "engine_unavailable" },
    { path: "/wrong", statusCode: 0, problem: "invalid_parameter" },
    { path: "/secret/path?q=secret", statusCode: 0, problem: undefined },
  ])("to $path tells its status, and nothing that was typed", async ({ path, statusCode, problem }) => {
    await using collector = await startTraceCollector();
    const app = await startTracedApp({ endpoint: collector.url });
    await app.ask(path, { "x-api-key": "secret", "user-agent": "secret" });
    await app.stop();
    const request = collector.spans.find(({ kind }) => kind === 2);
    expect(request?.statusCode).toBe(statusCode);
    expect(request?.attributes["error.type"]).toBe(problem);
    expect(collector.text()).not.toContain("secret");
  });

  test.each([
    "",
    "nonsense",
    `00-${"0".repeat(32)}-${CALLER_SPAN_ID}-01`,
    `00-${TRACE_ID}-${"0".repeat(16)}-01`,
    `ff-${TRACE_ID}-${CALLER_SPAN_ID}-01`,
    `00-${TRACE_ID.toUpperCase()}-${CALLER_SPAN_ID}-01`,
    `00-${TRACE_ID}-${CALLER_SPAN_ID}-01-more`,
    `00-${"a".repeat(10_000)}`,
  ])("with the traceparent %j begins a trace of its own", async (traceparent) => {
    await using collector = await startTraceCollector();
    const app = await startTracedApp({ endpoint: collector.url });
    expect((await app.ask("/search", { traceparent })).status).toBe(200);
    await app.stop();
    const request = collector.spans.find(({ kind }) => kind === 2);
    expect(request?.traceId).toMatch(/^[\da-f]{32}$/);
    expect(request?.traceId).not.toBe(TRACE_ID);
    expect(request?.parentSpanId ?? "").toBe("");
  });
});

test.each([
  { sampler: "always_off", traceparent: SAMPLED, spans: 0 },
  { sampler: "always_on", traceparent: NOT_SAMPLED, spans: 3 },
  { sampler: "parentbased_always_on", traceparent: NOT_SAMPLED, spans: 0 },
  { sampler: "parentbased_always_on", traceparent: "", spans: 3 },
  { sampler: "parentbased_always_off", traceparent: SAMPLED, spans: 3 },
  { sampler: "parentbased_always_off", traceparent: "", spans: 0 },
  { sampler: "traceidratio", samplerRatio: 0, traceparent: SAMPLED, spans: 0 },
  { sampler: "traceidratio", samplerRatio: 1, traceparent: NOT_SAMPLED, spans: 3 },
  { sampler: "parentbased_traceidratio", samplerRatio: 0, traceparent: SAMPLED, spans: 3 },
] as const)("$sampler makes $spans spans of '$traceparent'", async ({ traceparent, spans, ...setting }) => {
  await using collector = await startTraceCollector();
  const app = await startTracedApp({ endpoint: collector.url, ...setting });
  await app.ask("/search", traceparent === "" ? {} : { traceparent });
  await app.stop();
  expect(collector.spans).toHaveLength(spans);
});

/** Several times what is left to the collector, and less than it would take to wait for it. */
const STOP_WITHIN_MS = 10_000;

describe("a collector", () => {
  test("that refuses what it gets is told of once, and no request hears of it", async () => {
    await using collector = await startTraceCollector();
    collector.status = 400;
    const app = await startTracedApp({ endpoint: collector.url });
    expect((await app.ask("/search")).status).toBe(200);
    await app.stop();
    expect(app.lines("trace_export_failing")).toMatchObject([{ level: "warn" }]);
  });

  test("that is not there keeps nobody from ending", { timeout: STOP_WITHIN_MS }, async () => {
    const app = await startTracedApp({ endpoint: `http://127.0.0.1:${await findDeadPort()}` });
    expect((await app.ask("/search")).status).toBe(200);
    await app.stop();
  });

  test("that never answers keeps nobody from ending", { timeout: STOP_WITHIN_MS }, async () => {
    await using silent = await startSilentServer();
    const app = await startTracedApp({ endpoint: `http://127.0.0.1:${silent.port}` });
    expect((await app.ask("/search")).status).toBe(200);
    await app.stop();
  });
});
