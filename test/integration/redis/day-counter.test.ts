import { randomUUID } from "node:crypto";
import { inject, afterAll, beforeAll, expect, test } from "vitest";
import {
  closeRedisConnection,
  createRedisConnection,
  waitForRedis,
  type RedisConnection,
} from "../../../src/redis/connection.ts";
import { KEPT_DAYS, createDayCounter, type DayCounter } from "../../../src/redis/day-counter.ts";
import { dayCountsKey } from "../../../src/redis/keys.ts";
import { createLogBook } from "../../support/log-lines.ts";

const TODAY = "2026-11-20";
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

let redis: RedisConnection;
let counter: DayCounter;

beforeAll(async () => {
  redis = createRedisConnection({
    url: inject("redisUrl"),
    logger: createLogBook().logger,
    commandTimeoutMs: 5_000,
  });
  await waitForRedis(redis, 5_000);
  counter = createDayCounter(redis);
});

afterAll(() => closeRedisConnection(redis));

/** Each starts without a count. */
const createCallerId = (): string => `test-${randomUUID()}`;

test("a counter that holds something else rejects and is not taken for a number", async () => {
  const callerId = createCallerId();
  await redis.set(dayCountsKey(callerId), "no counts", "EX", 60);
  await expect(counter.take(callerId, TODAY, 10)).rejects.toThrow(/WRONGTYPE/);
});

test("each caller and each date has a count of its own", async () => {
  const [one, two] = [createCallerId(), createCallerId()];
  expect(await counter.take(one, TODAY, NO_LIMIT)).toStrictEqual({ allowed: true, used: 1 });
  expect(await counter.take(one, TODAY, NO_LIMIT)).toStrictEqual({ allowed: true, used: 2 });
  expect(await counter.take(two, TODAY, NO_LIMIT)).toStrictEqual({ allowed: true, used: 1 });
  expect(await counter.take(one, "2026-11-21", NO_LIMIT)).toStrictEqual({ allowed: true, used: 1 });
});

test("of requests at the same moment exactly as many pass as the limit says", async () => {
  const callerId = createCallerId();
  const taken = await Promise.all(Array.from({ length: 90 }, () => counter.take(callerId, TODAY, 40)));
  expect(taken.filter(({ allowed }) => allowed)).toHaveLength(40);
  expect(await counter.read(callerId, TODAY)).toStrictEqual(new Map([[TODAY, 40]]));
});

test("what is refused is not counted, so that a raised limit counts at once", async () => {
  const callerId = createCallerId();
  await counter.take(callerId, TODAY, 1);
  for (let i = 0; i < 5; i += 1) await counter.take(callerId, TODAY, 1);
  expect(await counter.take(callerId, TODAY, 2)).toStrictEqual({ allowed: true, used: 2 });
  expect(await counter.take(callerId, TODAY, 1)).toStrictEqual({ allowed: false, used: 2 });
});

test("requests that passed without asking are added", async () => {
  const callerId = createCallerId();
  await counter.take(callerId, TODAY, 10);
  await counter.add(callerId, TODAY, 9);
  expect(await counter.take(callerId, TODAY, 10)).toStrictEqual({ allowed: false, used: 10 });
});

test("the counts of a month are kept, oldest first, and not more", async () => {
  const callerId = createCallerId();
  const firstDay = Temporal.PlainDate.from("2026-10-01");
  const dates = Array.from({ length: 50 }, (_, days) => firstDay.add({ days }).toString());
  for (const date of dates) await counter.take(callerId, date, NO_LIMIT);
  const kept = dates.slice(-KEPT_DAYS);
  expect([...(await counter.read(callerId, kept.at(-1) ?? ""))]).toStrictEqual(kept.map((date) => [date, 1]));
  expect(await redis.hlen(dayCountsKey(callerId))).toBe(KEPT_DAYS);
});

test("the counts of a caller who does not come back go away by themselves", async () => {
  const callerId = createCallerId();
  await counter.take(callerId, TODAY, 1);
  const seconds = await redis.ttl(dayCountsKey(callerId));
  expect(seconds).toBeGreaterThan((KEPT_DAYS - 1) * 86_400);
  expect(seconds).toBeLessThanOrEqual(KEPT_DAYS * 86_400);
});

test("a month of a busy caller takes less than a kilobyte", async () => {
  const callerId = `${createCallerId().slice(0, 16)}`;
  const firstDay = Temporal.PlainDate.from("2026-10-01");
  const dates = Array.from({ length: KEPT_DAYS }, (_, days) => firstDay.add({ days }).toString());
  for (const date of dates) {
    await counter.take(callerId, date, NO_LIMIT);
    await counter.add(callerId, date, 99_998);
  }
  expect(await redis.memory("USAGE", dayCountsKey(callerId))).toBeLessThan(1_000);
  await redis.del(dayCountsKey(callerId));
});
