import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  busySlotsAt,
  busySlotsOf,
  packPopularTimes,
  readBusyness,
  unpackPopularTimes,
} from "../../../../src/place/time/busyness.ts";
import type { PlaceDocument } from "../../../../src/place/document/place-document.ts";
import { buildPlace } from "../../../support/build-place.ts";

type Week = PlaceDocument["popular_times"];

const hour = fc.record({ hour: fc.nat(23), occupancy_percent: fc.nat(100) });
const anyWeek: fc.Arbitrary<Week> = fc.oneof(
  fc.constant<Week>([]),
  fc.array(fc.array(hour, { maxLength: 24 }), { minLength: 7, maxLength: 7 }),
);

/** Nothing known but 50 % in one hour of one day; 0 is Monday. */
const onlyOn = (day: number, atHour: number): Week =>
  Array.from({ length: 7 }, (_, index) => (index === day ? [{ hour: atHour, occupancy_percent: 50 }] : []));

const placeIn = (timezone: string, popular_times: Week): PlaceDocument =>
  buildPlace({ location: { timezone }, popular_times });

/** As the index returns it. */
const stored = ({ location, popular_times }: PlaceDocument) => ({
  location,
  busy_hours: packPopularTimes(popular_times),
});

const percentAt = (place: PlaceDocument, moment: string): number | undefined =>
  readBusyness(stored(place), Temporal.Instant.from(moment))?.occupancy_percent;

describe("the busyness of a place", () => {
  // 2026-11-20 is a Friday.
  const FRIDAY_EVENING = onlyOn(4, 19);

  test("is that of the hour and the day on its own clock", () => {
    const hanoi = placeIn("Asia/Ho_Chi_Minh", FRIDAY_EVENING);
    expect(percentAt(hanoi, "2026-11-20T19:00+07:00")).toBe(50);
    expect(percentAt(hanoi, "2026-11-20T19:59:59+07:00")).toBe(50);
    expect(percentAt(hanoi, "2026-11-20T20:00+07:00")).toBeUndefined();
    expect(percentAt(hanoi, "2026-11-19T19:30+07:00")).toBeUndefined();
    expect(percentAt(placeIn("America/New_York", FRIDAY_EVENING), "2026-11-21T00:30Z")).toBe(50);
    expect(percentAt(placeIn("Asia/Kathmandu", FRIDAY_EVENING), "2026-11-20T13:20Z")).toBe(50);
  });

  test("after midnight is that of the new day", () => {
    const bar = placeIn("Asia/Ho_Chi_Minh", onlyOn(5, 1));
    expect(percentAt(bar, "2026-11-21T01:30+07:00")).toBe(50);
    expect(percentAt(bar, "2026-11-20T01:30+07:00")).toBeUndefined();
  });

  test("is the same in both hours that a clock shows twice", () => {
    const bar = placeIn("America/New_York", onlyOn(6, 1));
    expect(percentAt(bar, "2026-11-01T05:30Z")).toBe(50);
    expect(percentAt(bar, "2026-11-01T06:30Z")).toBe(50);
  });

  test("is unknown without popular times, and in a time zone that does not exist", () => {
    expect(percentAt(placeIn("Asia/Ho_Chi_Minh", []), "2026-11-20T19:30+07:00")).toBeUndefined();
    expect(percentAt(placeIn("Mars/Olympus", FRIDAY_EVENING), "2026-11-20T19:30Z")).toBeUndefined();
  });
});

test("what is packed is unpacked as it was, in its order", () => {
  fc.assert(
    fc.property(anyWeek, (week) => {
      expect(unpackPopularTimes(packPopularTimes(week))).toEqual(week);
    }),
  );
});

test("the index lets every place through that is quiet enough", () => {
  const timezones = ["Asia/Ho_Chi_Minh", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe"];
  fc.assert(
    fc.property(
      anyWeek,
      fc.constantFrom(...timezones),
      fc.nat(100),
      fc.integer({ min: 1_770_000_000, max: 1_800_000_000 }),
      (week, timezone, maxPercent, seconds) => {
        const place = placeIn(timezone, week);
        const moment = Temporal.Instant.fromEpochMilliseconds(seconds * 1_000);
        const percent = readBusyness(stored(place), moment)?.occupancy_percent;
        fc.pre(percent !== undefined && percent <= maxPercent);
        const slots = busySlotsAt(moment, maxPercent, timezones);
        expect(busySlotsOf(place).some((slot) => slots.includes(slot))).toBe(true);
      },
    ),
  );
});

describe("the index keeps", () => {
  const friday = Temporal.Instant.from("2026-11-20T19:30+07:00");
  const sunday = Temporal.Instant.from("2026-11-22T19:30+07:00");
  const isLetThrough = (week: Week, moment: Temporal.Instant, max: number): boolean => {
    const slots = busySlotsAt(moment, max, ["Asia/Ho_Chi_Minh"]);
    return busySlotsOf(placeIn("Asia/Ho_Chi_Minh", week)).some((slot) => slots.includes(slot));
  };
  const weekAt7 = (percentOf: (day: number) => number): Week =>
    Array.from({ length: 7 }, (_, day) => [{ hour: 19, occupancy_percent: percentOf(day) }]);

  test("one value for an hour that is as busy at the weekend as on weekdays, and lets nobody through who is always busier", () => {
    const week = weekAt7((day) => 45 + (day % 5));
    expect(busySlotsOf(placeIn("Asia/Ho_Chi_Minh", week))).toHaveLength(1);
    expect([0, 40, 41, 50, 100].map((max) => isLetThrough(week, friday, max))).toStrictEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
  });

  test("two for another hour, so that who is quiet on weekdays is not let through on Sunday", () => {
    const week = weekAt7((day) => (day < 5 ? 10 : 60));
    expect(busySlotsOf(placeIn("Asia/Ho_Chi_Minh", week))).toHaveLength(2);
    expect([friday, sunday].map((moment) => isLetThrough(week, moment, 10))).toStrictEqual([true, false]);
    expect(isLetThrough(week, sunday, 60)).toBe(true);
  });

  test("for a multiple of ten nobody who is busier than that on every such day", () => {
    const week = weekAt7(() => 11);
    expect([10, 11, 20].map((max) => isLetThrough(week, friday, max))).toStrictEqual([false, true, true]);
  });
});
