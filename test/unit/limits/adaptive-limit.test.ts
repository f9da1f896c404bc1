import { describe, expect, test } from "vitest";
import { createAdaptiveLimit } from "../../../src/limits/load.ts";

/** A service that ends `perSecond` requests, each after those before it, with callers who fill whatever is allowed. */
function run(perSecond: number, seconds: number, { callers = 1_000, limit = setUp() } = {}) {
  const { state, adaptive } = limit;
  const durations: number[] = [];
  const begun: number[] = [];
  for (let ended = 0; ended < perSecond * seconds; ended += 1) {
    while (begun.length < Math.min(callers, adaptive.allowed())) {
      begun.push(state.nowMs);
      adaptive.begin(begun.length);
    }
    state.nowMs += 1_000 / perSecond;
    const duration = state.nowMs - (begun.shift() ?? state.nowMs);
    durations.push(duration);
    adaptive.end(duration);
  }
  return { limit, allowed: adaptive.allowed(), slowestMs: Math.max(...durations.slice(-perSecond)) };
}

function setUp() {
  const state = { nowMs: 0 };
  return { state, adaptive: createAdaptiveLimit(() => state.nowMs) };
}

/** What ends within 250 ms is a quarter of what ends in a second; the limit swings below it, as deep as half. */
describe("as many are let in as end in good time", () => {
  test.each([
    { perSecond: 50, least: 8, most: 16 },
    { perSecond: 100, least: 15, most: 35 },
    { perSecond: 400, least: 50, most: 128 },
    { perSecond: 20_000, least: 128, most: 128 },
  ])("where $perSecond are ended in a second", ({ perSecond, least, most }) => {
    const { allowed, slowestMs } = run(perSecond, 30);
    expect(allowed).toBeGreaterThanOrEqual(least);
    expect(allowed).toBeLessThanOrEqual(most);
    expect(slowestMs).toBeLessThan(400);
  });

  test("when the machine becomes slow, and when it is fast again", () => {
    const { limit } = run(400, 10);
    const slow = run(40, 10, { limit });
    expect(slow.allowed).toBeLessThan(20);
    expect(run(400, 10, { limit }).allowed).toBeGreaterThanOrEqual(50);
  });
});

describe("one window of a quarter of a second", () => {
  /** How many are allowed after a window with this many in the works at once, of which so many of a hundred were slow. */
  const allowedAfter = (inFlight: number, slow: number, slowMs = 251): number => {
    const { state, adaptive } = setUp();
    adaptive.begin(inFlight);
    for (let ended = 1; ended <= 100; ended += 1) {
      if (ended === 100) state.nowMs += 250;
      adaptive.end(ended <= slow ? slowMs : 10);
    }
    return adaptive.allowed();
  };

  test("raises the limit when it was reached and a tenth at most were slow", () => {
    expect(allowedAfter(64, 0)).toBe(71);
    expect(allowedAfter(64, 10)).toBe(71);
    expect(allowedAfter(64, 100, 250)).toBe(71);
    expect(allowedAfter(63, 10)).toBe(64);
  });

  test("cuts it when more were slow, and at least half of it was in the works", () => {
    expect(allowedAfter(64, 11)).toBe(51);
    expect(allowedAfter(32, 11)).toBe(51);
    expect(allowedAfter(31, 100)).toBe(64);
  });

  test("counts for itself", () => {
    const { state, adaptive } = setUp();
    for (const [inFlight, durationMs] of [
      [64, 300],
      [8, 300],
    ] as const) {
      adaptive.begin(inFlight);
      state.nowMs += 250;
      adaptive.end(durationMs);
    }
    expect(adaptive.allowed()).toBe(51);
  });
});

test("a few callers whose requests are slow are not turned away for it", () => {
  const { allowed } = run(4, 60, { callers: 3 });
  expect(allowed).toBe(64);
});

test("it never lets in fewer than eight, so that it can find out that all is well again", () => {
  expect(run(2, 120).allowed).toBe(8);
});
