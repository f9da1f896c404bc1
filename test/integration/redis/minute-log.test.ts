import { randomUUID } from "node:crypto";
import { inject, afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createSharedMinute, type SharedMinute } from "../../../src/limits/minute-limit.ts";
import type { Caller } from "../../../src/http/request-state.ts";
import {
  closeRedisConnection,
  createRedisConnection,
  waitForRedis,
  type RedisConnection,
} from "../../../src/redis/connection.ts";
import { minuteLogScripts } from "../../../src/redis/minute-log.ts";
import { createLogBook } from "../../support/log-lines.ts";

let redis: RedisConnection;
let minute: SharedMinute;

beforeAll(async () => {
  redis = createRedisConnection({
    url: inject("redisUrl"),
    logger: createLogBook().logger,
    commandTimeoutMs: 5_000,
  });
  await waitForRedis(redis, 5_000);
  minute = createSharedMinute(redis);
});

afterAll(() => closeRedisConnection(redis));

const buildCaller = (perMinute: number, callerId = `test-${randomUUID()}`): Caller => ({
  callerId,
  limits: { perMinute, perDay: 0 },
  scopes: new Set(),
});

async function countPasses(caller: Caller, times: number): Promise<number> {
  const verdicts = await Promise.all(Array.from({ length: times }, () => minute.take(caller)));
  return verdicts.filter(({ allowed }) => allowed).length;
}

describe("the script", () => {
  const key = `hereabouts:minute:test-${randomUUID()}`;
  const { lua, numberOfKeys } = minuteLogScripts.ratelimiter;
  afterEach(() => redis.del(key));

  test("counts requests that come in one breath apart", async () => {
    const breath = redis.multi();
    for (let i = 0; i < 50; i += 1) breath.eval(lua, numberOfKeys, key, 0, 60_000, 40, "0");
    const left = ((await breath.exec()) ?? []).map(([, reply]) => (reply as [number])[0]);
    expect(left.slice(0, 41)).toStrictEqual(Array.from({ length: 41 }, (_, i) => 40 - i));
    expect(left.slice(41)).toStrictEqual(Array.from({ length: 9 }, () => 0));
    expect(await redis.zcard(key)).toBe(40);
  });

  test("does not mind what time it is for the process that asks", async () => {
    const take = (now: number) =>
      redis.eval(lua, numberOfKeys, key, now, 60_000, 3, "0") as Promise<[number]>;
    const now = Date.now();
    const clocks = [now, now + 3_600_000, now - 3_600_000, now + 61_000];
    const left: number[] = [];
    for (const clock of clocks) left.push((await take(clock))[0]);
    expect(left).toStrictEqual([3, 2, 1, 0]);
  });
});

test("callers of different limits do not share them", async () => {
  expect(await countPasses(buildCaller(3), 5)).toBe(3);
  expect(await countPasses(buildCaller(7), 9)).toBe(7);
});

test("a limit that is raised allows the difference, and no more", async () => {
  const { callerId } = buildCaller(0);
  expect(await countPasses(buildCaller(4, callerId), 6)).toBe(4);
  expect(await countPasses(buildCaller(10, callerId), 20)).toBe(6);
});

test("a limit that is lowered below what was used refuses, and counts nothing", async () => {
  const { callerId } = buildCaller(0);
  expect(await countPasses(buildCaller(10, callerId), 8)).toBe(8);
  expect(await countPasses(buildCaller(5, callerId), 3)).toBe(0);
  expect(await minute.peek(buildCaller(10, callerId))).toMatchObject({ limit: 10, used: 8, remaining: 2 });
});

test("a look at the window counts nothing", async () => {
  const caller = buildCaller(2);
  for (let i = 0; i < 5; i += 1) expect(await minute.peek(caller)).toMatchObject({ used: 0, remaining: 2 });
  expect(await countPasses(caller, 3)).toBe(2);
});

test("more different limits than are remembered work all the same", async () => {
  const caller = buildCaller(1);
  expect(await countPasses(caller, 2)).toBe(1);
  for (let limit = 1; limit <= 150; limit += 1) await minute.take(buildCaller(limit));
  expect(await countPasses(caller, 2)).toBe(0);
});
