import ratelimit from "koa-ratelimit";
import { limitExceeded } from "../../errors.ts";
import type { Caller } from "../../keys/key-record.ts";
import {
  pickTighterWindow,
  WINDOW_SECONDS,
  type LimitDecision,
  type LimitName,
  type LimitPolicy,
  type LimitWindow,
} from "../../limits/windows.ts";
import type { RedisConnection } from "../../redis/connection.ts";
import type { HttpContext, HttpMiddleware } from "../request-state.ts";
import { callerOf } from "./authenticate.ts";

/**
 * The headers with a caller's limits: the usual three, and those of the IETF draft "RateLimit header fields
 * for HTTP".
 */
export const LIMIT_HEADERS = {
  total: "X-RateLimit-Limit",
  remaining: "X-RateLimit-Remaining",
  reset: "X-RateLimit-Reset",
  windows: "RateLimit",
  policy: "RateLimit-Policy",
} as const;

interface RateLimitOptions {
  /** Counts a request of the caller as so many units. */
  readonly take: (caller: Caller, units: number) => LimitDecision | Promise<LimitDecision>;
  /** As how many requests a request counts; one when absent. */
  readonly unitsOf?: (ctx: HttpContext) => number;
  readonly policyOf: (caller: Caller) => LimitPolicy;
  readonly now: () => Temporal.Instant;
}

/**
 * Refuses a request when its caller's limit is used up, and sends every caller how much is left.
 * koa-ratelimit decides and writes the usual headers. `take` handles the one command that it sends to its
 * database; it always settles in time and knows more than one window.
 */
export function rateLimit({ take, unitsOf = () => 1, policyOf, now }: RateLimitOptions): HttpMiddleware {
  return async (ctx, next) => {
    const caller = callerOf(ctx);
    const units = unitsOf(ctx);
    let refusedBy: LimitWindow | undefined;
    const database = {
      async ratelimiter() {
        const decision = await take(caller, units);
        ({ refusedBy } = decision);
        ctx.set(toDraftHeaders(decision.windows, policyOf(caller)));
        return toLimiterReply(decision, now().epochMilliseconds);
      },
    };
    const koaRateLimit = ratelimit({
      driver: "redis",
      db: database as unknown as RedisConnection,
      id: () => caller.callerId,
      headers: LIMIT_HEADERS,
    });
    await koaRateLimit(ctx, next);
    if (!refusedBy) return;
    // koa-ratelimit would say that none is left; there may be some, but fewer than the request needs.
    ctx.set(LIMIT_HEADERS.remaining, String(refusedBy.remaining));
    throw limitExceeded(refusedBy, units);
  };
}

/**
 * The result of koa-ratelimit's script: requests left before this one, the reset in epoch seconds, the limit.
 */
function toLimiterReply({ windows, refusedBy }: LimitDecision, nowMs: number): number[] {
  const tighter = refusedBy ?? pickTighterWindow(windows.filter(hasLimit));
  if (!tighter) throw new Error("a limit decision must have a window with a limit");
  const { limit, remaining, secondsToReset } = tighter;
  return [refusedBy ? 0 : remaining + 1, Math.ceil(nowMs / 1000) + secondsToReset, limit];
}

const hasLimit = ({ limit }: { readonly limit: number }): boolean => Number.isFinite(limit);

/** The draft's headers, for the windows that have a limit. */
export function toDraftHeaders(windows: readonly LimitWindow[], policy: LimitPolicy): Record<string, string> {
  const limits = (Object.entries(policy) as [LimitName, number][]).map(([name, limit]) => ({ name, limit }));
  return {
    [LIMIT_HEADERS.windows]: windows
      .filter(hasLimit)
      .map((window) => `"${window.name}";r=${window.remaining};t=${window.secondsToReset}`)
      .join(", "),
    [LIMIT_HEADERS.policy]: limits
      .filter(hasLimit)
      .map(({ name, limit }) => `"${name}";q=${limit};w=${WINDOW_SECONDS[name]}`)
      .join(", "),
  };
}
