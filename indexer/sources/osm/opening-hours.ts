import type OsmRules from "opening_hours";
import { parseOpeningRanges } from "../../../src/place/time/opening-hours.ts";
import type { OpenRange } from "../../../src/place/document/place-document.ts";
import { osmHours } from "../../large-libraries.ts";
import type { DraftHours } from "../../clean/place-draft.ts";
import { DAYS_PER_WEEK, MINUTES_PER_DAY, MS_PER_MINUTE } from "../../../src/place/time/time-units.ts";

/** The hours of an OpenStreetMap `opening_hours` text, and whether some of its meaning was lost. */
export interface OsmHours {
  readonly hours: DraftHours | null;
  readonly loss?: "simplified" | "not understood";
}

const NOT_UNDERSTOOD: OsmHours = { hours: null, loss: "not understood" };

/** OpenStreetMap stores 255 characters. A few exports join two values. The time that the library needs grows faster than the text. */
const MAX_TEXT_LENGTH = 512;

/** No year and no time. The library goes through all years up to such a number, and would not end. */
const LONG_NUMBER = /\d{5}/;
const COMMENTS = /"[^"]*"/g;

/** Rules that follow the sun use the library's fixed 06:00 and 18:00. */
const FOLLOWS_THE_SUN = /sunrise|sunset|dawn|dusk/i;

/** Words for reasons other than public holidays why weeks differ. */
const VARIES =
  /jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|week|easter|summer|winter|spring|autumn|\[|20\d\d/i;

const HAS_HOLIDAYS = /\bPH\b/i;

/** One year, so that each unusual day occurs once. Without seasons, this also covers every holiday. */
const VARYING_DAYS = 53 * DAYS_PER_WEEK;
const HOLIDAY_DAYS = 3 * DAYS_PER_WEEK;

/** The usual week is computed from about a month. A longer period might include another season. */
const TYPICAL_DAYS = 5 * DAYS_PER_WEEK;

/** Two months of unusual days. The next import adds the rest of a season. */
const MAX_SPECIAL_DAYS = 60;

/**
 * The country for the holiday rules. The library's calendar lacks the lunar new year, so it only computes the
 * hours *on* a holiday. For that, any country with a known fixed holiday will do: Vietnam's 2 September, a
 * date that rules seldom name.
 */
const ANY_COUNTRY = { lat: 0, lon: 0, address: { country_code: "vn", state: "" } };
const ANY_HOLIDAY = { month: 9, day: 2 };

/** Evaluates a text for the year that begins with `today`. */
export function parseOsmHours(given: string, today: Temporal.PlainDate): OsmHours {
  // The library needs twice the time for each further space of a run: thirty take minutes.
  const text = given.replaceAll(/\s+/g, " ").trim();
  if (!isWorthParsing(text)) return NOT_UNDERSTOOD;
  const closedEnd = closeOpenEnds(text);
  const rules = parseRules(closedEnd);
  if (!rules) return parsePlainRanges(text);
  const monday = today.subtract({ days: today.dayOfWeek - 1 });
  const { hours, isComplete } = rules.isWeekStable()
    ? stableHours(rules, monday)
    : varyingHours(rules, text, monday);
  const all = [...hours.week, ...hours.special_days.map(({ ranges }) => ranges)];
  // Never open in the coming year: a rule for a past year, or one with a mistake.
  if (all.every((ranges) => ranges.length === 0)) return NOT_UNDERSTOOD;
  const isExact = isComplete && closedEnd === text && !FOLLOWS_THE_SUN.test(text);
  return isExact ? { hours } : { hours, loss: "simplified" };
}

/**
 * "Mo-Fr" alone names days without hours, which the library takes as open day and night. It knows school
 * holidays ("SH") only for a few countries, and prints warnings about others.
 */
function isWorthParsing(text: string): boolean {
  return (
    text.length <= MAX_TEXT_LENGTH &&
    (/\d/.test(text) || FOLLOWS_THE_SUN.test(text)) &&
    !/\bSH\b/.test(text) &&
    !LONG_NUMBER.test(text.replaceAll(COMMENTS, ""))
  );
}

/**
 * Handles open ends: "18:00+" is open from six without a known end, "18:00-22:00+" until ten or later. The
 * library leaves such times out. Here the first ends at midnight and the second at ten, so that the place is
 * not closed all evening.
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

/** Parses simple ranges that are not in the syntax: "7h30 - 22h", meant for every day. */
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

/** The usual week, the dates that differ from it, and the hours on public holidays. */
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

/**
 * A night that begins on the eve of a holiday is cut at midnight, so the eve is not typical of its weekday
 * either.
 */
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

/** The hours on a holiday for each weekday: some rules close only on holidays from Monday to Friday. */
function holidayWeek(rules: OsmRules, firstYear: number): OpenRange[][] {
  const week: OpenRange[][] = Array.from({ length: DAYS_PER_WEEK }, () => []);
  // Within eleven years, a date falls on every weekday at least once.
  for (let year = firstYear + 11; year >= firstYear; year -= 1) {
    const date = Temporal.PlainDate.from({ year, ...ANY_HOLIDAY });
    week[date.dayOfWeek - 1] = evaluateDays(rules, date, 1).days[0] ?? [];
  }
  return week;
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The result of evaluating rules for several consecutive days. */
interface EvaluatedDays {
  /** The ranges that begin on each day. */
  readonly days: OpenRange[][];
  /**
   * True where the rules do not say whether it is open ("by appointment", an open end). Such times are left
   * out.
   */
  readonly hasUnknown: boolean;
}

/**
 * Evaluates `count` days from `first`. The library uses the process's clock, which must have no daylight
 * saving (`TZ=UTC`). Its times are local times of the place.
 */
function evaluateDays(rules: OsmRules, first: Temporal.PlainDate, count: number): EvaluatedDays {
  // One extra day at both ends, for nights that began the evening before or end the morning after.
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

/**
 * An opening of up to a day is one range of the day on which it begins. A longer one is split at midnight.
 */
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
