import type { OpeningHours } from "../../src/place/document/place-document.ts";
import { memoize } from "../../src/place/text/memoize.ts";
import { holidayCalendar } from "../large-libraries.ts";
import type { DraftHours, CleanStep } from "./place-draft.ts";

/** An index is rebuilt more often than every three years. Lunar holidays are computed as they are needed. */
const YEARS_AHEAD = 3;

const MS_PER_DAY = 86_400_000;

/**
 * Replaces "on public holidays" with the dates of the country's public holidays from today on. A date that
 * the record itself names takes precedence.
 */
export const dateHolidays: CleanStep = (draft, { note, today }) => {
  if (!draft.opening_hours?.holidays) return draft;
  const { holidays, ...hours } = draft.opening_hours;
  const dates = publicHolidays(draft.location.country_code, today);
  if (dates.length === 0) note("opening_hours", "public holidays of the country unknown");
  return { ...draft, opening_hours: withHolidays(hours, holidays, dates) };
};

function withHolidays(
  hours: OpeningHours,
  holidays: NonNullable<DraftHours["holidays"]>,
  dates: readonly string[],
): OpeningHours {
  const named = new Set(hours.special_days.map(({ date }) => date));
  const added = dates
    .filter((date) => !named.has(date))
    .map((date) => ({ date, ranges: holidays[weekdayOf(date)] ?? [] }));
  const all = [...hours.special_days, ...added];
  return { week: hours.week, special_days: all.toSorted((a, b) => (a.date < b.date ? -1 : 1)) };
}

/** Monday is 0. */
const weekdayOf = memoize((date) => Temporal.PlainDate.from(date).dayOfWeek - 1);

/** By country and first day. A run uses one day only. */
const datesOfCountry = new Map<string, readonly string[]>();

function publicHolidays(countryCode: string, today: Temporal.PlainDate): readonly string[] {
  const key = `${countryCode} ${today.toString()}`;
  return datesOfCountry.getOrInsertComputed(key, () => computeHolidays(countryCode, today));
}

/** ISO dates in order. Empty for a country without a holiday calendar. */
function computeHolidays(countryCode: string, today: Temporal.PlainDate): string[] {
  const Holidays = holidayCalendar();
  const calendar = new Holidays(countryCode, { types: ["public"] });
  const years = Array.from({ length: YEARS_AHEAD }, (_, index) => today.year + index);
  const dates = years.flatMap((year) => calendar.getHolidays(year)).flatMap(datesOf);
  return [...new Set(dates)].filter((date) => date >= today.toString()).toSorted();
}

/**
 * The dates of one holiday. `date` is its first local day, `2027-02-05 00:00:00`. The lunar new year lasts
 * several days.
 */
function datesOf({ date, start, end }: { date: string; start: Date; end: Date }): string[] {
  const first = Temporal.PlainDate.from(date.slice(0, "YYYY-MM-DD".length));
  const days = Math.max(1, Math.round((end.getTime() - start.getTime()) / MS_PER_DAY));
  return Array.from({ length: days }, (_, index) => first.add({ days: index }).toString());
}
