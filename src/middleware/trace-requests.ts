import type { RequestTracer } from "../telemetry/tracing/request-tracer.ts";
import { readRoute } from "./access-log.ts";
import type { HttpMiddleware } from "./request-state.ts";

/** Puts each request into a span of a trace, which goes on with the caller's own when it sends a `traceparent`. */
export function traceRequests(tracer: RequestTracer): HttpMiddleware {
  return (ctx, next) =>
    tracer.traceRequest(ctx.get("traceparent"), async (traceId) => {
      ctx.state.traceId = traceId;
      await next();
      const { requestId, results, problem } = ctx.state;
      return { requestId, route: readRoute(ctx), method: ctx.method, status: ctx.status, results, problem };
    });
}
