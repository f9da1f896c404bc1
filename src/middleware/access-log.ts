import type { Logger } from "../logger.ts";
import { CALLER_GONE_STATUS, hasHungUp } from "./hang-up.ts";
import type { HttpContext, HttpMiddleware } from "./request-state.ts";

/** Writes one line for each request. It holds no key, no query and no coordinates: the route's pattern, never the URL. */
export function accessLog(logger: Logger): HttpMiddleware {
  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    logger.info(toFields(ctx, performance.now() - startedAt), "request");
  };
}

function toFields(ctx: HttpContext, durationMs: number): Record<string, unknown> {
  const { requestId, caller, results, problem } = ctx.state;
  return {
    request_id: requestId,
    // The router leaves the pattern here once a route has run.
    route: (ctx as { routerPath?: string }).routerPath ?? "none",
    method: ctx.method,
    status: hasHungUp(ctx) ? CALLER_GONE_STATUS : ctx.status,
    duration_ms: Math.round(durationMs * 10) / 10,
    caller_id: caller?.callerId,
    results,
    code: problem,
  };
}
