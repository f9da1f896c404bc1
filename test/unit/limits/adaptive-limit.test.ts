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

test("a few callers whose requests are slow are not turned away for it", () => {
  const { allowed } = run(4, 60, { callers: 3 });
  expect(allowed).toBe(64);
});

test("it never lets in fewer than eight, so that it can find out that all is well again", () => {
  expect(run(2, 120).allowed).toBe(8);
});
