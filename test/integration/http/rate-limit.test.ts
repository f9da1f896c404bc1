import { inject, afterAll, beforeAll, expect, test } from "vitest";
import { createConfiguredKeys } from "../../../src/keys/callers.ts";
import {
  closeRedisConnection,
  createRedisConnection,
  waitForRedis,
  type RedisConnection,
} from "../../../src/redis/connection.ts";
import { engineGone, fakePlaces } from "../../support/fake-places.ts";
import { createLogBook } from "../../support/log-lines.ts";
import { startTestApp } from "../../support/test-app.ts";

const SEARCH = "/api/maps/search?q=pho";

let redis: RedisConnection;

beforeAll(async () => {
  redis = createRedisConnection({
    url: inject("redisUrl"),
    logger: createLogBook().logger,
    commandTimeoutMs: 5_000,
  });
  await waitForRedis(redis, 5_000);
});

afterAll(() => closeRedisConnection(redis));

test("of many simultaneous requests, exactly as many pass as the limit allows", async () => {
  await using app = await startTestApp({ ...fakePlaces(), perMinute: 20 });
  const answers = await Promise.all(Array.from({ length: 50 }, () => app.ask(SEARCH)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
});

test("the limit counts all kinds of responses, and each has the limit headers", async () => {
  await using app = await startTestApp({ ...fakePlaces(), perMinute: 4 });
  const targets = [
    SEARCH,
    "/api/maps/search",
    "/api/maps/place?data_id=0x1:0x2",
    "/api/maps/autocomplete?q=a",
    SEARCH,
  ];
  const seen = [];
  for (const target of targets) {
    const { status, headers } = await app.ask(target);
    seen.push([status, headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")]);
  }
  expect(seen).toStrictEqual([
    [200, "4", "3"],
    [422, "4", "2"],
    [404, "4", "1"],
    [200, "4", "0"],
    [429, "4", "0"],
  ]);
});

test("an error response also has the limit headers", async () => {
  await using app = await startTestApp({
    ...fakePlaces({ error: engineGone() }),
    perMinute: 4,
    perDay: 9,
  });
  const answer = await app.ask(SEARCH);
  expect(answer.status).toBe(500);
  expect(answer.headers.get("x-ratelimit-remaining")).toBe("3");
  expect(answer.headers.get("ratelimit")).toMatch(/^"minute";r=3;t=\d+, "day";r=8;t=\d+$/);
});

test("a 429 comes before a 422", async () => {
  await using app = await startTestApp({ ...fakePlaces(), perMinute: 1 });
  await app.ask(SEARCH);
  const answer = await app.ask("/api/maps/search?lat=abc");
  expect(answer.body).toMatchObject({ status: 429, code: "rate_limit_minute" });
});

test("a 429 says when to retry, in seconds and as a time", async () => {
  const now = Temporal.Instant.from("2026-11-20T22:00:00Z");
  await using app = await startTestApp({ ...fakePlaces(), redisUrl: "none", perMinute: 1, now: () => now });
  await app.ask(SEARCH);
  const { headers } = await app.ask(SEARCH);
  expect(headers.get("retry-after")).toBe("60");
  expect(headers.get("x-ratelimit-reset")).toBe(String(now.epochMilliseconds / 1_000 + 60));
  expect(headers.get("ratelimit")).toBe('"minute";r=0;t=60');
});

test("Redis counts the day, which restarts at midnight UTC", async () => {
  const clock = { now: Temporal.Instant.from("2026-11-20T22:00:00Z") };
  await using app = await startTestApp({ ...fakePlaces(), perDay: 2, now: () => clock.now });
  await app.ask(SEARCH);
  await app.ask(SEARCH);
  const refused = await app.ask(SEARCH);
  expect(refused.body).toMatchObject({ status: 429, code: "rate_limit_day" });
  expect(refused.headers.get("retry-after")).toBe("7200");
  expect(refused.headers.get("x-ratelimit-limit")).toBe("2");
  clock.now = Temporal.Instant.from("2026-11-21T00:00:00Z");
  expect((await app.ask(SEARCH)).status).toBe(200);
});

test("data in Redis contains no key and expires", async () => {
  await using app = await startTestApp({ ...fakePlaces(), perDay: 10 });
  await app.ask(SEARCH);
  const { callerId = "" } = createConfiguredKeys([app.key], { perMinute: 1, perDay: 0 })(app.key) ?? {};
  const names = await redis.keys(`*${callerId}*`);
  expect(names.toSorted()).toStrictEqual([`hereabouts:days:${callerId}`, `hereabouts:minute:${callerId}`]);
  for (const name of names) expect(await redis.ttl(name)).toBeGreaterThan(0);
  expect(await redis.keys(`*${app.key}*`)).toStrictEqual([]);
});

test("health checks have no limit", async () => {
  await using app = await startTestApp({ ...fakePlaces(), perMinute: 1 });
  for (let i = 0; i < 5; i += 1) {
    const answer = await app.ask("/healthz");
    expect(answer.status).toBe(200);
    expect(answer.headers.has("x-ratelimit-limit")).toBe(false);
  }
});
