import RateLimiter from "async-ratelimiter";
import ratelimit from "koa-ratelimit";
import { LRUCache } from "lru-cache";
import type { RedisConnection } from "../redis/connection.ts";
import { MINUTE_LIMIT_NAMESPACE } from "../redis/keys.ts";
import { buildWindow, MINUTE_MS, type LimitVerdict, type LimitWindow } from "./windows.ts";
import type { Caller, HttpContext, HttpMiddleware } from "../http/request-state.ts";

/** The minute as all processes count it. Both reject when Redis does not answer. */
export interface SharedMinute {
  /** Counts the request, unless it is one too many. */
  readonly take: (caller: Caller) => Promise<LimitVerdict>;
  /** How the window stands, without counting. */
  readonly peek: (caller: Caller) => Promise<LimitWindow>;
}

/** koa-ratelimit knows one limit for each instance. They keep nothing, so one that is pushed out is made anew for nothing. */
const MAX_TIERS = 100;

/** A sliding minute on Redis: koa-ratelimit, one instance for each limit there is, all of them over the same log. */
export function createSharedMinute(redis: RedisConnection): SharedMinute {
  const tiers = new LRUCache<number, HttpMiddleware>({ max: MAX_TIERS });
  const tierOf = (limit: number): HttpMiddleware => {
    const tier = tiers.get(limit) ?? createTier(redis, limit);
    tiers.set(limit, tier);
    return tier;
  };
  const log = new RateLimiter({ db: redis, namespace: MINUTE_LIMIT_NAMESPACE, duration: MINUTE_MS });
  return {
    take: (caller) => take(tierOf(caller.limits.perMinute), caller),
    async peek({ callerId, limits }) {
      const { remaining, reset } = await log.get({ id: callerId, max: limits.perMinute, peek: true });
      return toWindow(limits.perMinute, { remaining, reset });
    },
  };
}

function createTier(redis: RedisConnection, limit: number): HttpMiddleware {
  return ratelimit({
    driver: "redis",
    db: redis,
    id: (ctx) => (ctx as HttpContext).state.caller?.callerId ?? false,
    max: limit,
    duration: MINUTE_MS,
    namespace: MINUTE_LIMIT_NAMESPACE,
    throw: false,
  });
}

/**
 * koa-ratelimit tells its numbers in headers only. It gets a slate to write them on, not the request's own context: a Redis
 * that answers too late must not write into an answer that is under way.
 */
async function take(tier: HttpMiddleware, caller: Caller): Promise<LimitVerdict> {
  const headers: Record<string, unknown> = {};
  const slate = { state: { caller }, set: (fields: object) => void Object.assign(headers, fields) };
  let allowed = false;
  await tier(slate as unknown as HttpContext, async () => {
    allowed = true;
  });
  const { "X-RateLimit-Remaining": remaining, "X-RateLimit-Reset": reset } = headers;
  const numbers = { remaining: Number(remaining), reset: Number(reset) };
  return { allowed, window: toWindow(caller.limits.perMinute, numbers) };
}

function toWindow(limit: number, numbers: { remaining: number; reset: number }): LimitWindow {
  return buildWindow("minute", {
    limit,
    used: limit - numbers.remaining,
    // A part of a second is cut off: the next whole one is right. koa-ratelimit keeps to the clock of the process.
    resetMs: (numbers.reset + 1) * 1000,
    nowMs: Date.now(),
  });
}
