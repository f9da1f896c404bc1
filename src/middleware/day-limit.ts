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
    const utc = now.toZonedDateTimeISO("UTC");
    const date = utc.toPlainDate().toString();
    const countLocal = (): Promise<number> => countHere(callerId, date);
    const count = await (countOnRedis
      ? breaker(() => countOnRedis(callerId, date), countLocal)
      : countLocal());
    const midnightMs = utc.startOfDay().add({ days: 1 }).epochMilliseconds;
    return {
      allowed: count <= limit,
      window: {
        name: "day",
        limit,
        remaining: Math.max(0, limit - count),
        windowSeconds: DAY_SECONDS,
        secondsToReset: countSecondsToReset(midnightMs, now.epochMilliseconds, DAY_SECONDS),
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
