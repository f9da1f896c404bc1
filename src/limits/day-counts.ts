import type { RedisConnection } from "../redis/connection.ts";
import { dayCountsKey } from "../redis/keys.ts";
import { createCounts, DAY_MS, endOfUtcDay, utcDateOf, WINDOW_SECONDS } from "./windows.ts";

/** A month and a little more. A caller's days are one small hash of about 700 bytes (docs/decisions/0016). */
export const KEPT_DAYS = 31;

/**
 * Counts the requests of each caller by UTC day in Redis, for all processes. Requests that Redis missed in an outage are added to their
 * day with the next one that it counts.
 */
export function createDayCounts(redis: RedisConnection, nowMs: () => number) {
  const missing = createCounts("day", endOfUtcDay, nowMs);
  const oldestKept = (): string => utcDateOf(nowMs() - (KEPT_DAYS - 1) * DAY_MS);

  /** With the first request of a day. If it fails, the next day does it. */
  const forgetOld = async (key: string): Promise<void> => {
    const [dates] = await Promise.all([redis.hkeys(key), redis.expire(key, KEPT_DAYS * WINDOW_SECONDS.day)]);
    const old = dates.filter((date) => date < oldestKept());
    if (old.length > 0) await redis.hdel(key, ...old);
  };

  const days = {
    /** Counts requests, with those that were missed, and returns how many the day has now. Rejects when Redis does not respond. */
    async add(callerId: string, requests: number): Promise<number> {
      const { used: missed, endsAtMs } = missing.read(callerId);
      if (missed !== 0) missing.add(callerId, -missed);
      try {
        const key = dayCountsKey(callerId);
        const used = await redis.hincrby(key, utcDateOf(endsAtMs - 1), requests + missed);
        if (used === requests + missed) forgetOld(key).catch(() => undefined);
        return used;
      } catch (error) {
        if (missed !== 0) missing.add(callerId, missed);
        throw error;
      }
    },
    /** Notes requests that passed without Redis. */
    miss: (callerId: string, requests: number) => missing.add(callerId, requests),
    /** Takes back requests that were counted and then refused. */
    takeBack(callerId: string, requests: number): void {
      missing.add(callerId, -requests);
      days.add(callerId, 0).catch(() => undefined);
    },
    /** The requests by date, the oldest first, without days that have none. Rejects when Redis does not respond. */
    async read(callerId: string): Promise<ReadonlyMap<string, number>> {
      const counts = Object.entries(await redis.hgetall(dayCountsKey(callerId)));
      const kept = counts.filter(([date, count]) => date >= oldestKept() && count !== "0");
      const sorted = kept.toSorted(([one], [other]) => (one < other ? -1 : 1));
      return new Map(sorted.map(([date, count]) => [date, Number(count)]));
    },
  };
  return days;
}
