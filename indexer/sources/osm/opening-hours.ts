import type OsmRules from "opening_hours";
import { parseOpeningRanges } from "../../../src/place/opening-hours.ts";
import type { OpenRange } from "../../../src/place/place-document.ts";
import { osmHours } from "../../large-libraries.ts";
import type { DraftHours } from "../../clean/place-draft.ts";
import { DAYS_PER_WEEK, MINUTES_PER_DAY } from "../../../src/place/time-units.ts";

/** The hours that a text of OpenStreetMap's `opening_hours` means, and whether something of it got lost on the way. */
export interface OsmHours {
  readonly hours: DraftHours | null;
  readonly loss?: "simplified" | "not understood";
}

const NOT_UNDERSTOOD: OsmHours = { hours: null, loss: "not understood" };

/** The wiki allows 255 characters; a few exports join several values. */
const MAX_TEXT_LENGTH = 1000;

/** Rules that follow the sun are read with the library's fixed 06:00 and 18:00. */
const FOLLOWS_THE_SUN = /sunrise|sunset|dawn|dusk/i;

/** Words that make one week unlike another for more reasons than a public holiday. */
const VARIES =
  /jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|week|easter|summer|winter|spring|autumn|\[|20\d\d/i;

const HAS_HOLIDAYS = /\bPH\b/i;

/** A year of days, so that each day that departs from the week is met once, and enough without seasons to pass any holiday. */
const VARYING_DAYS = 53 * DAYS_PER_WEEK;
const HOLIDAY_DAYS = 3 * DAYS_PER_WEEK;

/** The week is the most usual of about a month from now: beyond it lies perhaps another season. */
const TYPICAL_DAYS = 5 * DAYS_PER_WEEK;

/** Two months of departing days; the rest of a season is left to the next import. */
const MAX_SPECIAL_DAYS = 60;

/**
 * The library's own calendar of holidays lacks the lunar new year, so it is asked only what holds *on* a holiday. For that
 * any country will do that it knows a fixed one of: Viet Nam's 2 September, which rules seldom name as a date.
 */
const ANY_COUNTRY = { lat: 0, lon: 0, address: { country_code: "vn", state: "" } };
const ANY_HOLIDAY = { month: 9, day: 2 };

/** Evaluates a text for the year that begins with `today`. */
export function parseOsmHours(text: string, today: Temporal.PlainDate): OsmHours {
  if (!isWorthParsing(text)) return NOT_UNDERSTOOD;
  const closedEnd = closeOpenEnds(text);
  const rules = parseRules(closedEnd);
  if (!rules) return parsePlainRanges(text);
  const monday = today.subtract({ days: today.dayOfWeek - 1 });
  const { hours, isComplete } = rules.isWeekStable()
    ? stableHours(rules, monday)
    : varyingHours(rules, text, monday);
  const all = [...hours.week, ...hours.special_days.map(({ ranges }) => ranges)];
  // Never open in the coming year: a rule of a year gone by, or one that says something else than it was meant to.
  if (all.every((ranges) => ranges.length === 0)) return NOT_UNDERSTOOD;
  const isExact = isComplete && closedEnd === text && !FOLLOWS_THE_SUN.test(text);
  return isExact ? { hours } : { hours, loss: "simplified" };
}

/**
 * "Mo-Fr" alone names days and no hours, which the library takes for day and night. School holidays ("SH") it knows of a few
 * countries only, and complains about the others on the terminal.
 */
function isWorthParsing(text: string): boolean {
  return (
    text.length <= MAX_TEXT_LENGTH && (/\d/.test(text) || FOLLOWS_THE_SUN.test(text)) && !/\bSH\b/.test(text)
  );
}

/**
 * "18:00+" is open from six until nobody knows when, "18:00-22:00+" until ten or later. The library leaves such times out; here
 * the first counts until midnight and the second until ten, so that the place is not closed all evening.
 */
const closeOpenEnds = (text: string): string =>
  text.replaceAll(/(-\s*\d{1,2}:\d{2})\+/g, "$1").replaceAll(/(\d{1,2}:\d{2})\+/g, "$1-24:00");

/** The library throws strings, at the latest when a rule is first evaluated. */
function parseRules(text: string): OsmRules | undefined {
  const OpeningHours = osmHours();
  try {
    const rules = new OpeningHours(text, ANY_COUNTRY);
    rules.getState(new Date(2000, 0, 1));
    return rules;
  } catch {
    return undefined;
  }
}

/** What people write who do not know the rules: "7h30 - 22h", meant for every day. */
function parsePlainRanges(text: string): OsmHours {
  const ranges = parseOpeningRanges(text);
  if (!ranges?.length) return NOT_UNDERSTOOD;
  return { hours: { week: Array.from({ length: DAYS_PER_WEEK }, () => ranges), special_days: [] } };
}

interface Evaluated {
  readonly hours: DraftHours;
  readonly isComplete: boolean;
}

function stableHours(rules: OsmRules, monday: Temporal.PlainDate): Evaluated {
  const { days, hasUnknown } = evaluateDays(rules, monday, DAYS_PER_WEEK);
  return { hours: { week: days, special_days: [] }, isComplete: !hasUnknown };
}

/** The usual week, the dates that depart from it, and what holds on public holidays. */
function varyingHours(rules: OsmRules, text: string, monday: Temporal.PlainDate): Evaluated {
  const count = VARIES.test(text) ? VARYING_DAYS : HOLIDAY_DAYS;
  const { days, hasUnknown } = evaluateDays(rules, monday, count);
  const dated = days.map((ranges, index) => ({ date: monday.add({ days: index }), ranges }));
  const ordinary = HAS_HOLIDAYS.test(text) ? dated.filter(({ date }) => !isByHoliday(rules, date)) : dated;
  const week = usualWeek(ordinary.filter(({ date }) => date.since(monday).days < TYPICAL_DAYS));
  const departing = ordinary.filter(({ date, ranges }) => !isSame(ranges, week[date.dayOfWeek - 1]));
  const specialDays = departing
    .slice(0, MAX_SPECIAL_DAYS)
    .map(({ date, ranges }) => ({ date: date.toString(), ranges }));
  const holidays = HAS_HOLIDAYS.test(text) ? holidayWeek(rules, monday.year) : week;
  return {
    hours: { week, special_days: specialDays, ...(!isSame(holidays, week) && { holidays }) },
    isComplete: !hasUnknown && departing.length <= MAX_SPECIAL_DAYS,
  };
}

interface DatedRanges {
  readonly date: Temporal.PlainDate;
  readonly ranges: OpenRange[];
}

/** A night that begins on the eve of a holiday is cut at midnight, so the eve tells nothing of its weekday either. */
function isByHoliday(rules: OsmRules, date: Temporal.PlainDate): boolean {
  return [date, date.add({ days: 1 })].some(
    ({ year, month, day }) => rules.getPublicHolidayContext(new Date(year, month - 1, day, 12)).isHoliday,
  );
}

/** For each weekday the ranges that most of its dates have. */
function usualWeek(days: readonly DatedRanges[]): OpenRange[][] {
  const byWeekday = Map.groupBy(days, ({ date }) => date.dayOfWeek - 1);
  return Array.from({ length: DAYS_PER_WEEK }, (_, weekday) => {
    const kinds = Map.groupBy(byWeekday.get(weekday) ?? [], ({ ranges }) => JSON.stringify(ranges));
    const [usual] = [...kinds.values()].toSorted((a, b) => b.length - a.length);
    return usual?.[0]?.ranges ?? [];
  });
}

/** What holds on a holiday that falls on each weekday: some rules close on holidays from Monday to Friday only. */
function holidayWeek(rules: OsmRules, firstYear: number): OpenRange[][] {
  const week: OpenRange[][] = Array.from({ length: DAYS_PER_WEEK }, () => []);
  // In eleven years a date falls on every weekday at least once.
  for (let year = firstYear + 11; year >= firstYear; year -= 1) {
    const date = Temporal.PlainDate.from({ year, ...ANY_HOLIDAY });
    week[date.dayOfWeek - 1] = evaluateDays(rules, date, 1).days[0] ?? [];
  }
  return week;
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const MS_PER_MINUTE = 60_000;

/** What the rules say of some days in a row. */
interface EvaluatedDays {
  /** One list for each day, of the ranges that begin on it. */
  readonly days: OpenRange[][];
  /** True where the rules themselves leave open whether it is open ("by appointment", an open end). Such times are left out. */
  readonly hasUnknown: boolean;
}

/**
 * The ranges of `count` days from `first` on. The library reckons with the process's own clock, which therefore has to run
 * without daylight saving (`TZ=UTC`); local times of the place go in and come out.
 */
function evaluateDays(rules: OsmRules, first: Temporal.PlainDate, count: number): EvaluatedDays {
  // A day more at both ends: a night that began the evening before, one that ends the morning after.
  const start = toDate(first.subtract({ days: 1 }));
  const intervals = rules.getOpenIntervals(start, toDate(first.add({ days: count + 1 })));
  const days: OpenRange[][] = Array.from({ length: count }, () => []);
  for (const [opens, closes, isUnknown] of intervals) {
    if (isUnknown) continue;
    const from = minutesBetween(start, opens) - MINUTES_PER_DAY;
    for (const [begin, end] of splitLongOpening(from, minutesBetween(start, closes) - MINUTES_PER_DAY)) {
      const day = Math.floor(begin / MINUTES_PER_DAY);
      days[day]?.push([begin - day * MINUTES_PER_DAY, end - day * MINUTES_PER_DAY]);
    }
  }
  return { days, hasUnknown: intervals.some(([, , isUnknown]) => isUnknown) };
}

/** Up to a day it is one range of the day it begins on; what is open longer is open from midnight to midnight. */
function splitLongOpening(from: number, to: number): [number, number][] {
  if (to - from <= MINUTES_PER_DAY) return [[from, to]];
  const midnight = (Math.floor(from / MINUTES_PER_DAY) + 1) * MINUTES_PER_DAY;
  const later = Array.from(
    { length: Math.ceil((to - midnight) / MINUTES_PER_DAY) },
    (_, day): [number, number] => {
      const begin = midnight + day * MINUTES_PER_DAY;
      return [begin, Math.min(to, begin + MINUTES_PER_DAY)];
    },
  );
  return [[from, midnight], ...later];
}

const toDate = ({ year, month, day }: Temporal.PlainDate): Date => new Date(year, month - 1, day);

const minutesBetween = (from: Date, to: Date): number => (to.getTime() - from.getTime()) / MS_PER_MINUTE;
