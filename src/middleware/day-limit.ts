import type { RedisConnection } from "../redis/connection.ts";
import { createDayCounter } from "../redis/day-counter.ts";
import type { CountDay } from "../redis/day-counter.ts";
import { BoundedMap } from "./bounded-map.ts";
import type { Breaker } from "./circuit-breaker.ts";
import { DAY_SECONDS, countSecondsToReset } from "./limit-windows.ts";
import type { LimitVerdict } from "./limit-windows.ts";

interface DayLimitOptions {
  readonly redis: RedisConnection | undefined;
  readonly limit: number;
  readonly breaker: Breaker;
}

const DAY_MS = DAY_SECONDS * 1000;

/** Of a date such as `2026-11-20`. */
const DATE_LENGTH = 10;

/** Only known callers get into this memory. */
const MAX_CALLERS_IN_MEMORY = 10_000;

/**
 * Creates the check of the day limit: a counter for each UTC date, on Redis or, while that fails or when there is none, in
 * this process. The returned function counts the request and never rejects because of Redis.
 */
export function createDayLimit({ redis, limit, breaker }: DayLimitOptions) {
  const countHere = createLocalDayCounter();
  const countOnRedis = redis && createDayCounter(redis);

  return async (callerId: string, now: Temporal.Instant): Promise<LimitVerdict> => {
    // Days of UTC all have the same length: plain numbers do, at a hundredth of the time of a calendar.
    const startMs = Math.floor(now.epochMilliseconds / DAY_MS) * DAY_MS;
    const date = new Date(startMs).toISOString().slice(0, DATE_LENGTH);
    const countLocal = (): Promise<number> => countHere(callerId, date);
    const count = await (countOnRedis
      ? breaker(() => countOnRedis(callerId, date), countLocal)
      : countLocal());
    return {
      allowed: count <= limit,
      window: {
        name: "day",
        limit,
        remaining: Math.max(0, limit - count),
        windowSeconds: DAY_SECONDS,
        secondsToReset: countSecondsToReset(startMs + DAY_MS, now.epochMilliseconds, DAY_SECONDS),
      },
    };
  };
}

/** Counts for this process alone, and only the latest date of each caller. */
function createLocalDayCounter(): CountDay {
  const counts = new BoundedMap<string, { date: string; count: number }>(MAX_CALLERS_IN_MEMORY);
  return async (callerId, date) => {
    const before = counts.get(callerId);
    const count = before?.date === date ? before.count + 1 : 1;
    counts.set(callerId, { date, count });
    return count;
  };
}
