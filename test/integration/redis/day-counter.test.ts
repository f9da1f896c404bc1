import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeRedisConnection, createRedisConnection, waitForRedis } from "../../../src/redis/connection.ts";
import type { RedisConnection } from "../../../src/redis/connection.ts";
import { createDayCounter } from "../../../src/redis/day-counter.ts";
import { dayCountKey } from "../../../src/redis/keys.ts";
import { createLogBook } from "../../support/log-lines.ts";

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

test("a counter that holds something else rejects and is not taken for a number", async () => {
  const callerId = randomUUID();
  await redis.set(dayCountKey(callerId, "2026-11-20"), "not a number", "EX", 60);
  await expect(createDayCounter(redis)(callerId, "2026-11-20")).rejects.toThrow(/integer/);
});

test("each caller and each date has a counter of its own", async () => {
  const count = createDayCounter(redis);
  const [one, two] = [randomUUID(), randomUUID()];
  expect(await count(one, "2026-11-20")).toBe(1);
  expect(await count(one, "2026-11-20")).toBe(2);
  expect(await count(two, "2026-11-20")).toBe(1);
  expect(await count(one, "2026-11-21")).toBe(1);
});

test("of counts at the same moment none is lost", async () => {
  const count = createDayCounter(redis);
  const callerId = randomUUID();
  const counts = await Promise.all(Array.from({ length: 40 }, () => count(callerId, "2026-11-20")));
  expect(new Set(counts).size).toBe(40);
  expect(Math.max(...counts)).toBe(40);
});

test("a counter outlives its day and no more than one day", async () => {
  const callerId = randomUUID();
  await createDayCounter(redis)(callerId, "2026-11-20");
  expect(await redis.ttl(dayCountKey(callerId, "2026-11-20"))).toBeGreaterThan(86_400);
  expect(await redis.ttl(dayCountKey(callerId, "2026-11-20"))).toBeLessThanOrEqual(172_800);
});
