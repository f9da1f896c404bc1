import { Redis } from "ioredis";
import { beforeEach, expect, inject, test } from "vitest";
import { runIndex } from "../import/run-index.ts";
import { addQueries, lastDates, readFrequentQueries } from "../../../src/redis/query-log.ts";
import type { NotedQuery } from "../../../src/telemetry/query-notes.ts";

const redis = new Redis(inject("redisUrl"));
const now = Temporal.Now.instant();
const [today = "", yesterday = ""] = lastDates(now, 2);

const forget = async (): Promise<void> => {
  const keys = await redis.keys("hereabouts:{queries}:*");
  if (keys.length > 0) await redis.del(...keys);
};
beforeEach(async () => {
  await forget();
  return forget;
});

const FIVE = ["a", "b", "c", "d", "e"];
const noted = (query: string, options: Partial<NotedQuery> = {}): NotedQuery => ({
  query,
  searches: 1,
  empty: 0,
  callers: FIVE,
  ...options,
});
const read = (options: { dates?: string[]; emptyOnly?: boolean; limit?: number } = {}) =>
  readFrequentQueries(redis, { dates: [today], emptyOnly: false, limit: 10, ...options });

test("a query of fewer than five callers is not shown, however often they search", async () => {
  await addQueries(redis, today, [noted("my address", { searches: 1_000, callers: FIVE.slice(1) })]);
  await addQueries(redis, today, [noted("my address", { searches: 1_000, callers: FIVE.slice(1) })]);
  expect(await read()).toEqual([]);
  await addQueries(redis, today, [noted("my address", { callers: ["a"] })]);
  expect(await read()).toEqual([{ query: "my address", searches: 2_001, empty: 0 }]);
});

test("the most frequent come first, counted and with callers of all days together", async () => {
  await addQueries(redis, yesterday, [noted("pho", { searches: 3, callers: ["a", "b", "c"] })]);
  await addQueries(redis, today, [
    noted("pho", { searches: 2, callers: ["c", "d", "e"] }),
    noted("cafe", { searches: 4 }),
  ]);
  expect(await read()).toEqual([{ query: "cafe", searches: 4, empty: 0 }]);
  expect(await read({ dates: [today, yesterday] })).toEqual([
    { query: "pho", searches: 5, empty: 0 },
    { query: "cafe", searches: 4, empty: 0 },
  ]);
  expect(await read({ dates: [today, yesterday], limit: 1 })).toHaveLength(1);
});

test("those that found nothing are ranked by how often they did", async () => {
  await addQueries(redis, today, [
    noted("cafe", { searches: 90, empty: 1 }),
    noted("tram sac", { searches: 8, empty: 7 }),
    noted("pho", { searches: 50 }),
  ]);
  expect(await read({ emptyOnly: true })).toEqual([
    { query: "tram sac", searches: 8, empty: 7 },
    { query: "cafe", searches: 90, empty: 1 },
  ]);
});

test("Redis holds a bounded number of queries, keeps the frequent ones, and forgets all of them in time", async () => {
  await addQueries(redis, today, [noted("cafe", { searches: 2 })]);
  for (let start = 0; start < 6_000; start += 1_000)
    await addQueries(
      redis,
      today,
      Array.from({ length: 1_000 }, (_, at) => noted(`once ${start + at}`, { callers: ["a"] })),
    );
  const keys = await redis.keys(`hereabouts:{queries}:${today}:*`);
  expect(keys.length).toBeLessThanOrEqual(5_002);
  expect(await redis.zcard(`hereabouts:{queries}:${today}:all`)).toBe(5_000);
  expect(await read()).toEqual([{ query: "cafe", searches: 2, empty: 0 }]);
  const lives = await Promise.all(keys.slice(0, 50).map((key) => redis.ttl(key)));
  expect(Math.min(...lives)).toBeGreaterThan(7 * 86_400);
});

test("callers are kept as an estimate of their number only", async () => {
  await addQueries(redis, today, [noted("cafe", { callers: ["0123456789abcdef"] })]);
  const [key = ""] = await redis.keys(`hereabouts:{queries}:${today}:callers:*`);
  expect(await redis.get(key)).not.toContain("0123456789abcdef");
  expect((await redis.getBuffer(key))?.subarray(0, 4).toString()).toBe("HYLL");
});

test("the command prints them for people and for programs", async () => {
  await addQueries(redis, today, [noted("tram sac", { searches: 1_208, empty: 1_207 }), noted("cafe")]);
  const env = {
    MEILISEARCH_URL: inject("meilisearchUrl"),
    MEILISEARCH_KEY: inject("meilisearchKey"),
    REDIS_URL: inject("redisUrl"),
  };
  const shown = await runIndex(["queries", "--days", "1"], env);
  expect(shown).toMatchObject({ exitCode: 0, stderr: "" });
  expect(shown.stdout).toBe(
    "searches  nothing found  query\n   1,208          1,207  tram sac\n       1              0  cafe\n",
  );
  const { stdout } = await runIndex(["queries", "--empty", "--json"], env);
  expect(JSON.parse(stdout)).toEqual({
    days: 8,
    queries: [{ query: "tram sac", searches: 1_208, empty: 1_207 }],
  });
  expect(await runIndex(["queries", "--days", "9"], env)).toMatchObject({ exitCode: 2 });
  await forget();
  const { stdout: none } = await runIndex(["queries"], env);
  expect(none).toContain("QUERY_LOG is off");
});
