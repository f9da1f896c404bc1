import * as fc from "fast-check";
import { expect, test } from "vitest";
import { toLimitHeaders } from "../../../src/http/middleware/rate-limit.ts";
import { buildWindow, endOfUtcDay, utcDateOf, type LimitWindow } from "../../../src/limits/windows.ts";

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
  { title: "a reset in the past still asks for a second", msToReset: -4_000, expected: 1 },
  { title: "a reset right now asks for a second", msToReset: 0, expected: 1 },
  { title: "a part of a second counts as a whole one", msToReset: 1_001, expected: 2 },
  { title: "a clock that went back asks for no more than the window", msToReset: 999_000, expected: 60 },
])("$title", ({ msToReset, expected }) => {
  expect(buildWindow("minute", { limit: 2, used: 1, msToReset }).secondsToReset).toBe(expected);
});

test("waiting the seconds to the reset is never too short", () => {
  fc.assert(
    fc.property(fc.nat(60_000), (msToReset) => {
      const { secondsToReset } = buildWindow("minute", { limit: 2, used: 1, msToReset });
      expect(secondsToReset * 1000).toBeGreaterThanOrEqual(msToReset);
      expect(secondsToReset).toBeGreaterThanOrEqual(1);
    }),
  );
});

/** The limit that the usual headers show, at the start of 1970. */
const shownLimit = (windows: readonly LimitWindow[]): string | undefined =>
  toLimitHeaders(windows, 0)["X-RateLimit-Limit"];

test("the usual headers show the window with less left", () => {
  expect(shownLimit([minute, day])).toBe("100000");
  expect(shownLimit([minute, { ...day, remaining: 600 }])).toBe("600");
});

test("of two windows with nothing left, the usual headers show the one that resets later", () => {
  expect(
    shownLimit([
      { ...minute, remaining: 0 },
      { ...day, remaining: 0 },
    ]),
  ).toBe("100000");
});

test("the usual headers of a refusal show the window that refused", () => {
  const refusedBy = { ...minute, remaining: 2 };
  expect(toLimitHeaders([refusedBy, { ...day, remaining: 0 }], 0, refusedBy)).toMatchObject({
    "X-RateLimit-Limit": "600",
    "X-RateLimit-Remaining": "2",
    "X-RateLimit-Reset": "60",
  });
});

test("the headers of the draft list both windows and both limits", () => {
  expect(toLimitHeaders([minute, day], 0)).toMatchObject({
    RateLimit: '"minute";r=599;t=60, "day";r=42;t=3600',
    "RateLimit-Policy": '"minute";q=600;w=60, "day";q=100000;w=86400',
  });
});

test("a window without a limit is not in the headers", () => {
  const unlimited = { ...day, limit: Infinity, remaining: Infinity };
  expect(toLimitHeaders([minute, unlimited], 0)).toStrictEqual({
    RateLimit: '"minute";r=599;t=60',
    "RateLimit-Policy": '"minute";q=600;w=60',
    "X-RateLimit-Limit": "600",
    "X-RateLimit-Remaining": "599",
    "X-RateLimit-Reset": "60",
  });
});

test.each([
  { moment: "2026-11-20T00:00:00Z", date: "2026-11-20", endsAt: "2026-11-21T00:00:00Z" },
  { moment: "2026-11-20T23:59:59.999Z", date: "2026-11-20", endsAt: "2026-11-21T00:00:00Z" },
  { moment: "2028-02-29T12:00:00Z", date: "2028-02-29", endsAt: "2028-03-01T00:00:00Z" },
])("$moment belongs to the UTC day $date", ({ moment, date, endsAt }) => {
  expect(utcDateOf(Date.parse(moment))).toBe(date);
  expect(endOfUtcDay(Date.parse(moment))).toBe(Date.parse(endsAt));
});
