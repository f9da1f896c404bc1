import type { RedisConnection } from "./connection.ts";
import { dayCountKey } from "./keys.ts";

/** Counts one more request of a caller on a UTC date (`2026-11-20`). Resolves to the count with this one. */
export type CountDay = (callerId: string, date: string) => Promise<number>;

/** A counter is of no use after its day; the second day is for clocks that disagree. */
const KEPT_SECONDS = 2 * 86_400;

/** A counter that all processes share. Rejects when Redis does not answer. */
export function createDayCounter(redis: RedisConnection): CountDay {
  return async (callerId, date) => {
    const key = dayCountKey(callerId, date);
    // Both in one write; the expiry is set with every request, since a count without one would stay for ever.
    const replies = await redis.pipeline().incr(key).expire(key, KEPT_SECONDS).exec();
    const [error, count] = replies?.[0] ?? [new Error("Redis gave no reply to INCR")];
    if (error) throw error;
    return Number(count);
  };
}
