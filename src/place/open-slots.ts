import { memoize } from "./text/memoize.ts";
import type { OpeningHours, OpenRange, PlaceDocument } from "./place-document.ts";
import { MINUTES_PER_DAY, MINUTES_PER_HOUR, MINUTES_PER_WEEK } from "./time-units.ts";

/**
 * The lengths, in minutes, of the parts of a week in which opening hours are indexed, so that the engine can
 * filter them to the minute. A range is made of the longest parts that fit, as an amount is made of coins:
 * 7:00–22:00 is 7–8, 8–9, 9–12, 12–18, 18–21 and 21–22. A moment lies in one part of each length, and a place
 * is open when it has one of these parts. Each length is a multiple of the next; usual hours then need about
 * forty parts a week.
 */
const PART_MINUTES = [MINUTES_PER_WEEK, MINUTES_PER_DAY, 360, 180, 60, 30, 15, 5, 1] as const;

/**
 * The name of a part: two letters for the time zone, one for the length, and the number of the part. It is
 * short because every document holds about forty.
 */
function partName(zone: string, length: number, minute: number): string {
  const part = Math.floor((minute % MINUTES_PER_WEEK) / (PART_MINUTES[length] ?? 1));
  return `${zone}${"abcdefghi"[length]}${part}`;
}

/** Two letters for a time zone. Zones with the same letters only let a few too many places through a filter. */
export const zoneLetters = memoize((timezone) => {
  const hash = Array.from(timezone).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1296, 0);
  return hash.toString(36).padStart(2, "0");
});

/**
 * The parts of the week in which a place is open, in its local time, such as `k3d18`. Empty for unknown hours
 * and closed businesses. Special days are ignored.
 */
export function openSlotsOf(place: PlaceDocument): string[] {
  if (place.opening_hours === null || place.business_status !== "operational") return [];
  return [...slotsOfWeek(JSON.stringify([zoneLetters(place.location.timezone), place.opening_hours.week]))];
}

/** By zone and week as JSON: many places share the same hours. */
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

/**
 * The fewest parts that make up a range of minutes of the week. The range may continue into the next week.
 */
function partsOf([opens, closes]: OpenRange, zone: string): string[] {
  const parts: string[] = [];
  for (let minute = opens; minute < closes;) {
    const length = PART_MINUTES.findIndex((part) => minute % part === 0 && minute + part <= closes);
    parts.push(partName(zone, length, minute));
    minute += PART_MINUTES[length] ?? 1;
  }
  return parts;
}

/** All parts of the week that contain the moment, in each time zone's local time. Unknown zones have none. */
export function slotsAt(moment: Temporal.Instant, timezones: Iterable<string>): string[] {
  return [...timezones].flatMap((timezone) => {
    const zone = zoneLetters(timezone);
    return minutesOfWeek(moment, timezone).flatMap((minute) =>
      PART_MINUTES.map((_, length) => partName(zone, length, minute)),
    );
  });
}

/** The date and time that the local clock shows; `undefined` for an unknown time zone. */
export function readLocalClock(
  moment: Temporal.Instant,
  timezone: string,
): Temporal.ZonedDateTime | undefined {
  try {
    return moment.toZonedDateTimeISO(timezone);
  } catch {
    return undefined;
  }
}

/** The most that any clock is put back (Antarctica/Troll). */
const LONGEST_STEP_BACK = { hours: 2 };

/**
 * The minutes of the week that the local clock shows; empty for an unknown time zone. After a clock was put
 * back it repeats the times before the change. What was open in the last minute before it may still be open,
 * so that minute counts too.
 */
function minutesOfWeek(moment: Temporal.Instant, timezone: string): number[] {
  const clock = readLocalClock(moment, timezone);
  const before = readLocalClock(moment.subtract(LONGEST_STEP_BACK), timezone);
  if (clock === undefined || before === undefined) return [];
  if (before.offsetNanoseconds <= clock.offsetNanoseconds) return [minuteOfWeek(clock)];
  const change = before.getTimeZoneTransition("next") ?? clock;
  return [minuteOfWeek(clock), minuteOfWeek(change.subtract({ minutes: 1 }))];
}

const minuteOfWeek = ({ dayOfWeek, hour, minute }: Temporal.ZonedDateTime): number =>
  (dayOfWeek - 1) * MINUTES_PER_DAY + hour * MINUTES_PER_HOUR + minute;

/**
 * The dates that may be today anywhere on Earth (UTC−12 to UTC+14), or yesterday for ranges that began before
 * midnight.
 */
export function datesAround(moment: Temporal.Instant): string[] {
  const today = moment.toZonedDateTimeISO("UTC").toPlainDate();
  return [-2, -1, 0, 1].map((days) => today.add({ days }).toString());
}
