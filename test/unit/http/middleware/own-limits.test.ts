import * as fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { createLimiter } from "../../../../src/http/middleware/rate-limit.ts";
import type { Caller } from "../../../../src/keys/key-record.ts";
import { noTelemetry } from "../../../../src/telemetry/telemetry.ts";
import { toContext } from "../../../support/limited-context.ts";

const NOON = Temporal.Instant.from("2026-11-20T12:00:00Z");

const buildCaller = (perMinute: number, perDay: number, callerId = "caller"): Caller => ({
  callerId,
  limits: { perMinute, perDay },
  scopes: new Set(),
});

afterEach(() => vi.restoreAllMocks());

/** A limiter without Redis. Its day begins at noon; both clocks stand still until they are moved. */
function createTestLimiter() {
  const time = { ms: 0 };
  vi.restoreAllMocks();
  const startedAt = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => startedAt + time.ms);
  const limiter = createLimiter({
    telemetry: noTelemetry,
    now: () => NOON.add({ milliseconds: time.ms }),
  });
  const take = (caller: Caller, units = 1) => limiter.take(toContext(caller), units);
  const pass = async (caller: Caller): Promise<boolean> => !(await take(caller)).refusedBy;
  return { limiter, take, pass, time };
}

test("in no minute of a caller, and on no day, more requests pass than the limits say", async () => {
  const caller = buildCaller(3, 8);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(40_000), { maxLength: 60 }), async (pausesMs) => {
      const { pass, time } = createTestLimiter();
      const passedAt: number[] = [];
      for (const pauseMs of pausesMs) {
        time.ms += pauseMs;
        if (await pass(caller)) passedAt.push(time.ms);
      }
      expect(passedAt.length).toBeLessThanOrEqual(8);
      // A minute of the caller begins with the first request after the last one has ended.
      let [endsAt, inMinute] = [-1, 0];
      for (const at of passedAt) {
        [endsAt, inMinute] = at < endsAt ? [endsAt, inMinute + 1] : [at + 60_000, 1];
        expect(inMinute).toBeLessThanOrEqual(3);
      }
    }),
  );
});

test("the figures of a caller are those of his minute and of his day", async () => {
  const { limiter, pass } = createTestLimiter();
  const caller = buildCaller(2, 10);
  await pass(caller);
  expect(await limiter.peek(caller)).toStrictEqual({
    minute: { name: "minute", limit: 2, used: 1, remaining: 1, secondsToReset: 60 },
    day: { name: "day", limit: 10, used: 1, remaining: 9, secondsToReset: 43_200 },
    days: new Map(),
    isShared: true,
  });
});

test("a request that counts as several passes as a whole or not at all", async () => {
  const { limiter, take } = createTestLimiter();
  const caller = buildCaller(5, 10);
  expect((await take(caller, 3)).windows).toMatchObject([{ remaining: 2 }, { remaining: 7 }]);
  expect((await take(caller, 3)).refusedBy).toMatchObject({ name: "minute", remaining: 2 });
  expect((await take(caller, 2)).refusedBy).toBeUndefined();
  expect((await limiter.peek(caller)).day.used).toBe(5);
});

test("the usage figures may be read 60 times a minute, which counts for no other limit", async () => {
  const { limiter, time } = createTestLimiter();
  const caller = buildCaller(2, 2);
  const read = (): boolean => !limiter.takeUsageRequest(toContext(caller)).refusedBy;
  const passed = Array.from({ length: 61 }, read);
  expect(passed.filter(Boolean)).toHaveLength(60);
  expect((await limiter.peek(caller)).minute.used).toBe(0);
  time.ms += 60_001;
  expect(read()).toBe(true);
});

test("of more callers than fit, the one whose minute began first is forgotten", async () => {
  const { pass } = createTestLimiter();
  for (let i = 0; i <= 10_000; i += 1) await pass(buildCaller(1, 0, `caller-${i}`));
  expect(await pass(buildCaller(1, 0, "caller-10000"))).toBe(false);
  expect(await pass(buildCaller(1, 0, "caller-0"))).toBe(true);
});
