import { toUsageBody, type UsageAnswer } from "../../answers/usage.ts";
import { callerOf } from "../middleware/authenticate.ts";
import type { Limiter } from "../middleware/rate-limit.ts";
import type { HttpMiddleware } from "../request-state.ts";
import { sendJson } from "../send.ts";

interface UsageRouteOptions {
  readonly limiter: Limiter;
  readonly now: () => Temporal.Instant;
}

/** `GET /api/usage`: the caller's use and what is left. Does not count against the caller's minute or day. */
export function usageRoute({ limiter, now }: UsageRouteOptions): HttpMiddleware {
  return async (ctx) => {
    const caller = callerOf(ctx);
    sendJson<UsageAnswer>(ctx, { usage: toUsageBody(caller, await limiter.peek(caller), now()) });
  };
}
