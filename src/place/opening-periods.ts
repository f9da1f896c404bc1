import * as v from "valibot";
import { readLocalDays, type LocalDay } from "./local-days.ts";
import { nextChange, type OpenStatePlace } from "./open-state.ts";
import { formatClock } from "./opening-hours.ts";
import type { OpeningHours, OpenRange } from "./place-document.ts";

const MINUTES_PER_DAY = 1440;
const MINUTES_PER_WEEK = 7 * MINUTES_PER_DAY;

const clockTime = v.pipe(v.string(), v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/));
const date = v.pipe(v.string(), v.isoDate());
/** ISO 8601: 1 is Monday, 7 is Sunday. */
const day = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(7));

const weekPoint = v.strictObject({ day, time: clockTime });
const datedPoint = v.strictObject({ date, day, time: clockTime });

/** Opening hours for programs, as `include=periods` adds them. */
export const periodMembers = {
  /** `null` where hours are unknown. A place that never closes has one period, which has no `close`. */
  opening_periods: v.nullable(v.array(v.strictObject({ open: weekPoint, close: v.optional(weekPoint) }))),
  /** Dates from yesterday to nine days ahead that have hours of their own; none of a closed one. */
  special_days: v.array(
    v.strictObject({
      date,
      opening_periods: v.array(v.strictObject({ open: datedPoint, close: datedPoint })),
    }),
  ),
  /** When the place opens or closes next, by the clock of the place; `null` where that is unknown or not within eight days. */
  next_change_at: v.nullable(v.pipe(v.string(), v.isoTimestamp())),
};

type PeriodMembers = v.InferOutput<v.StrictObjectSchema<typeof periodMembers, undefined>>;
type SpecialDay = PeriodMembers["special_days"][number];

/**
 * The opening hours of a place as periods: each from an opening to the closing that really ends it. What a week or a day has in
 * several ranges that touch, also over midnight or from Sunday into Monday, is one period.
 */
export function toPeriodMembers(place: OpenStatePlace, now: Temporal.Instant): PeriodMembers {
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

/** Ranges in the order of their openings, with those that touch or overlap made one, however long. */
function joinTouching(ranges: readonly OpenRange[]): OpenRange[] {
  const joined: OpenRange[] = [];
  for (const [opens, closes] of ranges.toSorted((one, other) => one[0] - other[0])) {
    const last = joined.at(-1);
    if (last && opens <= last[1]) last[1] = Math.max(last[1], closes);
    else joined.push([opens, closes]);
  }
  return joined;
}

/** The last period of a week may reach into the first of the next, which is the first of this one. */
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

/** `days` are consecutive; the last one is only there for what closes on it. */
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
