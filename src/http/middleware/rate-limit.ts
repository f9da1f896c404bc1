import RateLimiter from "async-ratelimiter";
import ratelimit from "koa-ratelimit";
import type { Middleware } from "koa";
import { ServerResponse } from "node:http";
import { limitExceeded } from "../../errors.ts";
import type { Caller } from "../../keys/key-record.ts";
import { createDayCounts } from "../../limits/day-counts.ts";
import {
  buildWindow,
  createCounts,
  endOfUtcDay,
  MINUTE_MS,
  takeAll,
  utcDateOf,
  WINDOW_SECONDS,
  type LimitDecision,
  type LimitWindow,
  type Usage,
} from "../../limits/windows.ts";
import type { RedisConnection, SingleRedis } from "../../redis/connection.ts";
import { MINUTE_LOGS, minuteLogKey } from "../../redis/keys.ts";
import type { AskRedis } from "../../redis/redis-guard.ts";
import type { Telemetry } from "../../telemetry/telemetry.ts";
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

/**
 * A dashboard may refresh every second. The limit stops floods, because each request for the usage figures
 * reads Redis.
 */
const USAGE_READS_PER_MINUTE = 60;

interface LimiterOptions {
  /** The Redis in which all processes count; without it each process enforces limits alone. */
  readonly shared?: { readonly redis: RedisConnection; readonly askRedis: AskRedis } | undefined;
  readonly telemetry: Pick<Telemetry, "limitHeldLocally">;
  readonly now: () => Temporal.Instant;
}

/** A daily limit of 0 means none; requests still count for the usage figures. */
const dayLimitOf = ({ limits: { perDay } }: Caller): number => (perDay === 0 ? Infinity : perDay);

/** Enforces the limits of each caller. */
export type Limiter = ReturnType<typeof createLimiter>;

/**
 * Creates the limiter, which never rejects because of Redis, and never waits long for it. Redis counts for all processes, and each process
 * counts what it let pass: a request passes when both allow it. So an outage of Redis never gives a caller a second full minute.
 */
export function createLimiter({ shared, telemetry, now }: LimiterOptions) {
  const nowMs = (): number => now().epochMilliseconds;
  const minutes = createCounts("minute");
  const days = createCounts("day", endOfUtcDay, nowMs);
  const usageReads = createCounts("usage");
  const redis = shared && createRedisCounts(shared.redis, nowMs);
  return {
    /** Counts the request in the minute and the day of its caller, as one unit or more. */
    take: async (ctx: HttpContext, units = 1): Promise<LimitDecision> => {
      const caller = callerOf(ctx);
      const { callerId, limits } = caller;
      const counted = await shared?.askRedis("take_limits", () => redis!.take(ctx, units));
      if (counted?.refusedBy) return counted;
      const own = takeAll(callerId, units, [
        [minutes, limits.perMinute],
        [days, dayLimitOf(caller)],
      ]);
      if (shared && !counted) telemetry.limitHeldLocally();
      if (own.refusedBy && counted) redis?.days.takeBack(callerId, units);
      if (!own.refusedBy && !counted) redis?.days.miss(callerId, units);
      return own.refusedBy ? own : (counted ?? own);
    },
    /** Counts a request for the usage figures, which have a separate limit. */
    takeUsageRequest: (ctx: HttpContext): LimitDecision =>
      takeAll(callerOf(ctx).callerId, 1, [[usageReads, USAGE_READS_PER_MINUTE]]),
    /** The state of the windows, without counting. */
    async peek(caller: Caller): Promise<Usage> {
      const { callerId, limits } = caller;
      const usage = await shared?.askRedis("peek_limits", () => redis!.peek(caller));
      const minute = minutes.windowOf(callerId, limits.perMinute);
      const day = days.windowOf(callerId, dayLimitOf(caller));
      return usage ?? { minute, day, days: new Map(), isShared: !shared };
    },
  };
}

/**
 * The script that koa-ratelimit sends to Redis, as its package publishes it. Here it counts by the clock of Redis, since those of two
 * processes are never the same, and returns the seconds to the reset. Its log keeps one entry per moment, so a request moves on by a
 * microsecond while its moment is taken. The first line makes Redis (7 or later) refuse the script as a whole when it cannot write, for
 * want of memory or replicas.
 */
const COUNT_BY_CLOCK_OF_REDIS = `#!lua
local clock = redis.call('TIME')
ARGV[1] = tonumber(clock[1]) * 1000 + tonumber(clock[2]) / 1000
while redis.call('ZSCORE', KEYS[1], ARGV[1]) do ARGV[1] = ARGV[1] + 0.001 end
local function count()
  ${(RateLimiter as unknown as { defineCommand: { ratelimiter: { lua: string } } }).defineCommand.ratelimiter.lua}
end
local left = count()
if left[1] == 0 then
  local place = -math.max(1, ARGV[3])
  local mustEnd = redis.call('ZRANGE', KEYS[1], place, place)[1]
  if mustEnd then left[2] = math.floor((mustEnd + ARGV[2]) / 1000) end
end
left[2] = left[2] + 1 - clock[1]
return left`;

/** The minute by koa-ratelimit, one for each limit that keys have: all of them count a caller in the same log. */
function createMinutes(redis: RedisConnection) {
  redis.defineCommand("ratelimiter", { numberOfKeys: 1, lua: COUNT_BY_CLOCK_OF_REDIS });
  // Its types know no cluster, but all it needs is the command above.
  const options = { db: redis as SingleRedis, duration: MINUTE_MS, namespace: MINUTE_LOGS };
  const id = (ctx: { readonly state: object }): string => callerOf(ctx as HttpContext).callerId;
  // As many as operators give different limits to keys.
  const made = new Map<number, Middleware>();
  const make = (max: number): Middleware =>
    ratelimit({ ...options, driver: "redis", max, id, headers: LIMIT_HEADERS });
  const log = new RateLimiter(options);
  const toMinute = (max: number, remaining: number, reset: number): LimitWindow =>
    buildWindow("minute", { limit: max, used: max - remaining, msToReset: reset * 1_000 });
  return {
    async take(ctx: HttpContext, max: number): Promise<{ isAllowed: boolean; minute: LimitWindow }> {
      // A response of its own: what comes from Redis after the deadline must not change the one under way.
      const own = ctx.app.createContext(ctx.req, new ServerResponse(ctx.req));
      own.state = ctx.state;
      let isAllowed = false;
      await made.getOrInsertComputed(max, make)(own, async () => void (isAllowed = true));
      const read = (header: string): number => Number(own.response.get(header));
      return { isAllowed, minute: toMinute(max, read(LIMIT_HEADERS.remaining), read(LIMIT_HEADERS.reset)) };
    },
    async peek(callerId: string, max: number): Promise<LimitWindow> {
      // koa-ratelimit knows no limit of 0; one below refuses, too.
      const { remaining, reset } = await log.get({ id: callerId, max: max || -1, peek: true });
      return toMinute(max, remaining, reset);
    },
  };
}

/** What Redis counts for all processes; rejects when it does not respond. ioredis sends what is asked at once together. */
function createRedisCounts(redis: RedisConnection, nowMs: () => number) {
  const minutes = createMinutes(redis);
  const days = createDayCounts(redis, nowMs);
  const toDay = (caller: Caller, used: number): LimitWindow =>
    buildWindow("day", { limit: dayLimitOf(caller), used, msToReset: endOfUtcDay(nowMs()) - nowMs() });

  return {
    days,
    async take(ctx: HttpContext, units: number): Promise<LimitDecision> {
      const caller = callerOf(ctx);
      const { callerId, limits } = caller;
      const [used, ...taken] = await Promise.all([
        days.add(callerId, units),
        ...Array.from({ length: units }, () => minutes.take(ctx, limits.perMinute)),
      ]);
      const passed = taken.filter(({ isAllowed }) => isAllowed).length;
      const { minute } = taken.at(-1)!;
      if (passed === units && used <= dayLimitOf(caller)) return { windows: [minute, toDay(caller, used)] };
      days.takeBack(callerId, units);
      const day = toDay(caller, used - units);
      if (passed === units) return { refusedBy: day, windows: [minute, day] };
      // What was counted of a part must not stay. All may pass when one may with a limit that is lower by the others.
      const [, { secondsToReset }] = await Promise.all([
        passed > 0 ? redis.zpopmax(minuteLogKey(callerId), passed) : undefined,
        minutes.peek(callerId, limits.perMinute - units + 1),
      ]);
      const refusedBy = { ...minute, used: minute.limit - passed, remaining: passed, secondsToReset };
      return { refusedBy, windows: [refusedBy, day] };
    },
    async peek(caller: Caller): Promise<Usage> {
      const { callerId, limits } = caller;
      const asked = [minutes.peek(callerId, limits.perMinute), days.read(callerId)] as const;
      const [minute, byDate] = await Promise.all(asked);
      const day = toDay(caller, byDate.get(utcDateOf(nowMs())) ?? 0);
      return { minute, day, days: byDate, isShared: true };
    },
  };
}

/** As how many requests a request counts. */
export type CountUnits = (ctx: HttpContext) => number;

interface RateLimitOptions {
  readonly take: (ctx: HttpContext, units: number) => LimitDecision | Promise<LimitDecision>;
  /** One when absent. */
  readonly unitsOf?: CountUnits;
  readonly now: () => Temporal.Instant;
}

/** Refuses a request when its caller's limit is used up, and sends every caller how much is left. */
export function rateLimit({ take, unitsOf = () => 1, now }: RateLimitOptions): HttpMiddleware {
  return async (ctx, next) => {
    const units = unitsOf(ctx);
    const { refusedBy, windows } = await take(ctx, units);
    ctx.set(toLimitHeaders(windows, now().epochMilliseconds, refusedBy));
    if (refusedBy) throw limitExceeded(refusedBy, units);
    await next();
  };
}

/** The usual headers are those of the window that stops the caller first; of two with the same remainder, the one that resets later. */
export function toLimitHeaders(
  windows: readonly LimitWindow[],
  nowMs: number,
  refusedBy?: LimitWindow,
): Record<string, string> {
  const limited = windows.filter(({ limit }) => Number.isFinite(limit));
  const [tightest] = limited.toSorted(
    (a, b) => a.remaining - b.remaining || b.secondsToReset - a.secondsToReset,
  );
  const shown = refusedBy ?? tightest;
  const list = (describe: (window: LimitWindow) => string): string => limited.map(describe).join(", ");
  return {
    [LIMIT_HEADERS.windows]: list((w) => `"${w.name}";r=${w.remaining};t=${w.secondsToReset}`),
    [LIMIT_HEADERS.policy]: list((w) => `"${w.name}";q=${w.limit};w=${WINDOW_SECONDS[w.name]}`),
    ...(shown && {
      [LIMIT_HEADERS.total]: String(shown.limit),
      [LIMIT_HEADERS.remaining]: String(shown.remaining),
      [LIMIT_HEADERS.reset]: String(Math.ceil(nowMs / 1_000) + shown.secondsToReset),
    }),
  };
}
