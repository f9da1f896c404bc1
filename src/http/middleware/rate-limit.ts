import RateLimiter from "async-ratelimiter";
import ratelimit from "koa-ratelimit";
import type { Middleware } from "koa";
import { LRUCache } from "lru-cache";
import { ServerResponse } from "node:http";
import { limitExceeded } from "../../errors.ts";
import type { Caller } from "../../keys/key-record.ts";
import { createDayCounts } from "../../limits/day-counts.ts";
import {
  buildWindow,
  MINUTE_MS,
  pickTighterWindow,
  policyOf,
  WINDOW_SECONDS,
  type LimitDecision,
  type LimitName,
  type LimitPolicy,
  type LimitWindow,
  type Usage,
} from "../../limits/windows.ts";
import type { RedisConnection } from "../../redis/connection.ts";
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
const USAGE_POLICY = { usage: 60 } as const;

/** Different limits of keys. Above this number the least recently used one is made anew. */
const MAX_POLICIES = 1_000;

/** Callers that one process counts. An entry takes about 300 bytes. */
const MAX_COUNTS = 10_000;

interface LimiterOptions {
  /** The Redis in which all processes count; without it each process enforces limits alone. */
  readonly shared?: { readonly redis: RedisConnection; readonly askRedis: AskRedis } | undefined;
  readonly telemetry: Pick<Telemetry, "limitHeldLocally">;
  readonly now: () => Temporal.Instant;
}

/** Enforces the limits of each caller. Never rejects because of Redis, and never waits long for it. */
export interface Limiter {
  /** Counts the request in the minute and the day of its caller, as one unit or more. */
  readonly take: (ctx: HttpContext, units?: number) => Promise<LimitDecision>;
  /** Counts a request for the usage figures, which have a separate limit. */
  readonly takeUsageRequest: (ctx: HttpContext) => Promise<LimitDecision>;
  /** The state of the windows, without counting. */
  readonly peek: (caller: Caller) => Promise<Usage>;
}

/**
 * The script that koa-ratelimit sends to Redis, as its package publishes it. Here it counts by the clock of Redis, since those of two
 * processes are never the same. Its log keeps one entry per moment, so a request moves on by a microsecond while its moment is taken.
 * The first line makes Redis (7 or later) refuse the script as a whole when it cannot write, for want of memory or replicas.
 */
const COUNT_BY_CLOCK_OF_REDIS = `#!lua
local clock = redis.call('TIME')
ARGV[1] = tonumber(clock[1]) * 1000 + tonumber(clock[2]) / 1000
while redis.call('ZSCORE', KEYS[1], ARGV[1]) do ARGV[1] = ARGV[1] + 0.001 end
${(RateLimiter as unknown as { defineCommand: { ratelimiter: { lua: string } } }).defineCommand.ratelimiter.lua}`;

/** A map for koa-ratelimit that forgets its oldest entry when it is full. */
class RecentCounts extends Map<string, { readonly reset: number; readonly remaining: number }> {
  override set(key: string, count: { readonly reset: number; readonly remaining: number }): this {
    this.delete(key);
    if (this.size >= MAX_COUNTS) this.delete(this.keys().next().value ?? "");
    return super.set(key, count);
  }
}

/** One koa-ratelimit for each limit that keys have: all of them count a caller in the same log. */
function createMinutes(name: LimitName, db: RedisConnection | RecentCounts) {
  const made = new LRUCache<number, Middleware>({ max: MAX_POLICIES });
  return async (ctx: HttpContext, max: number): Promise<LimitWindow & { readonly isAllowed: boolean }> => {
    const limit =
      made.get(max) ?? ratelimit({ ...toOptions(name, db, max), id: callerIdOf, headers: LIMIT_HEADERS });
    made.set(max, limit);
    // A response of its own: what comes from Redis after the deadline must not change the one under way.
    const own = ctx.app.createContext(ctx.req, new ServerResponse(ctx.req));
    own.state = ctx.state;
    let isAllowed = false;
    const [nowMs] = await Promise.all([clockOf(db), limit(own, async () => void (isAllowed = true))]);
    const read = (header: string): number => Number(own.response.get(header));
    const [remaining, reset] = [read(LIMIT_HEADERS.remaining), read(LIMIT_HEADERS.reset)];
    return { ...toMinute(name, { limit: max, remaining, reset, nowMs }), isAllowed };
  };
}

/** Epoch milliseconds by the clock that counts: those of two machines differ. ioredis sends the request with that of the count. */
async function clockOf(db: RedisConnection | RecentCounts): Promise<number> {
  if (db instanceof RecentCounts) return Date.now();
  const [seconds, microseconds] = await db.time();
  return Number(seconds) * 1_000 + Number(microseconds) / 1_000;
}

const callerIdOf = (ctx: { readonly state: object }): string => callerOf(ctx as HttpContext).callerId;

const toOptions = (name: LimitName, db: RedisConnection | RecentCounts, max: number) =>
  db instanceof RecentCounts
    ? ({ driver: "memory", db, max, duration: MINUTE_MS, namespace: `${name}:${max}` } as const)
    : ({ driver: "redis", db, max, duration: MINUTE_MS, namespace: MINUTE_LOGS } as const);

interface MinuteState {
  readonly limit: number;
  readonly remaining: number;
  /** Epoch seconds, rounded down or not at all: the next whole second is right. */
  readonly reset: number;
  /** The moment of the same clock. */
  readonly nowMs: number;
}

const toMinute = (name: LimitName, { limit, remaining, reset, nowMs }: MinuteState): LimitWindow =>
  buildWindow(name, {
    limit,
    used: limit - remaining,
    resetMs: (Math.floor(reset) + 1) * 1_000,
    nowMs,
  });

/** The minutes that this process counts alone. */
function createOwnMinutes(name: LimitName) {
  const counts = new RecentCounts();
  const count = createMinutes(name, counts);
  const read = (callerId: string, limit: number): LimitWindow => {
    const nowMs = Date.now();
    const nowS = nowMs / 1_000;
    const known = counts.get(`${name}:${limit}:${callerId}`);
    // koa-ratelimit keeps what was left before the latest request.
    if (known && known.reset >= nowS)
      return toMinute(name, {
        limit,
        remaining: Math.max(0, known.remaining - 1),
        reset: known.reset,
        nowMs,
      });
    return toMinute(name, { limit, remaining: limit, reset: nowS + WINDOW_SECONDS[name], nowMs });
  };
  return { count, read };
}

/**
 * Creates the limiter. Redis counts for all processes, and each process counts what it let pass: a request passes when both allow it.
 * So an outage of Redis never gives a caller a second full minute.
 */
export function createLimiter({ shared, telemetry, now }: LimiterOptions): Limiter {
  const days = createDayCounts(now);
  const minutes = createOwnMinutes("minute");
  const usageMinutes = createOwnMinutes("usage");
  const redisCounts = shared && createRedisCounts(shared.redis, days);
  const readOwn = (caller: Caller): readonly [LimitWindow, LimitWindow] => [
    minutes.read(caller.callerId, caller.limits.perMinute),
    days.readOwn(caller),
  ];

  const takeOwn = async (ctx: HttpContext, units: number, isShared: boolean): Promise<LimitDecision> => {
    const caller = callerOf(ctx);
    const refusedBy = readOwn(caller).find(({ remaining }) => remaining < units);
    if (refusedBy) return { refusedBy, windows: [refusedBy] };
    days.note(caller, units, isShared);
    await takeUnits(units, () => minutes.count(ctx, caller.limits.perMinute));
    return { windows: readOwn(caller) };
  };

  return {
    async take(ctx, units = 1) {
      const caller = callerOf(ctx);
      const counted = await shared?.askRedis("take_limits", () => redisCounts!.take(ctx, units));
      if (counted?.refusedBy) return counted;
      const own = await takeOwn(ctx, units, counted !== undefined);
      if (shared && !counted) telemetry.limitHeldLocally();
      if (counted && own.refusedBy) days.takeBack(shared!.redis, caller, units);
      return own.refusedBy ? own : (counted ?? own);
    },
    async takeUsageRequest(ctx) {
      const read = (): LimitWindow => usageMinutes.read(callerOf(ctx).callerId, USAGE_POLICY.usage);
      if (read().remaining === 0) return { refusedBy: read(), windows: [read()] };
      await usageMinutes.count(ctx, USAGE_POLICY.usage);
      return { windows: [read()] };
    },
    async peek(caller) {
      const usage = await shared?.askRedis("peek_limits", () => redisCounts!.peek(caller));
      if (usage) return usage;
      const [minute, day] = readOwn(caller);
      return { minute, day, days: new Map(), isShared: !shared };
    },
  };
}

/** Counts a request as so many, in their order. */
const takeUnits = <T>(units: number, take: () => Promise<T>): Promise<readonly T[]> =>
  Promise.all(Array.from({ length: units }, take));

/** What Redis counts for all processes. Both reject when it does not respond. */
function createRedisCounts(redis: RedisConnection, days: ReturnType<typeof createDayCounts>) {
  redis.defineCommand("ratelimiter", { numberOfKeys: 1, lua: COUNT_BY_CLOCK_OF_REDIS });
  const takeMinute = createMinutes("minute", redis);
  const limiter = new RateLimiter({ db: redis, namespace: MINUTE_LOGS, duration: MINUTE_MS });

  const peekMinute = async ({ callerId, limits }: Caller): Promise<MinuteState> => {
    const [{ remaining, reset }, nowMs] = await Promise.all([
      limiter.get({ id: callerId, max: limits.perMinute, peek: true }),
      clockOf(redis),
    ]);
    return { limit: limits.perMinute, remaining, reset, nowMs };
  };

  /** Several units are refused together, with the seconds until all of them may pass. */
  const refuseTogether = async (caller: Caller, units: number): Promise<LimitWindow | undefined> => {
    const minute = await peekMinute(caller);
    if (minute.remaining >= units) return undefined;
    // Enough are left when all but (limit - units) of the entries are older than a minute.
    const last = Math.min(units - minute.limit, 0) - 1;
    const [moment] = await redis.zrange(minuteLogKey(caller.callerId), String(last), String(last));
    const reset = moment === undefined ? minute.reset : (Number(moment) + MINUTE_MS) / 1_000;
    return toMinute("minute", { ...minute, reset });
  };

  return {
    async take(ctx: HttpContext, units: number): Promise<LimitDecision> {
      const caller = callerOf(ctx);
      const together = units > 1 ? await refuseTogether(caller, units) : undefined;
      if (together) return { refusedBy: together, windows: [together] };
      // One round trip: ioredis sends what is asked at once together.
      const [taken, used] = await Promise.all([
        takeUnits(units, () => takeMinute(ctx, caller.limits.perMinute)),
        days.add(redis, caller, units),
      ]);
      const passed = taken.filter(({ isAllowed }) => isAllowed).length;
      const isOver = used > policyOf(caller).day;
      if (passed < units || isOver) days.takeBack(redis, caller, units);
      const { isAllowed, ...minute } = taken.at(-1)!;
      if (!isAllowed) {
        // Others came between: what was counted of this one must not stay. Which entries go does not matter.
        if (passed > 0) await redis.zpopmax(minuteLogKey(caller.callerId), passed);
        return { refusedBy: minute, windows: [minute] };
      }
      const day = days.toWindow(caller, isOver ? used - units : used);
      return { windows: [minute, day], ...(isOver && { refusedBy: day }) };
    },
    async peek(caller: Caller): Promise<Usage> {
      const [minute, counted] = await Promise.all([peekMinute(caller), days.read(redis, caller)]);
      return { minute: toMinute("minute", minute), ...counted, isShared: true };
    },
  };
}

interface RateLimitOptions {
  readonly take: (ctx: HttpContext, units: number) => Promise<LimitDecision>;
  /** As how many requests a request counts; one when absent. */
  readonly unitsOf?: (ctx: HttpContext) => number;
  readonly policyOf?: (caller: Caller) => LimitPolicy;
  readonly now: () => Temporal.Instant;
}

/** Refuses a request when its caller's limit is used up, and sends every caller how much is left. */
export function rateLimit(options: RateLimitOptions): HttpMiddleware {
  const { take, unitsOf = () => 1, policyOf: policy = policyOf, now } = options;
  return async (ctx, next) => {
    const units = unitsOf(ctx);
    const { refusedBy, windows } = await take(ctx, units);
    ctx.set(toDraftHeaders(windows, policy(callerOf(ctx))));
    const tighter = refusedBy ?? pickTighterWindow(windows.filter(hasLimit));
    if (tighter) ctx.set(toUsualHeaders(tighter, now().epochMilliseconds));
    if (refusedBy) throw limitExceeded(refusedBy, units);
    await next();
  };
}

/** Limits the requests for the usage figures. */
export const limitUsageRequests = (
  { takeUsageRequest }: Limiter,
  now: () => Temporal.Instant,
): HttpMiddleware => rateLimit({ take: takeUsageRequest, policyOf: () => USAGE_POLICY, now });

const toUsualHeaders = ({ limit, remaining, secondsToReset }: LimitWindow, nowMs: number) => ({
  [LIMIT_HEADERS.total]: String(limit),
  [LIMIT_HEADERS.remaining]: String(remaining),
  [LIMIT_HEADERS.reset]: String(Math.ceil(nowMs / 1_000) + secondsToReset),
});

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
