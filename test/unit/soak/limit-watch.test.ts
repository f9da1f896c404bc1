import { expect, test } from "vitest";
import { createFaultLog } from "../../soak/faults/fault-log.ts";
import type { Caller } from "../../soak/traffic/callers.ts";
import { createLimitWatch } from "../../soak/traffic/limit-watch.ts";

const CALLER: Caller = { name: "greedy-0", key: "k", perMinute: 10, role: "greedy" };

/** Requests that were let through, `apart` milliseconds one after the other, from now on. The last one's verdict. */
async function letThrough(
  limits: ReturnType<typeof createLimitWatch>,
  count: number,
  apart: number,
): Promise<string | undefined> {
  const now = performance.now();
  let verdict: Promise<string | undefined> | undefined;
  for (let number = 0; number < count; number += 1) {
    const from = now + number * apart;
    verdict = limits.noteAccepted(CALLER, { from, to: from + 5 });
  }
  return verdict;
}

test("as many as the limit allows are right", async () => {
  expect(await letThrough(createLimitWatch(createFaultLog(), 2), 10, 100)).toBeUndefined();
});

test("one more within a minute is not", async () => {
  expect(await letThrough(createLimitWatch(createFaultLog(), 2), 11, 100)).toContain("11 requests");
});

test("one more is right when the minute is over", async () => {
  expect(await letThrough(createLimitWatch(createFaultLog(), 2), 30, 6_100)).toBeUndefined();
});

test("while Redis is gone each of the two servers may let as many through in both of its minutes that 60 seconds touch, and no more", async () => {
  const faults = createFaultLog();
  faults.begin({ name: "redis-killed", kind: "redis", server: undefined });
  expect(await letThrough(createLimitWatch(faults, 2), 40, 100)).toBeUndefined();
  expect(await letThrough(createLimitWatch(faults, 2), 41, 100)).toContain("41 requests");
});

test("a server whose log tells a moment later that it was alone may have let one more through", async () => {
  const limits = createLimitWatch(createFaultLog(), 2);
  const verdict = letThrough(limits, 11, 100);
  limits.noteHeldLocally();
  expect(await verdict).toBeUndefined();
  expect(limits.highest.withRedis).toBe(1);
});

test("another fault allows nothing", async () => {
  const faults = createFaultLog();
  faults.begin({ name: "engine-killed", kind: "engine", server: undefined });
  expect(await letThrough(createLimitWatch(faults, 2), 11, 100)).toContain("11 requests");
});

test("a caller may be refused only when he has asked as often as he may", () => {
  const limits = createLimitWatch(createFaultLog(), 2);
  for (let number = 0; number < 9; number += 1) limits.noteAttempt(CALLER);
  expect(limits.mayBeRefused(CALLER)).toBe(false);
  expect(limits.leftTo(CALLER)).toBe(1);
  limits.noteAttempt(CALLER);
  expect(limits.mayBeRefused(CALLER)).toBe(true);
});
