import type { Result } from "ioredis";
import type { RedisConnection } from "./connection.ts";
import { dayCountsKey } from "./keys.ts";

declare module "ioredis" {
  interface RedisCommander<Context> {
    takeDay(key: string, ...args: [...TakeDayArguments]): Result<[allowed: number, used: number], Context>;
  }
}

type TakeDayArguments = [date: string, limit: number, keptDays: number, oldest: string, keptSeconds: number];

/** The counters of the days of UTC, which all processes share. All of them reject when Redis does not answer. */
export interface DayCounter {
  /** Counts one more request on a date (`2026-11-20`) unless that would be more than `limit`. `used` is the count after it. */
  readonly take: (
    callerId: string,
    date: string,
    limit: number,
  ) => Promise<{ readonly allowed: boolean; readonly used: number }>;
  /** Adds requests that were let through without asking. */
  readonly add: (callerId: string, date: string, requests: number) => Promise<void>;
  /** The counts of the last days by their dates, oldest first. Days without a request are left out. */
  readonly read: (callerId: string, today: string) => Promise<ReadonlyMap<string, number>>;
}

/** A month and a bit of a caller's days is one small hash of about 700 bytes (docs/decisions/0016). */
export const KEPT_DAYS = 31;

const DAY_MS = 86_400_000;
const KEPT_SECONDS = KEPT_DAYS * 86_400;

/**
 * What is refused is not counted, so that a limit that is raised counts at once. Days beyond the kept ones are dropped when a
 * new one begins. KEYS: the caller's days. ARGV: date, limit, days to keep, the oldest of them, seconds to keep the whole.
 */
const TAKE_DAY = `
local used = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0')
if used >= tonumber(ARGV[2]) then return {0, used} end
used = redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
redis.call('EXPIRE', KEYS[1], ARGV[5])
if used == 1 and redis.call('HLEN', KEYS[1]) > tonumber(ARGV[3]) then
  for _, date in ipairs(redis.call('HKEYS', KEYS[1])) do
    if date < ARGV[4] then redis.call('HDEL', KEYS[1], date) end
  end
end
return {1, used}`;

export const dayCounterScripts = { takeDay: { numberOfKeys: 1, lua: TAKE_DAY } };

/** The first of the days that are kept when `today` is the last. */
function oldestKeptDate(today: string): string {
  return new Date(Date.parse(today) - (KEPT_DAYS - 1) * DAY_MS).toISOString().slice(0, today.length);
}

export function createDayCounter(redis: RedisConnection): DayCounter {
  return {
    async take(callerId, date, limit) {
      const oldest = oldestKeptDate(date);
      const key = dayCountsKey(callerId);
      const [allowed, used] = await redis.takeDay(key, date, limit, KEPT_DAYS, oldest, KEPT_SECONDS);
      return { allowed: allowed === 1, used };
    },
    async add(callerId, date, requests) {
      await redis.hincrby(dayCountsKey(callerId), date, requests);
    },
    async read(callerId, today) {
      const counts = Object.entries(await redis.hgetall(dayCountsKey(callerId)));
      const oldest = oldestKeptDate(today);
      return new Map(
        counts
          .filter(([date]) => date >= oldest)
          .toSorted(([one], [other]) => (one < other ? -1 : 1))
          .map(([date, count]) => [date, Number(count)]),
      );
    },
  };
}
