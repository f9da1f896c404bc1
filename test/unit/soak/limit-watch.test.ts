import { expect, test } from "vitest";
import { createFaultLog } from "../../../soak/faults/fault-log.ts";
import type { Caller } from "../../../soak/traffic/callers.ts";
import { createLimitWatch } from "../../../soak/traffic/limit-watch.ts";

const CALLER: Caller = { name: "greedy-0", key: "k", perMinute: 10, role: "greedy" };

/** Requests that were let through, `apart` milliseconds one after the other, from now on. The last one's verdict. */
function letThrough(
  limits: ReturnType<typeof createLimitWatch>,
  count: number,
  apart: number,
): string | undefined {
  const now = performance.now();
  let verdict: string | undefined;
  for (let number = 0; number < count; number += 1) {
    const from = now + number * apart;
    verdict = limits.noteAccepted(CALLER, { from, to: from + 5 });
  }
  return verdict;
}

test("as many as the limit allows are right", () => {
  expect(letThrough(createLimitWatch(createFaultLog(), 2), 10, 100)).toBeUndefined();
});

test("one more within a minute is not", () => {
  expect(letThrough(createLimitWatch(createFaultLog(), 2), 11, 100)).toContain("11 requests");
});

test("one more is right when the minute is over", () => {
  expect(letThrough(createLimitWatch(createFaultLog(), 2), 30, 6_100)).toBeUndefined();
});

test("while Redis is gone each of the two servers may let as many through, and no more", () => {
  const faults = createFaultLog();
  faults.begin({ name: "redis-killed", kind: "redis", server: undefined });
  expect(letThrough(createLimitWatch(faults, 2), 30, 100)).toBeUndefined();
  expect(letThrough(createLimitWatch(faults, 2), 31, 100)).toContain("31 requests");
});

test("another fault allows nothing", () => {
  const faults = createFaultLog();
  faults.begin({ name: "engine-killed", kind: "engine", server: undefined });
  expect(letThrough(createLimitWatch(faults, 2), 11, 100)).toContain("11 requests");
});

test("a caller may be refused only when he has asked as often as he may", () => {
  const limits = createLimitWatch(createFaultLog(), 2);
  for (let number = 0; number < 9; number += 1) limits.noteAttempt(CALLER);
  expect(limits.mayBeRefused(CALLER)).toBe(false);
  expect(limits.leftTo(CALLER)).toBe(1);
  limits.noteAttempt(CALLER);
  expect(limits.mayBeRefused(CALLER)).toBe(true);
});
