import * as v from "valibot";
import { readLocalDays, type LocalDay } from "./local-days.ts";
import { nextChange, type OpenStatePlace } from "./open-state.ts";
import { formatClock } from "./opening-hours.ts";
import type { OpeningHours, OpenRange } from "../document/place-document.ts";
import { MINUTES_PER_DAY, MINUTES_PER_WEEK } from "./time-units.ts";

const about = v.description;
const date = v.pipe(v.string(), v.isoDate(), about("Local date, `YYYY-MM-DD`."));
const day = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(1),
  v.maxValue(7),
  about("Day of the week: 1 is Monday, 7 is Sunday (ISO 8601)."),
);
const time = v.pipe(
  v.string(),
  v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/),
  about("The clock at the place, 00:00 to 23:59."),
);

const weekPoint = v.strictObject({ day, time });
const datedPoint = v.strictObject({ date, day, time });

export const openingPeriodSchema = v.pipe(
  v.strictObject({ open: weekPoint, close: v.optional(weekPoint) }),
  about(
    "From opening to closing; `close` is the first such time after `open`. A place that never closes has one period without `close`.",
  ),
);

export const specialDaySchema = v.pipe(
  v.strictObject({
    date,
    opening_periods: v.pipe(
      v.array(v.strictObject({ open: datedPoint, close: datedPoint })),
      about("Empty when the place is closed on that date."),
    ),
  }),
  about("A date with special hours, which replace the weekly hours."),
);

/** The opening-hours fields for programs that `include=periods` adds. */
export const periodFields = {
  opening_periods: v.pipe(
    v.nullable(v.array(openingPeriodSchema)),
    about(
      "With `include=periods`: the week as periods. `null` when hours are unknown, `[]` when it never opens.",
    ),
  ),
  special_days: v.pipe(
    v.array(specialDaySchema),
    about("With `include=periods`: dates with special hours, from yesterday to nine days ahead."),
  ),
  next_change_at: v.pipe(
    v.nullable(v.pipe(v.string(), v.isoTimestamp())),
    about(
      "With `include=periods`: when it opens or closes next, in the time zone of the place; `null` when this is unknown or more than eight days away.",
    ),
    v.examples(["2026-11-20T18:00:00+07:00"]),
  ),
};

type PeriodMembers = v.InferOutput<v.StrictObjectSchema<typeof periodFields, undefined>>;
type SpecialDay = PeriodMembers["special_days"][number];

/**
 * The opening hours of a place as periods, each from an opening to the closing that really ends it. Ranges
 * that touch, also over midnight or from Sunday into Monday, form one period.
 */
export function toPeriodFields(place: OpenStatePlace, now: Temporal.Instant): PeriodMembers {
  const { opening_hours: hours, location } = place;
  const change = nextChange(place, now)?.toZonedDateTimeISO(location.timezone);
  return {
    opening_periods: hours && toWeekPeriods(hours),
    special_days: hours
      ? toSpecialDays(hours, readLocalDays(location.timezone, now.epochMilliseconds)?.days)
      : [],
    next_change_at: change?.toString({ smallestUnit: "second", timeZoneName: "never" }) ?? null,
  };
}

function toWeekPeriods({ week }: OpeningHours): NonNullable<PeriodMembers["opening_periods"]> {
  const periods = joinOverWeekend(joinTouching(week.flatMap(toMinutesOfWeek)));
  const [first] = periods;
  if (first && first[1] - first[0] >= MINUTES_PER_WEEK) return [{ open: { day: 1, time: "00:00" } }];
  return periods.map(([opens, closes]) => ({ open: toWeekPoint(opens), close: toWeekPoint(closes) }));
}

const toMinutesOfWeek = (ranges: readonly OpenRange[], dayIndex: number): OpenRange[] =>
  ranges.map(([opens, closes]) => [dayIndex * MINUTES_PER_DAY + opens, dayIndex * MINUTES_PER_DAY + closes]);

/**
 * Ranges in the order of their openings. Those that touch or overlap are merged, without a maximum length.
 */
function joinTouching(ranges: readonly OpenRange[]): OpenRange[] {
  const joined: OpenRange[] = [];
  for (const [opens, closes] of ranges.toSorted((one, other) => one[0] - other[0])) {
    const last = joined.at(-1);
    if (last && opens <= last[1]) last[1] = Math.max(last[1], closes);
    else joined.push([opens, closes]);
  }
  return joined;
}

/**
 * The last period of a week may reach into the first period of the next week, which is also the first of this
 * one.
 */
function joinOverWeekend(periods: readonly OpenRange[]): OpenRange[] {
  const [first, ...others] = periods;
  const last = others.at(-1);
  if (!first || !last || last[1] - MINUTES_PER_WEEK < first[0]) return [...periods];
  const closes = Math.max(last[1], first[1] + MINUTES_PER_WEEK);
  return joinOverWeekend([...others.slice(0, -1), [last[0], closes]]);
}

function toWeekPoint(minuteOfWeek: number) {
  const dayIndex = Math.floor(minuteOfWeek / MINUTES_PER_DAY);
  return { day: (dayIndex % 7) + 1, time: formatClock(minuteOfWeek % MINUTES_PER_DAY) };
}

/** `days` are consecutive; the last one is included only for ranges that close on it. */
function toSpecialDays({ special_days: all }: OpeningHours, days: readonly LocalDay[] = []): SpecialDay[] {
  return days.slice(0, -1).flatMap((opening, index) => {
    const special = all.find((candidate) => candidate.date === opening.date);
    const following = days[index + 1];
    if (!special || !following) return [];
    const toPoint = (minute: number) => toDatedPoint(minute < MINUTES_PER_DAY ? opening : following, minute);
    const periods = joinTouching(special.ranges).map(([opens, closes]) => ({
      open: toPoint(opens),
      close: toPoint(closes),
    }));
    return [{ date: opening.date, opening_periods: periods }];
  });
}

const toDatedPoint = (localDay: LocalDay, minute: number) => ({
  date: localDay.date,
  day: localDay.weekday + 1,
  time: formatClock(minute % MINUTES_PER_DAY),
});
