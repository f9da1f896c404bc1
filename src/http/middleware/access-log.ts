import type { Logger } from "../../telemetry/logger.ts";
import type { QueryNotes } from "../../telemetry/query-notes.ts";
import type { Telemetry } from "../../telemetry/telemetry.ts";
import { CALLER_GONE_STATUS, hasHungUp, type HttpContext, type HttpMiddleware } from "../request-state.ts";
import { readClientNetwork } from "./authenticate.ts";
import type { RequestTracer } from "../../telemetry/telemetry.ts";

interface AccessLogOptions {
  readonly logger: Logger;
  readonly telemetry: Telemetry;
  /** A request that takes this long or longer is also logged as slow. */
  readonly slowRequestMs: number;
  /** The known parameters. Only their names are logged. */
  readonly parameterNames: ReadonlySet<string>;
  /** Optional; what is searched is not noted by default. */
  readonly noteSearch?: QueryNotes["note"] | undefined;
}

/**
 * Reports each request once, to the log and to `telemetry`. Slow requests and searches without results get a
 * second line. Logs nothing that a caller typed, no keys and no coordinates: the route's pattern instead of
 * the URL, and only the names of parameters.
 */
export function accessLog(options: AccessLogOptions): HttpMiddleware {
  return async (ctx, next) => {
    const startedAt = performance.now();
    options.telemetry.requestStarted();
    try {
      await next();
    } catch (error) {
      // `problems` handles every error, so this is a bug. Koa responds with 500.
      ctx.status = 500;
      throw error;
    } finally {
      reportEnd(options, ctx, performance.now() - startedAt);
    }
  };
}

/** The pattern of the route that ran, `none` when none did. The router sets it after a route has run. */
function readRoute(ctx: HttpContext): string {
  return (ctx as { routerPath?: string }).routerPath ?? "none";
}

function reportEnd(options: AccessLogOptions, ctx: HttpContext, durationMs: number): void {
  const { logger, telemetry, slowRequestMs } = options;
  const { problem, foundNothing, searched, caller } = ctx.state;
  const route = readRoute(ctx);
  const status = hasHungUp(ctx) ? CALLER_GONE_STATUS : ctx.status;
  telemetry.requestEnded({ route, method: ctx.method, status, durationMs, problem, foundNothing });
  if (searched !== undefined && caller && status < 400)
    options.noteSearch?.({
      query: searched,
      foundNothing: foundNothing === true,
      caller: `${caller.callerId} ${readClientNetwork(ctx)}`,
    });
  const fields = { route, status, ...toFields(ctx, durationMs) };
  logger.info(fields, "request");
  if (foundNothing === true) logger.info({ ...fields, ...toShape(options, ctx) }, "request_empty");
  if (durationMs >= slowRequestMs) logger.warn({ ...fields, ...toShape(options, ctx) }, "request_slow");
}

function toFields(ctx: HttpContext, durationMs: number): Record<string, unknown> {
  const { requestId, traceId, caller, results, problem } = ctx.state;
  return {
    request_id: requestId,
    trace_id: traceId,
    method: ctx.method,
    duration_ms: Math.round(durationMs * 10) / 10,
    caller_id: caller?.callerId,
    results,
    code: problem,
    // Koa knows the length of every response by now.
    bytes: ctx.length,
  };
}

/** The kind of request, without its content. */
function toShape({ parameterNames }: AccessLogOptions, ctx: HttpContext): Record<string, unknown> {
  const query = new URLSearchParams(ctx.querystring);
  return {
    parameters: [...new Set(query.keys())].filter((name) => parameterNames.has(name)).toSorted(),
    query_letters: query.get("q")?.length,
  };
}

/** Creates a span for each request. It joins the caller's trace when the request has a `traceparent`. */
export function traceRequests(tracer: RequestTracer): HttpMiddleware {
  return (ctx, next) =>
    tracer.traceRequest(ctx.get("traceparent"), async (traceId) => {
      ctx.state.traceId = traceId;
      await next();
      const { requestId, results, problem } = ctx.state;
      return { requestId, route: readRoute(ctx), method: ctx.method, status: ctx.status, results, problem };
    });
}
