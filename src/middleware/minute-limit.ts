import ratelimit from "koa-ratelimit";
import type { RedisConnection } from "../redis/connection.ts";
import { MINUTE_LIMIT_NAMESPACE } from "../redis/keys.ts";
import { callerOf } from "./authenticate.ts";
import { BoundedMap } from "./bounded-map.ts";
import type { Breaker } from "./circuit-breaker.ts";
import { MINUTE_SECONDS, countSecondsToReset } from "./limit-windows.ts";
import type { LimitVerdict } from "./limit-windows.ts";
import type { HttpContext, HttpMiddleware } from "./request-state.ts";

interface MinuteLimitOptions {
  readonly redis: RedisConnection | undefined;
  readonly limit: number;
  readonly breaker: Breaker;
}

/** Only known callers get into this memory, so it is generous; it exists because koa-ratelimit never forgets anybody. */
const MAX_CALLERS_IN_MEMORY = 10_000;

/**
 * Creates the check of the minute limit: koa-ratelimit on Redis, on this process's memory while Redis fails or when there
 * is none. The returned function counts the request and never rejects because of Redis.
 */
export function createMinuteLimit({ redis, limit, breaker }: MinuteLimitOptions) {
  const options: Omit<ratelimit.MiddlewareOptions, "db" | "driver"> = {
    id: (ctx) => callerOf(ctx as HttpContext).callerId,
    max: limit,
    duration: MINUTE_SECONDS * 1000,
    namespace: MINUTE_LIMIT_NAMESPACE,
    throw: false,
  };
  const local = ratelimit({ ...options, driver: "memory", db: new BoundedMap(MAX_CALLERS_IN_MEMORY) });
  const shared = redis && ratelimit({ ...options, driver: "redis", db: redis });

  return (ctx: HttpContext): Promise<LimitVerdict> => {
    const askLocal = (): Promise<LimitVerdict> => ask(local, ctx, limit);
    return shared ? breaker(() => ask(shared, ctx, limit), askLocal) : askLocal();
  };
}

/**
 * Runs koa-ratelimit without what comes after it, so that errors from there never look like errors of Redis. The headers
 * it sets are the only place where it tells its numbers.
 */
async function ask(limiter: HttpMiddleware, ctx: HttpContext, limit: number): Promise<LimitVerdict> {
  let allowed = false;
  await limiter(ctx, async () => {
    allowed = true;
  });
  // A part of a second is cut off on Redis and not in memory: the next whole one is right for both.
  const resetMs = (Math.floor(Number(ctx.response.get("X-RateLimit-Reset"))) + 1) * 1000;
  return {
    allowed,
    window: {
      name: "minute",
      limit,
      remaining: Number(ctx.response.get("X-RateLimit-Remaining")),
      windowSeconds: MINUTE_SECONDS,
      // koa-ratelimit keeps to the clock of the process, so its times are compared with that one.
      secondsToReset: countSecondsToReset(resetMs, Date.now(), MINUTE_SECONDS),
    },
  };
}
