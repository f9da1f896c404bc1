import type { NotedQuery } from "../telemetry/query-notes.ts";
import type { RedisConnection } from "./connection.ts";
import { queryCallersKey, queryCountsKey } from "./keys.ts";

/** One line of the report. */
export interface FrequentQuery {
  readonly query: string;
  readonly searches: number;
  readonly empty: number;
}

/** Last week and today. */
export const KEPT_DAYS = 8;

/** A query that fewer have typed may be about one of them: a name, an address, a telephone number. */
const MIN_CALLERS = 5;

/** For each day. A query and its callers take about 300 bytes, so eight days take 12 MB at most. */
const MAX_QUERIES = 5_000;

const DAY_SECONDS = 86_400;

/**
 * Adds to the counts of a day. When those are full, a query that was searched once makes room. KEYS: searches, searches without
 * results. ARGV: prefix of the callers' keys, most queries, seconds to keep, callers to count, then for each query: itself,
 * searches, those without results, the number of callers, the callers.
 */
const ADD = `
local at = 5
while at <= #ARGV do
  local query, searches, empty, callers = ARGV[at], ARGV[at + 1], tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3])
  local key = ARGV[1] .. query
  if not redis.call("ZSCORE", KEYS[1], query) and redis.call("ZCARD", KEYS[1]) >= tonumber(ARGV[2]) then
    local least = redis.call("ZRANGE", KEYS[1], 0, 0, "WITHSCORES")
    if tonumber(least[2]) <= 1 then
      redis.call("ZREM", KEYS[1], least[1])
      redis.call("ZREM", KEYS[2], least[1])
      redis.call("DEL", ARGV[1] .. least[1])
    else
      query = nil
    end
  end
  if query then
    redis.call("ZINCRBY", KEYS[1], searches, query)
    if empty > 0 then redis.call("ZINCRBY", KEYS[2], empty, query) end
    if callers > 0 and redis.call("PFCOUNT", key) < tonumber(ARGV[4]) then
      for i = at + 4, at + 3 + callers do redis.call("PFADD", key, ARGV[i]) end
    end
    redis.call("EXPIRE", key, ARGV[3])
  end
  at = at + 4 + callers
end
for _, key in ipairs(KEYS) do redis.call("EXPIRE", key, ARGV[3]) end
return 1`;

/** Adds queries to the counts of a day (`2026-11-20`). Rejects when Redis does not respond. */
export async function addQueries(
  redis: RedisConnection,
  date: string,
  noted: readonly NotedQuery[],
): Promise<void> {
  const entries = noted.flatMap(({ query, searches, empty, callers }) => {
    const some = callers.slice(0, MIN_CALLERS);
    return [query, searches, empty, some.length, ...some];
  });
  const keys = [queryCountsKey(date, "all"), queryCountsKey(date, "empty")];
  const options = [queryCallersKey(date, ""), MAX_QUERIES, KEPT_DAYS * DAY_SECONDS, MIN_CALLERS];
  await redis.call("EVAL", [ADD, 2, ...keys, ...options, ...entries]);
}

/** The UTC dates of the last days, today first. */
export const lastDates = (now: Temporal.Instant, days: number): string[] =>
  Array.from({ length: days }, (_, ago) =>
    now.toZonedDateTimeISO("UTC").subtract({ days: ago }).toPlainDate().toString(),
  );

interface ReadOptions {
  /** UTC dates. */
  readonly dates: readonly string[];
  /** Only those that found nothing, by how often they did. */
  readonly emptyOnly: boolean;
  readonly limit: number;
}

/** So many queries are looked at together. */
const AT_ONCE = 100;

/** The most frequent queries of these days that at least five callers have searched. Rejects when Redis does not respond. */
export async function readFrequentQueries(
  redis: RedisConnection,
  { dates, emptyOnly, limit }: ReadOptions,
): Promise<FrequentQuery[]> {
  const [all, empty] = await Promise.all([
    readCounts(redis, dates, "all"),
    readCounts(redis, dates, "empty"),
  ]);
  const ranked = [...(emptyOnly ? empty : all)].toSorted(
    ([one, count], [other, otherCount]) => otherCount - count || one.localeCompare(other),
  );
  const found: FrequentQuery[] = [];
  for (let start = 0; start < ranked.length && found.length < limit; start += AT_ONCE) {
    const some = ranked.slice(start, start + AT_ONCE).map(([query]) => query);
    const callers = await countCallers(redis, dates, some);
    const shown = some.filter((_, at) => (callers[at] ?? 0) >= MIN_CALLERS);
    found.push(
      ...shown.map((query) => ({ query, searches: all.get(query) ?? 0, empty: empty.get(query) ?? 0 })),
    );
  }
  return found.slice(0, limit);
}

async function readCounts(
  redis: RedisConnection,
  dates: readonly string[],
  which: "all" | "empty",
): Promise<Map<string, number>> {
  const keys = dates.map((date) => queryCountsKey(date, which));
  const flat = await redis.zunion(keys.length, keys, "WITHSCORES");
  const counts = new Map<string, number>();
  for (let at = 0; at + 1 < flat.length; at += 2) counts.set(flat[at] ?? "", Number(flat[at + 1]));
  return counts;
}

/** Different callers of each query in all these days together. */
async function countCallers(
  redis: RedisConnection,
  dates: readonly string[],
  queries: readonly string[],
): Promise<number[]> {
  const pipeline = redis.pipeline();
  for (const query of queries) pipeline.pfcount(...dates.map((date) => queryCallersKey(date, query)));
  const replies = (await pipeline.exec()) ?? [];
  return replies.map(([error, count]) => {
    if (error) throw error;
    return Number(count);
  });
}
