import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { secondsUntilChange, secondsUntilNextMinute } from "../../../../src/place/time/freshness.ts";
import { toPlaceDetail } from "../../../../src/answers/place-response.ts";
import type { OpenRange, PlaceDocument } from "../../../../src/place/document/place-document.ts";
import { buildPlace } from "../../../support/build-place.ts";

const LINKS = { publicBaseUrl: "https://places.example", externalMapsUrl: "https://maps.example/{data_id}" };

/** A moment as the clock in Vietnam shows it. 2026-03-02 is a Monday. */
const at = (clock: string): Temporal.Instant => Temporal.Instant.from(`${clock}+07:00`);

const placeOpen = (...ranges: OpenRange[]): PlaceDocument =>
  buildPlace({ opening_hours: { week: Array.from({ length: 7 }, () => ranges), special_days: [] } });

describe("a response about a place that opens at 7 and closes at 22 is valid", () => {
  const place = placeOpen([420, 1320]);

  test.each([
    ["no second longer than it is closed", "2026-03-02T06:59:00", 60],
    ["not at all in the last second before it opens", "2026-03-02T06:59:59.500", 0],
    ["until it closes, with the part of a second cut off", "2026-03-02T21:57:30.200", 149],
    ["until midnight, when today becomes yesterday", "2026-03-02T23:58:00", 120],
    ["as long as it may when nothing happens", "2026-03-02T12:00:00", 300],
  ])("%s", (_, clock, seconds) => {
    expect(secondsUntilChange([place], at(clock), 300)).toBe(seconds);
  });

  test("no longer than that about another place", () => {
    expect(secondsUntilChange([placeOpen([0, 719]), place], at("2026-03-02T11:58:00"), 300)).toBe(60);
  });
});

test("a response about a place that opens in more than eight days is valid until that is within eight days", () => {
  const special_days = [{ date: "2026-03-14", ranges: [[540, 600] as OpenRange] }];
  const place = buildPlace({
    opening_hours: { week: Array.from({ length: 7 }, () => []), special_days },
  });
  expect(secondsUntilChange([place], at("2026-03-06T08:58:00"), 300)).toBe(120);
  expect(secondsUntilChange([place], at("2026-03-06T08:50:00"), 300)).toBe(300);
});

test.each([
  ["unknown hours", buildPlace()],
  ["an unknown time zone", { ...placeOpen([0, 721]), location: { timezone: "Asia/Nowhere" } }],
])("a place with %s changes nothing", (_, place) => {
  expect(secondsUntilChange([place], at("2026-03-02T12:00"), 300)).toBe(300);
});

test("a response without places is valid for the maximum time", () => {
  expect(secondsUntilChange([], at("2026-03-02T12:00"), 60)).toBe(60);
});

test.each([
  ["2026-03-02T12:00:00", 60],
  ["2026-03-02T12:00:00.001", 59],
  ["2026-03-02T12:00:59.999", 0],
])("from %s on, the next minute begins in %i whole seconds", (clock, seconds) => {
  expect(secondsUntilNextMinute(at(clock))).toBe(seconds);
});

const range = fc
  .tuple(fc.integer({ min: 0, max: 1439 }), fc.integer({ min: 1, max: 1440 }))
  .map(([opens, minutes]): OpenRange => [opens, Math.min(opens + minutes, 2880)]);
const day = fc.option(range, { nil: undefined }).map((known) => (known ? [known] : []));
const DAYS = ["2026-03-02", "2026-03-05", "2026-03-11", "2026-03-12"];

test("a cached response is correct until its last second", () => {
  fc.assert(
    fc.property(
      fc.array(day, { minLength: 7, maxLength: 7 }),
      fc.uniqueArray(fc.record({ date: fc.constantFrom(...DAYS), ranges: day }), {
        selector: ({ date }) => date,
      }),
      fc.constantFrom("Asia/Ho_Chi_Minh", "Europe/Berlin", "Australia/Lord_Howe"),
      fc.integer({ min: 0, max: 3 * 86_400_000 }),
      (week, special_days, timezone, afterMs) => {
        const place = buildPlace({ opening_hours: { week, special_days }, location: { timezone } });
        const now = Temporal.Instant.from("2026-03-01T17:00Z").add({ milliseconds: afterMs });
        const say = (moment: Temporal.Instant) =>
          toPlaceDetail(place, { now: moment, language: "vi", links: LINKS, included: { periods: true } });
        const seconds = secondsUntilChange([place], now, 100_000);
        expect(say(now.add({ seconds }).subtract({ milliseconds: 1 }))).toEqual(say(now));
      },
    ),
    { numRuns: 500 },
  );
});
