import { randomUUID } from "node:crypto";
import { inject, afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Caller } from "../../../src/keys/key-record.ts";
import { createLimiter, type Limiter } from "../../../src/http/middleware/rate-limit.ts";
import { KEPT_DAYS } from "../../../src/limits/day-counts.ts";
import type { LimitDecision, Usage } from "../../../src/limits/windows.ts";
import {
  closeRedisConnection,
  createRedisConnection,
  waitForRedis,
  type SingleRedis,
} from "../../../src/redis/connection.ts";
import { dayCountsKey, minuteLogKey } from "../../../src/redis/keys.ts";
import type { AskRedis } from "../../../src/redis/redis-guard.ts";
import { noTelemetry } from "../../../src/telemetry/telemetry.ts";
import { toContext } from "../../support/limited-context.ts";
import { createLogBook } from "../../support/log-lines.ts";

const NOON = Temporal.Instant.from("2026-11-20T12:00:00Z");
const DATE = "2026-11-20";

let redis: SingleRedis;
const time = { now: NOON, isRedisGone: false };
let limits: Limiter;
/** Those of a second process. */
let otherLimits: Limiter;

beforeAll(async () => {
  redis = createRedisConnection({
    url: inject("redisUrl"),
    logger: createLogBook().logger,
    commandTimeoutMs: 5_000,
  }) as SingleRedis;
  await waitForRedis(redis, 5_000);
  const askRedis: AskRedis = async (_operation, ask) => (time.isRedisGone ? undefined : ask());
  const open = () =>
    createLimiter({ shared: { redis, askRedis }, telemetry: noTelemetry, now: () => time.now });
  [limits, otherLimits] = [open(), open()];
});

afterEach(() => {
  time.now = NOON;
  time.isRedisGone = false;
});

afterAll(() => closeRedisConnection(redis));

/** A caller with no counts yet. Its limits are high unless the test says otherwise. */
const buildCaller = ({
  perMinute = 1_000_000,
  perDay = 0,
  callerId = `test-${randomUUID()}`,
} = {}): Caller => ({
  callerId,
  limits: { perMinute, perDay },
  scopes: new Set(),
});

const take = (caller: Caller, units = 1): Promise<LimitDecision> => limits.take(toContext(caller), units);
const peek = (caller: Caller): Promise<Usage> => limits.peek(caller);

async function countPasses(caller: Caller, times: number): Promise<number> {
  const decisions = await Promise.all(Array.from({ length: times }, () => take(caller)));
  return decisions.filter(({ refusedBy }) => !refusedBy).length;
}

const readDay = async (caller: Caller): Promise<number> => (await peek(caller)).day.used;

describe("the minute", () => {
  test("counts requests that arrive at the same moment as separate ones", async () => {
    const caller = buildCaller({ perMinute: 40 });
    const name = minuteLogKey(caller.callerId);
    const transaction = redis.multi() as unknown as { exec: () => Promise<[Error | null, [number]][]> } & {
      ratelimiter: (name: string, ...args: readonly (string | number)[]) => void;
    };
    for (let i = 0; i < 50; i += 1) transaction.ratelimiter(name, 1, 60_000, 40, "0");
    const left = (await transaction.exec()).map(([, [remaining]]) => remaining);
    expect(left.slice(0, 41)).toStrictEqual(Array.from({ length: 41 }, (_, i) => 40 - i));
    expect(left.slice(41)).toStrictEqual(Array.from({ length: 9 }, () => 0));
    expect(await redis.zcard(name)).toBe(40);
  });

  test("counts the requests of all processes", async () => {
    const caller = buildCaller({ perMinute: 30 });
    const takers = Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? limits : otherLimits));
    const decisions = await Promise.all(takers.map((one) => one.take(toContext(caller))));
    expect(decisions.filter(({ refusedBy }) => !refusedBy)).toHaveLength(30);
  });

  test("refuses several units together, with the seconds until all of them may pass", async () => {
    const caller = buildCaller({ perMinute: 5, perDay: 100 });
    expect((await take(caller, 3)).windows).toMatchObject([{ remaining: 2 }, { remaining: 97 }]);
    const { refusedBy } = await take(caller, 3);
    expect(refusedBy).toMatchObject({ name: "minute", used: 3, remaining: 2 });
    expect((await peek(caller)).minute).toMatchObject({ used: 3, remaining: 2 });
    expect(await readDay(caller)).toBe(3);
    expect((await take(caller, 2)).refusedBy).toBeUndefined();
  });

  test("says when all units of a request may pass, not when the first may", async () => {
    const caller = buildCaller({ perMinute: 5 });
    const [seconds] = await redis.time();
    for (const ago of [50, 40, 5]) {
      const moment = (Number(seconds) - ago) * 1_000;
      await redis.zadd(minuteLogKey(caller.callerId), moment, `${moment}`);
    }
    const secondsUntil = async (units: number) => (await take(caller, units)).refusedBy?.secondsToReset;
    expect([10, 11]).toContain(await secondsUntil(3));
    expect([20, 21]).toContain(await secondsUntil(4));
    expect([55, 56]).toContain(await secondsUntil(6));
    expect(await secondsUntil(2)).toBeUndefined();
  });

  test("does not depend on the clock of the process", async () => {
    const callerId = buildCaller().callerId;
    const takeAt = async (offsetMs: number): Promise<boolean> => {
      using _clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() + offsetMs);
      return (await take(buildCaller({ callerId, perMinute: 3 }))).refusedBy === undefined;
    };
    const passed = [];
    for (const offsetMs of [0, 3_600_000, -3_600_000, 61_000]) passed.push(await takeAt(offsetMs));
    expect(passed).toStrictEqual([true, true, true, false]);
  });

  test("has a limit for each caller", async () => {
    expect(await countPasses(buildCaller({ perMinute: 3 }), 5)).toBe(3);
    expect(await countPasses(buildCaller({ perMinute: 7 }), 9)).toBe(7);
  });

  test("allows exactly the difference when the limit is raised", async () => {
    const { callerId } = buildCaller();
    expect(await countPasses(buildCaller({ callerId, perMinute: 4 }), 6)).toBe(4);
    expect(await countPasses(buildCaller({ callerId, perMinute: 10 }), 20)).toBe(6);
  });

  test("refuses without counting when the limit is lowered below the count", async () => {
    const { callerId } = buildCaller();
    expect(await countPasses(buildCaller({ callerId, perMinute: 10 }), 8)).toBe(8);
    expect(await countPasses(buildCaller({ callerId, perMinute: 5 }), 3)).toBe(0);
    const { minute } = await peek(buildCaller({ callerId, perMinute: 10 }));
    expect(minute).toMatchObject({ limit: 10, used: 8, remaining: 2 });
  });

  test("is not changed by looking at it", async () => {
    const caller = buildCaller({ perMinute: 2 });
    for (let i = 0; i < 5; i += 1) {
      expect((await peek(caller)).minute).toMatchObject({ used: 0, remaining: 2 });
    }
    expect(await countPasses(caller, 3)).toBe(2);
  });

  test("resets within the next 60 seconds", async () => {
    const { windows } = await take(buildCaller({ perMinute: 2 }));
    expect(windows[0]?.secondsToReset).toBeGreaterThan(50);
    expect(windows[0]?.secondsToReset).toBeLessThanOrEqual(60);
  });

  test("is checked first: what it refuses does not count for the day", async () => {
    const caller = buildCaller({ perMinute: 2, perDay: 10 });
    await countPasses(caller, 5);
    expect(await readDay(caller)).toBe(2);
    const refused = await take(caller);
    expect(refused.refusedBy?.name).toBe("minute");
    expect(refused.windows[1]).toMatchObject({ name: "day", used: 2, remaining: 8 });
  });
});

describe("the day", () => {
  test("a value of another type is an error", async () => {
    const caller = buildCaller();
    await redis.set(dayCountsKey(caller.callerId), "no counts", "EX", 60);
    await expect(take(caller)).rejects.toThrow(/WRONGTYPE/);
  });

  test("is counted per caller and date", async () => {
    const [one, two] = [buildCaller({ perDay: 9 }), buildCaller({ perDay: 9 })];
    const takeDay = async (caller: Caller) => (await take(caller)).windows[1]?.used;
    expect([await takeDay(one), await takeDay(one), await takeDay(two)]).toStrictEqual([1, 2, 1]);
    time.now = Temporal.Instant.from("2026-11-21T00:00:00Z");
    expect(await takeDay(one)).toBe(1);
  });

  test("allows exactly the limit of many simultaneous requests", async () => {
    const caller = buildCaller({ perDay: 40 });
    expect(await countPasses(caller, 90)).toBe(40);
    expect((await peek(caller)).days).toStrictEqual(new Map([[DATE, 40]]));
  });

  test("does not count what it refuses, so that a raised limit takes effect at once", async () => {
    const { callerId } = buildCaller();
    await countPasses(buildCaller({ callerId, perDay: 1 }), 6);
    expect(await countPasses(buildCaller({ callerId, perDay: 2 }), 1)).toBe(1);
    const { refusedBy } = await take(buildCaller({ callerId, perDay: 1 }));
    expect(refusedBy).toMatchObject({ name: "day", used: 1, remaining: 0, secondsToReset: 43_200 });
    expect(await readDay(buildCaller({ callerId, perDay: 9 }))).toBe(2);
  });

  test("is also counted without a limit", async () => {
    const caller = buildCaller({ perDay: 0 });
    expect(await countPasses(caller, 3)).toBe(3);
    expect((await peek(caller)).day).toMatchObject({ limit: Infinity, used: 3 });
  });

  test("includes requests from an outage of Redis, once", async () => {
    const caller = buildCaller({ perDay: 10 });
    await take(caller);
    time.isRedisGone = true;
    for (let i = 0; i < 6; i += 1) expect((await take(caller)).refusedBy).toBeUndefined();
    time.isRedisGone = false;
    await take(caller);
    await vi.waitFor(async () => expect(await readDay(caller)).toBe(8));
    expect(await countPasses(caller, 5)).toBe(2);
  });

  test("does not include requests from an outage on the day before", async () => {
    const caller = buildCaller({ perDay: 10 });
    time.isRedisGone = true;
    await take(caller);
    time.isRedisGone = false;
    time.now = NOON.add({ hours: 24 });
    await take(caller);
    await take(caller);
    expect(await readDay(caller)).toBe(2);
  });

  test("keeps a month, oldest first", async () => {
    const caller = buildCaller();
    const firstDay = NOON.subtract({ hours: 24 * 49 });
    for (let day = 0; day < 50; day += 1) {
      time.now = firstDay.add({ hours: 24 * day });
      await take(caller);
    }
    const { days } = await peek(caller);
    const kept = Array.from({ length: KEPT_DAYS }, (_, day) =>
      NOON.subtract({ hours: 24 * (KEPT_DAYS - 1 - day) })
        .toString()
        .slice(0, 10),
    );
    expect([...days]).toStrictEqual(kept.map((date) => [date, 1]));
    expect(await redis.hlen(dayCountsKey(caller.callerId))).toBe(KEPT_DAYS);
  });

  test("expires when the caller does not return", async () => {
    const caller = buildCaller();
    await take(caller);
    const seconds = await redis.ttl(dayCountsKey(caller.callerId));
    expect(seconds).toBeGreaterThan((KEPT_DAYS - 1) * 86_400);
    expect(seconds).toBeLessThanOrEqual(KEPT_DAYS * 86_400);
  });

  test("takes less than a kilobyte for a month of a busy caller", async () => {
    const caller = buildCaller({ callerId: `test-${randomUUID()}`.slice(0, 16) });
    const key = dayCountsKey(caller.callerId);
    for (let day = KEPT_DAYS - 1; day >= 0; day -= 1) {
      time.now = NOON.subtract({ hours: 24 * day });
      await take(caller);
      await redis.hincrby(key, time.now.toString().slice(0, 10), 99_998);
    }
    expect(await redis.memory("USAGE", key)).toBeLessThan(1_000);
    await redis.del(key, minuteLogKey(caller.callerId));
  });
});

test("an outage gives no caller a second minute, nor does its end", async () => {
  const caller = buildCaller({ perMinute: 6 });
  expect(await countPasses(caller, 3)).toBe(3);
  time.isRedisGone = true;
  expect(await countPasses(caller, 2)).toBe(2);
  time.isRedisGone = false;
  expect(await countPasses(caller, 4)).toBe(1);
});

test("minute and day take one round trip", async () => {
  const caller = buildCaller();
  await take(caller);
  const written = vi.spyOn(redis.stream, "write");
  await take(caller);
  expect(written.mock.calls).toHaveLength(1);
  written.mockRestore();
});
