import RateLimiter from "async-ratelimiter";
import type { Result } from "ioredis";
import { LRUCache } from "lru-cache";
import type { Caller } from "../keys/key-record.ts";
import type { RedisConnection } from "../redis/connection.ts";
import { dayCountsKey, minuteLogKey } from "../redis/keys.ts";
import type { AskRedis } from "../redis/redis-guard.ts";
import {
  buildWindow,
  DAY_MS,
  endOfUtcDay,
  MINUTE_MS,
  policyOf,
  utcDateOf,
  WINDOW_SECONDS,
  type LimitDecision,
  type LimitWindow,
  type Usage,
} from "./windows.ts";

declare module "ioredis" {
  interface RedisCommander<Context> {
    takeLimits(minuteLog: string, days: string, ...args: TakeArguments): Result<TakeReply, Context>;
  }
}

type TakeArguments = [
  mode: "take" | "peek",
  perMinute: number,
  date: string,
  perDay: number,
  oldest: string,
  units: number,
];
/**
 * `left` is what the minute had left before this request. The day's count is 0 when the day was not checked.
 */
type TakeReply = [left: number, resetSeconds: number, redisNowMs: number, dayAllowed: 0 | 1, dayUsed: number];

/** A month and a little more. A caller's days are one small hash of about 700 bytes (docs/decisions/0016). */
export const KEPT_DAYS = 31;

/**
 * koa-ratelimit's script, as its limiter publishes it for `scripts` of ioredis. The package's types leave it
 * out.
 */
const { lua: KOA_RATELIMIT_SCRIPT } = (
  RateLimiter as unknown as { defineCommand: { ratelimiter: { lua: string } } }
).defineCommand.ratelimiter;

/**
 * Counts a request in the minute and, if that allows it, in the day, as so many units. If the minute has fewer left, it counts
 * nothing; if the day has, one in the minute.
 *
 * The minute is koa-ratelimit's script, unchanged, with the time of Redis as its `now`: the clocks of two processes are never
 * the same. Its log keeps one entry per moment, so two requests at the same one would share an entry and one too many would
 * pass (measured: docs/decisions/0016); the later one is moved by a microsecond until its moment is free.
 *
 * The day does not count what it refuses, so that a raised limit takes effect at once. Old days are dropped when a new one
 * begins.
 *
 * The first line makes Redis (7 or later) refuse the script as a whole when it cannot write, for want of memory or replicas.
 *
 * KEYS: minute log, days. ARGV: `take` or `peek`, limit of the minute, date, limit of the day, oldest date to keep, units.
 */
const TAKE_LIMITS = `#!lua
local mode, perMinute, date, perDay, oldest = unpack(ARGV)
local units = tonumber(ARGV[6])
local clock = redis.call('TIME')
local now = tonumber(clock[1]) * 1000 + tonumber(clock[2]) / 1000
local moment = now
while redis.call('ZSCORE', KEYS[1], moment) do moment = moment + 0.001 end

local function count_minute(KEYS, ARGV)
${KOA_RATELIMIT_SCRIPT}
end
if units > 1 then
  local minute = count_minute({KEYS[1]}, {moment, ${MINUTE_MS}, perMinute, '1'})
  if minute[1] < units then
    -- Enough are left when all but (limit - units) of the entries are older than a minute.
    local last = math.min(units - perMinute, 0) - 1
    local enough = redis.call('ZRANGE', KEYS[1], last, last)[1]
    local reset = enough and math.floor((tonumber(enough) + ${MINUTE_MS}) / 1000) or minute[2]
    return {minute[1], reset, math.floor(now), 0, 0}
  end
end
local minute = count_minute({KEYS[1]}, {moment, ${MINUTE_MS}, perMinute, mode == 'peek' and '1' or '0'})
local reply = {minute[1], minute[2], math.floor(now), 0, 0}
if mode == 'peek' or minute[1] <= 0 then return reply end

local used = tonumber(redis.call('HGET', KEYS[2], date) or '0')
if used + units > tonumber(perDay) then
  reply[5] = used
  return reply
end
for unit = 2, units do
  repeat moment = moment + 0.001 until not redis.call('ZSCORE', KEYS[1], moment)
  redis.call('ZADD', KEYS[1], moment, moment)
end
used = redis.call('HINCRBY', KEYS[2], date, units)
redis.call('EXPIRE', KEYS[2], ${KEPT_DAYS * WINDOW_SECONDS.day})
if used == units and redis.call('HLEN', KEYS[2]) > ${KEPT_DAYS} then
  for _, day in ipairs(redis.call('HKEYS', KEYS[2])) do
    if day < oldest then redis.call('HDEL', KEYS[2], day) end
  end
end
reply[4], reply[5] = 1, used
return reply`;

/** The Redis in which all processes count, and how requests call it. */
export interface SharedRedis {
  readonly redis: RedisConnection;
  readonly askRedis: AskRedis;
}

/** The limits shared by all processes. Both resolve to `undefined` when Redis does not respond in time. */
export interface RedisLimits {
  /** Counts a request as so many units unless the minute or the day has fewer left, in one round trip. */
  readonly take: (caller: Caller, units?: number) => Promise<LimitDecision | undefined>;
  /** The state of the windows, without counting. */
  readonly peek: (caller: Caller) => Promise<Omit<Usage, "isShared"> | undefined>;
}

/** The most callers with requests that Redis has not counted yet. */
const MAX_OWING = 10_000;

/**
 * Registers the script on the connection. The date comes from `now`, the times within a minute from Redis.
 * Requests that Redis missed are added to their day with the next one that it counts.
 */
export function createRedisLimits(
  { redis, askRedis }: SharedRedis,
  now: () => Temporal.Instant,
): RedisLimits {
  redis.defineCommand("takeLimits", { numberOfKeys: 2, lua: TAKE_LIMITS });
  /** By date and caller: requests missed yesterday are not added to today. */
  const owed = new LRUCache<string, number>({ max: MAX_OWING });
  const owe = (id: string, requests: number) => owed.set(id, (owed.get(id) ?? 0) + requests);

  const run = (mode: "take" | "peek", caller: Caller, nowMs: number, units = 1): Promise<TakeReply> => {
    const { minute, day } = policyOf(caller);
    const keys = [minuteLogKey(caller.callerId), dayCountsKey(caller.callerId)] as const;
    const dates = { today: utcDateOf(nowMs), oldest: oldestKeptDate(nowMs) };
    // Redis compares integers.
    const perDay = Math.min(day, Number.MAX_SAFE_INTEGER);
    return redis.takeLimits(...keys, mode, minute, dates.today, perDay, dates.oldest, units);
  };

  return {
    async take(caller, units = 1) {
      const nowMs = now().epochMilliseconds;
      const owedId = `${utcDateOf(nowMs)} ${caller.callerId}`;
      const reply = await askRedis("take_limits", () => run("take", caller, nowMs, units));
      if (!reply) {
        owe(owedId, units);
        return undefined;
      }
      const decision = toDecision(reply, caller, { nowMs, units });
      const missed = owed.get(owedId);
      if (missed !== undefined && !decision.refusedBy) {
        owed.delete(owedId);
        redis
          .hincrby(dayCountsKey(caller.callerId), utcDateOf(nowMs), missed)
          .catch(() => owe(owedId, missed));
      }
      return decision;
    },
    peek: (caller) =>
      askRedis("peek_limits", async () => {
        const nowMs = now().epochMilliseconds;
        const [[left, resetSeconds, redisNowMs], counts] = await Promise.all([
          run("peek", caller, nowMs),
          redis.hgetall(dayCountsKey(caller.callerId)),
        ]);
        const { minute, day } = policyOf(caller);
        const days = toDays(counts, oldestKeptDate(nowMs));
        return {
          minute: toMinute(minute, left, resetSeconds, redisNowMs),
          day: toDay(day, days.get(utcDateOf(nowMs)) ?? 0, nowMs),
          days,
        };
      }),
  };
}

function toDecision(
  reply: TakeReply,
  caller: Caller,
  { nowMs, units }: { readonly nowMs: number; readonly units: number },
): LimitDecision {
  const [left, resetSeconds, redisNowMs, dayAllowed, used] = reply;
  const limits = policyOf(caller);
  const toWindow = (remaining: number): LimitWindow =>
    toMinute(limits.minute, remaining, resetSeconds, redisNowMs);
  if (left < units) {
    const minute = toWindow(left);
    return { refusedBy: minute, windows: [minute] };
  }
  const minute = toWindow(left - (dayAllowed === 0 ? 1 : units));
  const day = toDay(limits.day, used, nowMs);
  return { windows: [minute, day], ...(dayAllowed === 0 && { refusedBy: day }) };
}

/** The script truncates the reset to whole seconds, so the next whole second is right. */
const toMinute = (limit: number, remaining: number, resetSeconds: number, nowMs: number): LimitWindow =>
  buildWindow("minute", { limit, used: limit - remaining, resetMs: (resetSeconds + 1) * 1000, nowMs });

const toDay = (limit: number, used: number, nowMs: number): LimitWindow =>
  buildWindow("day", { limit, used, resetMs: endOfUtcDay(nowMs), nowMs });

/** The oldest day that is kept. */
const oldestKeptDate = (nowMs: number): string => utcDateOf(nowMs - (KEPT_DAYS - 1) * DAY_MS);

const toDays = (counts: Readonly<Record<string, string>>, oldest: string): Map<string, number> =>
  new Map(
    Object.entries(counts)
      .filter(([date]) => date >= oldest)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([date, count]) => [date, Number(count)]),
  );
