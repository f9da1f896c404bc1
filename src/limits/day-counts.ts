import { LRUCache } from "lru-cache";
import type { Caller } from "../keys/key-record.ts";
import type { RedisConnection } from "../redis/connection.ts";
import { dayCountsKey } from "../redis/keys.ts";
import { buildWindow, DAY_MS, endOfUtcDay, policyOf, utcDateOf, WINDOW_SECONDS } from "./windows.ts";
import type { LimitWindow, Usage } from "./windows.ts";

/** A month and a little more. A caller's days are one small hash of about 700 bytes (docs/decisions/0016). */
export const KEPT_DAYS = 31;

/** An entry takes about 200 bytes. Above this number the least recently used one is dropped. */
const MAX_COUNTS = 10_000;

/** What this process knows about the day of one caller. */
interface OwnCount {
  readonly date: string;
  used: number;
  /** Of those, how many Redis has missed. */
  owed: number;
}

function createOwnCounts(nowMs: () => number): (caller: Caller) => OwnCount {
  const own = new LRUCache<string, OwnCount>({ max: MAX_COUNTS });
  return ({ callerId }) => {
    const date = utcDateOf(nowMs());
    const known = own.get(callerId);
    if (known?.date === date) return known;
    // What Redis missed yesterday is not added to today.
    const count = { date, used: 0, owed: 0 };
    own.set(callerId, count);
    return count;
  };
}

/** What Redis missed of a day is added to it. */
function settle(redis: RedisConnection, { callerId }: Caller, count: OwnCount): void {
  const { date, owed } = count;
  if (owed === 0) return;
  count.owed = 0;
  redis.hincrby(dayCountsKey(callerId), date, owed).catch(() => (count.owed += owed));
}

/**
 * Counts the requests of each caller by UTC day: in this process, and in Redis for all processes. Requests that Redis missed in an
 * outage are added to their day with the next one that it counts.
 */
export function createDayCounts(now: () => Temporal.Instant) {
  const nowMs = (): number => now().epochMilliseconds;
  const ownOf = createOwnCounts(nowMs);
  /** The window of today with so many requests. */
  const toWindow = (caller: Caller, used: number): LimitWindow => {
    const at = nowMs();
    return buildWindow("day", { limit: policyOf(caller).day, used, resetMs: endOfUtcDay(at), nowMs: at });
  };
  return {
    /** The day as this process alone knows it. */
    readOwn: (caller: Caller) => toWindow(caller, ownOf(caller).used),
    /** Notes requests that passed; `isShared` when Redis has counted them. */
    note(caller: Caller, requests: number, isShared: boolean): void {
      const count = ownOf(caller);
      count.used += requests;
      if (!isShared) count.owed += requests;
    },
    /** Counts requests in Redis, and returns how many the day has with them. Rejects when Redis does not respond. */
    async add(redis: RedisConnection, caller: Caller, requests: number): Promise<number> {
      const count = ownOf(caller);
      const key = dayCountsKey(caller.callerId);
      const used = await redis.hincrby(key, count.date, requests);
      if (used === requests) forgetOldDays(redis, key, oldestKeptDate(nowMs()));
      settle(redis, caller, count);
      return used;
    },
    /** Takes back requests that were counted and then refused. */
    takeBack(redis: RedisConnection, caller: Caller, requests: number): void {
      const count = ownOf(caller);
      count.owed -= requests;
      settle(redis, caller, count);
    },
    /** The days of a caller in Redis by date, the oldest first, and today. Rejects when Redis does not respond. */
    async read(redis: RedisConnection, caller: Caller): Promise<Pick<Usage, "day" | "days">> {
      const counts = await redis.hgetall(dayCountsKey(caller.callerId));
      const oldest = oldestKeptDate(nowMs());
      const kept = Object.entries(counts).filter(([date, count]) => date >= oldest && count !== "0");
      const sorted = kept.toSorted(([one], [other]) => (one < other ? -1 : 1));
      const today = Number(counts[utcDateOf(nowMs())] ?? 0);
      return { day: toWindow(caller, today), days: new Map(sorted.map(([date, n]) => [date, Number(n)])) };
    },
    toWindow,
  };
}

/** The oldest day that is kept. */
const oldestKeptDate = (nowMs: number): string => utcDateOf(nowMs - (KEPT_DAYS - 1) * DAY_MS);

/** With the first request of a day. If it fails, the next day does it. */
function forgetOldDays(redis: RedisConnection, key: string, oldest: string): void {
  const forget = async (): Promise<void> => {
    const [dates] = await Promise.all([redis.hkeys(key), redis.expire(key, KEPT_DAYS * WINDOW_SECONDS.day)]);
    const old = dates.filter((date) => date < oldest);
    if (old.length > 0) await redis.hdel(key, ...old);
  };
  forget().catch(() => undefined);
}
