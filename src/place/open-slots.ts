import { memoize } from "./text/memoize.ts";
import type { OpeningHours, OpenRange, PlaceDocument } from "./place-document.ts";
import { MINUTES_PER_DAY, MINUTES_PER_HOUR, MINUTES_PER_WEEK } from "./time-units.ts";

/**
 * A copy of opening hours that can be filtered by value, exact to the minute: a range is put together of the longest parts of the
 * week that fit, as an amount is of coins (7:00–22:00 is 7–8, 8–9, 9–12, 12–18, 18–21 and 21–22). A moment lies in one part of
 * each length, so a place is open when it has one of them. These lengths, in minutes, each hold the next several times; with them
 * usual hours need some forty parts a week.
 */
const PART_MINUTES = [MINUTES_PER_WEEK, MINUTES_PER_DAY, 360, 180, 60, 30, 15, 5, 1] as const;

/**
 * Forty of these lie in every document, so they are short: two letters for the time zone, one for the length of the part and its
 * number. Zones that share their letters only let a few too many places through.
 */
function partName(zone: string, length: number, minute: number): string {
  const part = Math.floor((minute % MINUTES_PER_WEEK) / (PART_MINUTES[length] ?? 1));
  return `${zone}${"abcdefghi"[length]}${part}`;
}

const zoneLetters = memoize((timezone) => {
  const hash = Array.from(timezone).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1296, 0);
  return hash.toString(36).padStart(2, "0");
});

/**
 * The parts of the week in which a place is open, each with the time zone whose clock it means, such as `k3d18`; none for unknown
 * hours and closed businesses. Dates with hours of their own are not minded.
 */
export function openSlotsOf(place: PlaceDocument): string[] {
  if (place.opening_hours === null || place.business_status !== "operational") return [];
  return [...slotsOfWeek(JSON.stringify([zoneLetters(place.location.timezone), place.opening_hours.week]))];
}

/** By zone and week as JSON: whole streets open at nine and close at six. */
const slotsOfWeek = memoize((json): readonly string[] => {
  const [zone, week] = JSON.parse(json) as [string, OpeningHours["week"]];
  const ranges = week.flatMap((day, index) =>
    day.map(([opens, closes]): OpenRange => [
      index * MINUTES_PER_DAY + opens,
      index * MINUTES_PER_DAY + closes,
    ]),
  );
  return [...new Set(ranges.flatMap((range) => partsOf(range, zone)))];
});

/** The fewest parts that make out a range of minutes of the week. It may go on into the next week. */
function partsOf([opens, closes]: OpenRange, zone: string): string[] {
  const parts: string[] = [];
  for (let minute = opens; minute < closes;) {
    const length = PART_MINUTES.findIndex((part) => minute % part === 0 && minute + part <= closes);
    parts.push(partName(zone, length, minute));
    minute += PART_MINUTES[length] ?? 1;
  }
  return parts;
}

/** All parts of the week that hold the moment, by the clock of each time zone; zones that are unknown here have none. */
export function slotsAt(moment: Temporal.Instant, timezones: Iterable<string>): string[] {
  return [...timezones].flatMap((timezone) => {
    const zone = zoneLetters(timezone);
    return minutesOfWeek(moment, timezone).flatMap((minute) =>
      PART_MINUTES.map((_, length) => partName(zone, length, minute)),
    );
  });
}

/** No clock is put back by more (Antarctica/Troll). */
const LONGEST_STEP_BACK = { hours: 2 };

/**
 * What the clock shows; none in an unknown time zone. While a clock that was put back shows again what it showed before, what
 * was open at the last minute before the change may be open still: then that minute counts too.
 */
function minutesOfWeek(moment: Temporal.Instant, timezone: string): number[] {
  try {
    const clock = moment.toZonedDateTimeISO(timezone);
    const before = moment.subtract(LONGEST_STEP_BACK).toZonedDateTimeISO(timezone);
    if (before.offsetNanoseconds <= clock.offsetNanoseconds) return [minuteOfWeek(clock)];
    const change = before.getTimeZoneTransition("next") ?? clock;
    return [minuteOfWeek(clock), minuteOfWeek(change.subtract({ minutes: 1 }))];
  } catch {
    return [];
  }
}

const minuteOfWeek = ({ dayOfWeek, hour, minute }: Temporal.ZonedDateTime): number =>
  (dayOfWeek - 1) * MINUTES_PER_DAY + hour * MINUTES_PER_HOUR + minute;

/** The dates that may be today or, for what opened before midnight, yesterday somewhere on Earth (UTC−12 to UTC+14). */
export function datesAround(moment: Temporal.Instant): string[] {
  const today = moment.toZonedDateTimeISO("UTC").toPlainDate();
  return [-2, -1, 0, 1].map((days) => today.add({ days }).toString());
}
