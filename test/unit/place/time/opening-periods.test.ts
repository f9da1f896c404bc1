import * as fc from "fast-check";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { periodFields, toPeriodFields } from "../../../../src/place/time/opening-periods.ts";
import { isOpenAt, type OpenStatePlace } from "../../../../src/place/time/open-state.ts";
import { mergeRanges } from "../../../../src/place/time/opening-hours.ts";
import type { OpeningHours, OpenRange } from "../../../../src/place/document/place-document.ts";

type Week = OpeningHours["week"];

const NEVER: Week = Array.from({ length: 7 }, () => []);
const daily = (...ranges: OpenRange[]): Week => Array.from({ length: 7 }, () => ranges);

/** A Wednesday, 19:30 in Ho Chi Minh City. */
const NOW = Temporal.Instant.from("2026-11-18T12:30:00Z");

const openOn = (
  week: Week,
  special_days: OpeningHours["special_days"] = [],
  timezone = "Asia/Ho_Chi_Minh",
): OpenStatePlace => ({
  opening_hours: { week, special_days },
  business_status: "operational",
  location: { timezone },
});

/** `1 07:00–1 22:00`: short enough to compare at a glance. */
const written = (place: OpenStatePlace): string[] | undefined =>
  toPeriodFields(place, NOW).opening_periods?.map(({ open, close }) =>
    close ? `${open.day} ${open.time}–${close.day} ${close.time}` : `${open.day} ${open.time}`,
  );

describe("the periods of a week", () => {
  test.each<{ what: string; week: Week; periods: string[] }>([
    {
      what: "two ranges of a day",
      week: NEVER.with(0, [
        [420, 690],
        [780, 1320],
      ]),
      periods: ["1 07:00–1 11:30", "1 13:00–1 22:00"],
    },
    { what: "past midnight", week: NEVER.with(4, [[1080, 1560]]), periods: ["5 18:00–6 02:00"] },
    { what: "until midnight", week: NEVER.with(2, [[1080, 1440]]), periods: ["3 18:00–4 00:00"] },
    { what: "from Sunday into Monday", week: NEVER.with(6, [[1320, 1500]]), periods: ["7 22:00–1 01:00"] },
    { what: "all day on Tuesday", week: NEVER.with(1, [[0, 1440]]), periods: ["2 00:00–3 00:00"] },
    {
      what: "a weekend that is never closed",
      week: NEVER.with(5, [[0, 1440]]).with(6, [[0, 1440]]),
      periods: ["6 00:00–1 00:00"],
    },
    {
      what: "Sunday night that Monday goes on with",
      week: NEVER.with(0, [[0, 600]]).with(6, [[1200, 1440]]),
      periods: ["7 20:00–1 10:00"],
    },
    { what: "never open", week: NEVER, periods: [] },
    { what: "around the clock", week: daily([0, 1440]), periods: ["1 00:00"] },
    { what: "around the clock, from six to six", week: daily([360, 1800]), periods: ["1 00:00"] },
  ])("$what", ({ week, periods }) => {
    expect(written(openOn(week))).toStrictEqual(periods);
  });

  test("are null for unknown hours, which is not the same as closed", () => {
    const unknown: OpenStatePlace = { ...openOn(NEVER), opening_hours: null };
    expect(toPeriodFields(unknown, NOW)).toStrictEqual({
      opening_periods: null,
      special_days: [],
      next_change_at: null,
    });
  });

  test("exist for a temporarily closed business, which has no next change", () => {
    const closed: OpenStatePlace = { ...openOn(daily([420, 1320])), business_status: "closed_temporarily" };
    expect(toPeriodFields(closed, NOW).opening_periods).toHaveLength(7);
    expect(toPeriodFields(closed, NOW).next_change_at).toBeNull();
  });
});

describe("special days", () => {
  const specialDays = (...days: [date: string, ...OpenRange[]][]) => {
    const special = days.map(([date, ...ranges]) => ({ date, ranges }));
    return toPeriodFields(openOn(NEVER, special), NOW).special_days;
  };

  test("have dates at both ends, past midnight the next", () => {
    expect(specialDays(["2026-11-20", [480, 720], [1200, 1500]])).toStrictEqual([
      {
        date: "2026-11-20",
        opening_periods: [
          {
            open: { date: "2026-11-20", day: 5, time: "08:00" },
            close: { date: "2026-11-20", day: 5, time: "12:00" },
          },
          {
            open: { date: "2026-11-20", day: 5, time: "20:00" },
            close: { date: "2026-11-21", day: 6, time: "01:00" },
          },
        ],
      },
    ]);
  });

  test("of a closed place have no periods", () => {
    expect(specialDays(["2026-11-22"])).toStrictEqual([{ date: "2026-11-22", opening_periods: [] }]);
  });

  test("are listed from yesterday, whose night may not be over, to nine days ahead", () => {
    const dates = ["2026-11-16", "2026-11-17", "2026-11-18", "2026-11-27", "2026-11-28", "2027-11-18"];
    const shown = specialDays(...dates.map((date): [string] => [date]));
    expect(shown.map(({ date }) => date)).toStrictEqual(["2026-11-17", "2026-11-18", "2026-11-27"]);
  });

  test("that are no dates of the calendar are left out", () => {
    expect(specialDays(["2026-11-31"])).toStrictEqual([]);
  });
});

describe("the next change", () => {
  test.each([
    ["Asia/Ho_Chi_Minh", "2026-11-18T22:00:00+07:00"],
    ["Asia/Kolkata", "2026-11-18T22:00:00+05:30"],
    ["UTC", "2026-11-18T22:00:00+00:00"],
    ["America/New_York", "2026-11-18T22:00:00-05:00"],
  ])("is in local time of %s", (timezone, expected) => {
    expect(toPeriodFields(openOn(daily([420, 1320]), [], timezone), NOW).next_change_at).toBe(expected);
  });

  test("is an opening where the place is closed", () => {
    expect(toPeriodFields(openOn(daily([420, 600])), NOW).next_change_at).toBe("2026-11-19T07:00:00+07:00");
  });

  test("includes special days", () => {
    const place = openOn(daily([420, 600]), [{ date: "2026-11-19", ranges: [] }]);
    expect(toPeriodFields(place, NOW).next_change_at).toBe("2026-11-20T07:00:00+07:00");
  });

  test.each([
    ["around the clock", openOn(daily([0, 1440]))],
    ["never", openOn(NEVER)],
    ["nobody knows where", openOn(daily([420, 1320]), [], "Asia/Nowhere")],
  ])("does not exist for a place that is open %s", (_, place) => {
    expect(toPeriodFields(place, NOW).next_change_at).toBeNull();
  });
});

describe("for any week", () => {
  const anyMinute = fc.oneof(fc.constantFrom(0, 360, 720, 1380, 1439), fc.nat(1439));
  const anyLength = fc.oneof(fc.constantFrom(1, 720, 1080, 1440), fc.integer({ min: 1, max: 1440 }));
  const anyDay = fc
    .array(fc.tuple(anyMinute, anyLength), { maxLength: 3 })
    .map((ranges) => mergeRanges(ranges.map(([opens, length]): OpenRange => [opens, opens + length])));
  const anyWeek = fc.array(fc.oneof(anyDay, fc.constant<OpenRange[]>([[0, 1440]])), {
    minLength: 7,
    maxLength: 7,
  });
  /** Monday of a week without special days, on a clock that is never changed. */
  const MONDAY = Temporal.ZonedDateTime.from("2026-11-16T00:00[UTC]");
  const WEEK_MINUTES = 7 * 1440;

  const minuteOf = ({ day, time }: { day: number; time: string }): number =>
    (day - 1) * 1440 + Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

  test("the periods hold exactly the minutes at which the place is open, and never touch", () => {
    fc.assert(
      fc.property(anyWeek, fc.array(fc.nat(WEEK_MINUTES - 1), { minLength: 1 }), (week, samples) => {
        const place = openOn(week, [], "UTC");
        const members = toPeriodFields(place, NOW);
        expect(v.is(v.strictObject(periodFields), members)).toBe(true);
        const spans = (members.opening_periods ?? []).map(({ open, close }) => {
          const opens = minuteOf(open);
          const closes = close ? minuteOf(close) : opens + WEEK_MINUTES;
          return { opens, length: closes > opens ? closes - opens : closes + WEEK_MINUTES - opens };
        });
        const holding = (minute: number) =>
          spans.filter(({ opens, length }) => (minute - opens + WEEK_MINUTES) % WEEK_MINUTES < length);
        const closings = spans.filter(({ length }) => length < WEEK_MINUTES);
        expect(closings.flatMap(({ opens, length }) => holding(opens + length))).toStrictEqual([]);
        const edges = spans.flatMap(({ opens, length }) => [opens, opens + length - 1, opens + length]);
        for (const sample of [...samples, ...edges]) {
          const minute = sample % WEEK_MINUTES;
          const isOpen = isOpenAt(place, MONDAY.add({ minutes: minute }).toInstant());
          expect(holding(minute)).toHaveLength(isOpen ? 1 : 0);
        }
      }),
    );
  });
});
