import { memoize } from "./text/memoize.ts";
import type { OpeningHours, OpenRange, PlaceDocument } from "./place-document.ts";
import { MINUTES_PER_DAY, MINUTES_PER_HOUR } from "./time-units.ts";
import { mergeRanges } from "./opening-hours.ts";

/**
 * The lengths, in minutes, of the parts of a day in which opening hours are indexed, so that the engine can filter them to the
 * minute. A range is made of the longest parts that fit, as an amount is made of coins: 7:00–22:00 is 7–8, 8–9, 9–12, 12–18,
 * 18–21 and 21–22. A moment lies in one part of each length, and a place is open when it has one of these parts. Each length is a
 * multiple of the next.
 */
const PART_MINUTES = [MINUTES_PER_DAY, 360, 180, 60, 30, 15, 5, 1] as const;

/**
 * Days that often have the same hours, by one letter, the largest group first. What all days of a group have in common is filed
 * under the group: usual hours then need six parts a week instead of forty.
 */
const DAY_GROUPS: readonly (readonly [letter: string, days: readonly number[]])[] = [
  ["d", [0, 1, 2, 3, 4, 5, 6]],
  ["w", [0, 1, 2, 3, 4]],
  ["e", [5, 6]],
  ...[0, 1, 2, 3, 4, 5, 6].map((day) => [String(day), [day]] as const),
];

/**
 * The name of a part: two letters for the time zone, one for the days, one for the length, and the number of the part in the day.
 * It is short because every document holds some.
 */
const partName = (zone: string, days: string, length: number, minute: number): string =>
  `${zone}${days}${"abcdefgh"[length]}${Math.floor(minute / PART_MINUTES[length]!)}`;

/** Two letters for a time zone. Zones with the same letters only let a few too many places through a filter. */
export const zoneLetters = memoize((timezone) => {
  const hash = Array.from(timezone).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1296, 0);
  return hash.toString(36).padStart(2, "0");
});

/**
 * The parts of the week in which a place is open, in its local time, such as `k3dc18`. Empty for unknown hours
 * and closed businesses. Special days are ignored.
 */
export function openSlotsOf(place: PlaceDocument): string[] {
  if (place.opening_hours === null || place.business_status !== "operational") return [];
  return [...slotsOfWeek(JSON.stringify([zoneLetters(place.location.timezone), place.opening_hours.week]))];
}

/** By zone and week as JSON: many places share the same hours. */
const slotsOfWeek = memoize((json): readonly string[] => {
  const [zone, week] = JSON.parse(json) as [string, OpeningHours["week"]];
  let left = minutesOfDays(week);
  return DAY_GROUPS.flatMap(([letter, days]) => {
    const common = days.map((day) => left[day]!).reduce(inBoth);
    left = left.map((minutes, day) => (days.includes(day) ? without(minutes, common) : minutes));
    return common.flatMap((range) => partsOf(range, zone, letter));
  });
});

/** The open ranges of each day from midnight to midnight, in order. */
function minutesOfDays(week: OpeningHours["week"]): OpenRange[][] {
  return week.map((day, index) => {
    const before = week.at(index - 1) ?? [];
    const afterMidnight = before.map(([opens, closes]): OpenRange => [
      opens - MINUTES_PER_DAY,
      closes - MINUTES_PER_DAY,
    ]);
    const within = [...afterMidnight, ...day].map(([opens, closes]): OpenRange => [
      Math.max(0, opens),
      Math.min(MINUTES_PER_DAY, closes),
    ]);
    return mergeRanges(within.filter(([opens, closes]) => opens < closes));
  });
}

/** What lies in both lists of ranges. */
const inBoth = (one: readonly OpenRange[], other: readonly OpenRange[]): OpenRange[] =>
  one.flatMap(([opens, closes]) =>
    other
      .map(([from, to]): OpenRange => [Math.max(opens, from), Math.min(closes, to)])
      .filter(([from, to]) => from < to),
  );

/** What is left of the ranges without those of `taken`, which lie in them. */
const without = (ranges: readonly OpenRange[], taken: readonly OpenRange[]): OpenRange[] =>
  ranges.flatMap(([opens, closes]) => {
    const edges = taken.filter(([from]) => from >= opens && from < closes).flat();
    const pairs = [opens, ...edges, closes];
    return pairs
      .flatMap((edge, index): OpenRange[] => (index % 2 === 0 ? [[edge, pairs[index + 1]!]] : []))
      .filter(([from, to]) => from < to);
  });

/** The fewest parts that make up a range of minutes of a day. */
function partsOf([opens, closes]: OpenRange, zone: string, days: string): string[] {
  const parts: string[] = [];
  for (let minute = opens; minute < closes;) {
    const length = PART_MINUTES.findIndex((part) => minute % part === 0 && minute + part <= closes);
    parts.push(partName(zone, days, length, minute));
    minute += PART_MINUTES[length] ?? 1;
  }
  return parts;
}

/** All parts of the week that contain the moment, in each time zone's local time. Unknown zones have none. */
export function slotsAt(moment: Temporal.Instant, timezones: Iterable<string>): string[] {
  return [...timezones].flatMap((timezone) => {
    const zone = zoneLetters(timezone);
    return minutesOfWeek(moment, timezone).flatMap((minute) => {
      const day = Math.floor(minute / MINUTES_PER_DAY);
      const groups = DAY_GROUPS.filter(([, days]) => days.includes(day));
      return groups.flatMap(([letter]) =>
        PART_MINUTES.map((_, length) => partName(zone, letter, length, minute % MINUTES_PER_DAY)),
      );
    });
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
