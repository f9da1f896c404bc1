import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createLocalLimits } from "../../../src/limits/local-limits.ts";
import type { Caller } from "../../../src/http/request-state.ts";

const NOON = Temporal.Instant.from("2026-11-20T12:00:00Z");

const buildCaller = (perMinute: number, perDay: number, callerId = "caller"): Caller => ({
  callerId,
  limits: { perMinute, perDay },
  scopes: new Set(),
});

function createTestLimits() {
  const time = { ms: 0 };
  const limits = createLocalLimits({
    clock: () => time.ms,
    now: () => NOON.add({ milliseconds: time.ms }),
  });
  const pass = (caller: Caller): boolean =>
    limits.take(caller, { isShared: false }).every(({ allowed }) => allowed);
  return { limits, pass, time };
}

test("in no minute of a caller, and on no day, more pass than the limits say", () => {
  const caller = buildCaller(3, 8);
  fc.assert(
    fc.property(fc.array(fc.nat(40_000), { maxLength: 60 }), (pausesMs) => {
      const { pass, time } = createTestLimits();
      const passedAt: number[] = [];
      for (const pauseMs of pausesMs) {
        time.ms += pauseMs;
        if (pass(caller)) passedAt.push(time.ms);
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

test("what the minute refuses does not count for the day", () => {
  const { limits, pass } = createTestLimits();
  const caller = buildCaller(2, 10);
  expect([pass(caller), pass(caller), pass(caller)]).toStrictEqual([true, true, false]);
  expect(limits.peek(caller).day.used).toBe(2);
});

test("a limit that changes holds for what was used already", () => {
  const { limits, pass } = createTestLimits();
  pass(buildCaller(2, 0));
  pass(buildCaller(2, 0));
  expect(limits.findUsedUp(buildCaller(2, 0))?.window.name).toBe("minute");
  expect(limits.findUsedUp(buildCaller(3, 0))).toBeUndefined();
  expect(pass(buildCaller(1, 0))).toBe(false);
});

test("only what Redis has not counted is owed to it, and it is passed on once", () => {
  const { limits } = createTestLimits();
  const caller = buildCaller(10, 100);
  limits.take(caller, { isShared: true });
  limits.take(caller, { isShared: false });
  limits.take(caller, { isShared: false });
  expect([limits.takeOwed(caller), limits.takeOwed(caller)]).toStrictEqual([2, 0]);
  limits.giveBackOwed(caller, 2);
  expect(limits.takeOwed(caller)).toBe(2);
});

test("of more callers than fit the one that was away longest is forgotten, and who comes again and again is not", () => {
  const { limits, pass } = createTestLimits();
  const regular = buildCaller(1, 0, "regular");
  let passes = 0;
  for (let i = 0; i < 25_000; i += 1) {
    pass(buildCaller(1, 0, `caller-${i}`));
    if (i % 1_000 === 0 && pass(regular)) passes += 1;
  }
  expect(passes).toBe(1);
  expect(limits.findUsedUp(buildCaller(1, 0, "caller-0"))).toBeUndefined();
  expect(limits.findUsedUp(buildCaller(1, 0, "caller-24999"))).toBeDefined();
});
