import * as fc from "fast-check";
import { expect, test } from "vitest";
import { toDraftHeaders } from "../../../src/http/middleware/rate-limit.ts";
import {
  countSecondsToReset,
  pickTighterWindow,
  endOfUtcDay,
  utcDateOf,
  type LimitWindow,
} from "../../../src/limits/windows.ts";

const minute: LimitWindow = {
  name: "minute",
  limit: 600,
  used: 1,
  remaining: 599,
  secondsToReset: 60,
};
const day: LimitWindow = {
  name: "day",
  limit: 100_000,
  used: 99_958,
  remaining: 42,
  secondsToReset: 3_600,
};

test.each([
  { title: "a reset in the past still asks for a second", resetMs: 5_000, nowMs: 9_000, expected: 1 },
  { title: "a reset right now asks for a second", resetMs: 9_000, nowMs: 9_000, expected: 1 },
  { title: "a part of a second counts as a whole one", resetMs: 10_001, nowMs: 9_000, expected: 2 },
  {
    title: "a clock that went back asks for no more than the window",
    resetMs: 999_000,
    nowMs: 0,
    expected: 60,
  },
])("$title", ({ resetMs, nowMs, expected }) => {
  expect(countSecondsToReset(resetMs, nowMs, 60)).toBe(expected);
});

test("waiting the seconds to the reset is never too short", () => {
  fc.assert(
    fc.property(fc.nat(2 ** 31 - 1), fc.nat(60_000), (nowMs, untilResetMs) => {
      const seconds = countSecondsToReset(nowMs + untilResetMs, nowMs, 60);
      expect(seconds * 1000).toBeGreaterThanOrEqual(untilResetMs);
      expect(seconds).toBeGreaterThanOrEqual(1);
    }),
  );
});

test("the window with less left is the tighter one", () => {
  expect(pickTighterWindow([minute, day])).toBe(day);
  expect(pickTighterWindow([minute, { ...day, remaining: 600 }])).toBe(minute);
});

test("of two windows with nothing left, the one that resets later is the tighter one", () => {
  const exhausted = { ...day, remaining: 0 };
  expect(pickTighterWindow([{ ...minute, remaining: 0 }, exhausted])).toBe(exhausted);
});

test("the headers of the draft list both windows and both limits", () => {
  expect(toDraftHeaders([minute, day], { minute: 600, day: 100_000 })).toStrictEqual({
    RateLimit: '"minute";r=599;t=60, "day";r=42;t=3600',
    "RateLimit-Policy": '"minute";q=600;w=60, "day";q=100000;w=86400',
  });
});

test("a window without a limit is not in the headers", () => {
  const unlimited = { ...day, limit: Infinity, remaining: Infinity };
  expect(toDraftHeaders([minute, unlimited], { minute: 600, day: Infinity })).toStrictEqual({
    RateLimit: '"minute";r=599;t=60',
    "RateLimit-Policy": '"minute";q=600;w=60',
  });
});

test("of two windows without a limit, the one with the higher count is the tighter one", () => {
  const unlimited = { ...day, limit: Infinity, remaining: Infinity };
  const fuller = { ...unlimited, used: 99_959 };
  expect(pickTighterWindow([unlimited, fuller])).toBe(fuller);
});

test.each([
  { moment: "2026-11-20T00:00:00Z", date: "2026-11-20", endsAt: "2026-11-21T00:00:00Z" },
  { moment: "2026-11-20T23:59:59.999Z", date: "2026-11-20", endsAt: "2026-11-21T00:00:00Z" },
  { moment: "2028-02-29T12:00:00Z", date: "2028-02-29", endsAt: "2028-03-01T00:00:00Z" },
])("$moment belongs to the UTC day $date", ({ moment, date, endsAt }) => {
  expect(utcDateOf(Date.parse(moment))).toBe(date);
  expect(endOfUtcDay(Date.parse(moment))).toBe(Date.parse(endsAt));
});
