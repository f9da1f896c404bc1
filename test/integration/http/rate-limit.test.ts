import { inject, afterAll, beforeAll, expect, test } from "vitest";
import { createConfiguredKeys } from "../../../src/keys/callers.ts";
import {
  closeRedisConnection,
  createRedisConnection,
  waitForRedis,
  type RedisConnection,
} from "../../../src/redis/connection.ts";
import { fakePlaces } from "../../support/fake-places.ts";
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

test("a 429 comes before a 422", async () => {
  await using app = await startTestApp({ ...fakePlaces(), perMinute: 1 });
  await app.ask(SEARCH);
  const answer = await app.ask("/api/maps/search?lat=abc");
  expect(answer.body).toMatchObject({ status: 429, code: "rate_limit_minute" });
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
