import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createLimiter } from "../../../src/limits/limiter.ts";
import type { Caller } from "../../../src/keys/key-record.ts";
import { noTelemetry } from "../../../src/telemetry/telemetry.ts";

const NOON = Temporal.Instant.from("2026-11-20T12:00:00Z");

const buildCaller = (perMinute: number, perDay: number, callerId = "caller"): Caller => ({
  callerId,
  limits: { perMinute, perDay },
  scopes: new Set(),
});

/** A limiter without Redis. */
function createTestLimiter() {
  const time = { ms: 0 };
  const limiter = createLimiter({
    telemetry: noTelemetry,
    clock: () => time.ms,
    now: () => NOON.add({ milliseconds: time.ms }),
  });
  const pass = async (caller: Caller): Promise<boolean> => !(await limiter.take(caller)).refusedBy;
  return { limiter, pass, time };
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

test("what the minute refuses does not count for the day", async () => {
  const { limiter, pass } = createTestLimiter();
  const caller = buildCaller(2, 10);
  expect([await pass(caller), await pass(caller), await pass(caller)]).toStrictEqual([true, true, false]);
  expect((await limiter.peek(caller)).day.used).toBe(2);
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

test("a changed limit applies to what was used already", async () => {
  const { limiter, pass } = createTestLimiter();
  await pass(buildCaller(2, 0));
  await pass(buildCaller(2, 0));
  expect((await limiter.take(buildCaller(2, 0))).refusedBy?.name).toBe("minute");
  expect(await pass(buildCaller(3, 0))).toBe(true);
  expect(await pass(buildCaller(1, 0))).toBe(false);
});

test("the usage figures may be read 60 times a minute, which counts for no other limit", async () => {
  const { limiter, time } = createTestLimiter();
  const caller = buildCaller(2, 2);
  const read = (): boolean => !limiter.takeUsageRequest(caller).refusedBy;
  expect(Array.from({ length: 61 }, read).filter(Boolean)).toHaveLength(60);
  expect((await limiter.peek(caller)).minute.used).toBe(0);
  time.ms += 60_000;
  expect(read()).toBe(true);
});

test("of more callers than fit, the one that was away longest is forgotten and a regular one is not", async () => {
  const { pass } = createTestLimiter();
  const regular = buildCaller(1, 0, "regular");
  let passes = 0;
  for (let i = 0; i < 25_000; i += 1) {
    await pass(buildCaller(1, 0, `caller-${i}`));
    if (i % 1_000 === 0 && (await pass(regular))) passes += 1;
  }
  expect(passes).toBe(1);
  expect(await pass(buildCaller(1, 0, "caller-24999"))).toBe(false);
  expect(await pass(buildCaller(1, 0, "caller-0"))).toBe(true);
});
