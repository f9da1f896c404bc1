import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { datesAround, openSlotsOf, slotsAt } from "../../../../src/place/time/open-slots.ts";
import { isOpenAt } from "../../../../src/place/time/open-state.ts";
import { mergeRanges } from "../../../../src/place/time/opening-hours.ts";
import type {
  OpeningHours,
  OpenRange,
  PlaceDocument,
} from "../../../../src/place/document/place-document.ts";
import { buildPlace } from "../../../support/build-place.ts";

type Week = OpeningHours["week"];

const NEVER: Week = Array.from({ length: 7 }, () => []);
const daily = (...ranges: OpenRange[]): Week => Array.from({ length: 7 }, () => ranges);

function openOn(week: Week, facts: { timezone?: string; special_days?: OpeningHours["special_days"] } = {}) {
  const { timezone = "Asia/Ho_Chi_Minh", special_days = [] } = facts;
  return buildPlace({ location: { timezone }, opening_hours: { week, special_days } });
}

/** Whether a place may be open at a moment, as the index sifts: by its slots or a date with hours of its own. */
const mayBeOpen = (place: PlaceDocument, moment: Temporal.Instant): boolean => {
  const open = new Set(openSlotsOf(place));
  const dates = new Set(place.opening_hours?.special_days.map(({ date }) => date));
  return (
    slotsAt(moment, [place.location.timezone]).some((slot) => open.has(slot)) ||
    datesAround(moment).some((date) => dates.has(date))
  );
};

describe("the slots of a place", () => {
  test.each<{ what: string; week: Week; parts: number }>([
    { what: "from seven to ten every day", week: daily([420, 1320]), parts: 2 },
    { what: "in office hours", week: daily([480, 1050]), parts: 3 },
    { what: "around the clock", week: daily([0, 1440]), parts: 1 },
    { what: "longer on weekdays", week: daily([480, 720]).fill([[480, 1050]], 0, 5), parts: 2 + 3 },
    { what: "but on Sundays", week: daily([420, 1320]).with(6, []), parts: 2 + 2 },
    { what: "for a minute", week: NEVER.with(0, [[719, 720]]), parts: 1 },
    { what: "past midnight", week: NEVER.with(0, [[1080, 1560]]), parts: 2 + 2 },
    { what: "never", week: NEVER, parts: 0 },
  ])("are few for one that is open $what", ({ week, parts }) => {
    expect(openSlotsOf(openOn(week))).toHaveLength(parts);
  });

  test("use the local time of the place", () => {
    const mondayMorning: Week = NEVER.with(0, [[480, 540]]);
    const eightInTokyo = Temporal.Instant.from("2026-11-15T23:00:00Z");
    const inTokyo = openSlotsOf(openOn(mondayMorning, { timezone: "Asia/Tokyo" }));
    expect(slotsAt(eightInTokyo, ["Asia/Tokyo", "UTC"])).toEqual(expect.arrayContaining(inTokyo));
    expect(slotsAt(eightInTokyo, ["Asia/Ho_Chi_Minh", "UTC"])).not.toEqual(expect.arrayContaining(inTokyo));
  });

  test("do not exist for unknown hours or a closed business", () => {
    const open = openOn(Array.from({ length: 7 }, () => [[0, 1440]]));
    expect(openSlotsOf(buildPlace())).toStrictEqual([]);
    expect(openSlotsOf({ ...open, business_status: "closed_permanently" })).toStrictEqual([]);
    expect(openSlotsOf({ ...open, business_status: "closed_temporarily" })).toStrictEqual([]);
  });
});

test("an unknown time zone has no slot and does not affect others", () => {
  const moment = Temporal.Instant.from("2026-11-16T12:00:00Z");
  expect(slotsAt(moment, ["Asia/Nowhere", "UTC"])).toStrictEqual(slotsAt(moment, ["UTC"]));
  expect(slotsAt(moment, ["UTC"])).not.toHaveLength(0);
});

/** Zones that move their clocks by an hour, half an hour and two hours; on a full hour, at midnight and beside one; and some that never do. */
const ZONES = [
  "Asia/Ho_Chi_Minh",
  "Europe/Berlin",
  "America/New_York",
  "America/Havana",
  "America/St_Johns",
  "Africa/Cairo",
  "Antarctica/Troll",
  "Asia/Beirut",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Atlantic/Azores",
  "Pacific/Chatham",
  "Pacific/Kiritimati",
  "Pacific/Pago_Pago",
];

const anyMinute = fc.oneof(fc.constantFrom(0, 60, 120, 165, 180, 190, 225, 1380, 1439), fc.nat(1439));
const anyLength = fc.oneof(fc.constantFrom(1, 20, 30, 60, 1440), fc.integer({ min: 1, max: 1440 }));
const anyDay = fc
  .array(fc.tuple(anyMinute, anyLength), { maxLength: 3 })
  .map((ranges) => mergeRanges(ranges.map(([opens, length]): OpenRange => [opens, opens + length])));
const anyWeek = fc.array(anyDay, { minLength: 7, maxLength: 7 });

const START_MS = Temporal.Instant.from("2024-01-01T00:00:00Z").epochMilliseconds;
const FIVE_YEARS_MS = 5 * 365.25 * 86_400_000;

/** Anywhere in five years, and mostly within some hours of a change of the clock. */
const anyMomentIn = (timezone: string): fc.Arbitrary<Temporal.Instant> => {
  const changes = changesOf(timezone);
  const anyTime = fc.nat(FIVE_YEARS_MS).map((ms) => START_MS + ms);
  const anyTimeNear = changes.map((changeMs) =>
    fc.integer({ min: -180, max: 240 }).map((minutes) => changeMs + minutes * 60_000),
  );
  return fc.oneof(anyTime, ...anyTimeNear).map((ms) => Temporal.Instant.fromEpochMilliseconds(ms));
};

function changesOf(timezone: string): number[] {
  const changes: number[] = [];
  let clock = Temporal.Instant.fromEpochMilliseconds(START_MS).toZonedDateTimeISO(timezone);
  for (let next = clock.getTimeZoneTransition("next"); next; next = clock.getTimeZoneTransition("next")) {
    if (next.epochMilliseconds > START_MS + FIVE_YEARS_MS) break;
    changes.push(next.epochMilliseconds);
    clock = next;
  }
  return changes;
}

test.each(ZONES)("no open place is filtered out: %s", (timezone) => {
  const anySpecialDays = fc.array(fc.record({ daysOff: fc.integer({ min: -2, max: 1 }), ranges: anyDay }), {
    maxLength: 2,
  });
  fc.assert(
    fc.property(anyWeek, anySpecialDays, anyMomentIn(timezone), (week, specialDays, moment) => {
      const today = moment.toZonedDateTimeISO(timezone).toPlainDate();
      const special_days = specialDays.map(({ daysOff, ranges }) => ({
        date: today.add({ days: daysOff }).toString(),
        ranges,
      }));
      const place = openOn(week, { timezone, special_days });
      expect(!isOpenAt(place, moment) || mayBeOpen(place, moment)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test("except for changes of the clock and special days, no closed place passes", () => {
  const monday = Temporal.ZonedDateTime.from("2026-11-16T00:00[Asia/Kathmandu]");
  fc.assert(
    fc.property(anyWeek, fc.nat(7 * 1440 - 1), (week, sample) => {
      const place = openOn(week, { timezone: monday.timeZoneId });
      const edges = week.flatMap((ranges, day) => ranges.flat().map((minute) => day * 1440 + minute));
      for (const minute of [sample, ...edges, ...edges.map((edge) => edge - 1)]) {
        const moment = monday.add({ minutes: minute }).toInstant();
        expect(mayBeOpen(place, moment)).toBe(isOpenAt(place, moment));
      }
    }),
    { numRuns: 200 },
  );
});

test.each([
  ["2026-11-16T06:59:59.999", false],
  ["2026-11-16T07:00", true],
  ["2026-11-16T11:12:59.999", true],
  ["2026-11-16T11:13", false],
])("of a place that is open from 7:00 to 11:13 a filter at %s says %s", (time, expected) => {
  const place = openOn(NEVER.with(0, [[420, 673]]));
  expect(mayBeOpen(place, Temporal.Instant.from(`${time}+07:00`))).toBe(expected);
});

test("a place that opened before the clock was put back is found in the hour that comes twice", () => {
  // On Chatham 3:45 became 2:45 on this day; the place opened at the first 3:10.
  const place = openOn(NEVER.with(6, [[190, 230]]), { timezone: "Pacific/Chatham" });
  for (const secondTime of ["2026-04-04T14:00:00Z", "2026-04-04T14:05:00Z", "2026-04-04T14:20:00Z"]) {
    expect(isOpenAt(place, Temporal.Instant.from(secondTime))).toBe(true);
    expect(mayBeOpen(place, Temporal.Instant.from(secondTime))).toBe(true);
  }
});

test("the dates around a moment hold today and yesterday wherever the place is", () => {
  const moment = Temporal.Instant.from("2026-11-20T10:30:00Z");
  expect(datesAround(moment)).toStrictEqual(["2026-11-18", "2026-11-19", "2026-11-20", "2026-11-21"]);
  for (const timezone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
    const today = moment.toZonedDateTimeISO(timezone).toPlainDate();
    expect(datesAround(moment)).toContain(today.toString());
    expect(datesAround(moment)).toContain(today.subtract({ days: 1 }).toString());
  }
});
