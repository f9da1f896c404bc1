import { memoize } from "../text/memoize.ts";
import { shortHash } from "../text/short-hash.ts";
import { USUAL, type OpeningHours, type OpenRange, type PlaceDocument } from "../document/place-document.ts";
import { MINUTES_PER_DAY, MINUTES_PER_HOUR } from "./time-units.ts";
import { mergeRanges } from "./opening-hours.ts";

/**
 * The lengths of the parts of a day in which opening hours are indexed, so that the engine can filter them to the minute, and how far
 * apart they begin, in minutes. The long ones overlap: 7:00–22:30 is 7–15, 14–22 and 22:00–22:30. A place is open at a moment when it
 * has one of the parts that the moment lies in: eight of eight hours, three of three hours, and one of each other length.
 */
const PARTS = [
  { length: MINUTES_PER_DAY, step: MINUTES_PER_DAY },
  { length: 480, step: MINUTES_PER_HOUR },
  { length: 180, step: MINUTES_PER_HOUR },
  { length: 60, step: 60 },
  { length: 30, step: 30 },
  { length: 15, step: 15 },
  { length: 5, step: 5 },
  { length: 1, step: 1 },
] as const;

/**
 * Days that often have the same hours, by one letter, the largest group first. What all days of a group have in common is filed
 * under the group: usual hours then need two or three parts a week instead of twenty.
 */
const DAY_GROUPS: readonly (readonly [letter: string, days: readonly number[]])[] = [
  ["d", [0, 1, 2, 3, 4, 5, 6]],
  ["w", [0, 1, 2, 3, 4]],
  ["e", [5, 6]],
  ...[0, 1, 2, 3, 4, 5, 6].map((day) => [String(day), [day]] as const),
];

/**
 * The name of a part: two letters for the time zone, one for the days, one for the length, and the number of its beginning in the day.
 * It is short because every document holds some.
 */
const partName = (zone: string, days: string, part: number, begins: number): string =>
  `${zone}${days}${"abcdefgh"[part]}${begins / PARTS[part]!.step}`;

/** Two letters for a time zone, and none for the usual one. Zones with the same letters only let a few too many places through a filter. */
export const zoneLetters = memoize((timezone) => (timezone === USUAL.timezone ? "" : shortHash(timezone, 2)));

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

/** A few parts that make up a range of minutes of a day: the longest first, wherever one fits. */
function partsOf([opens, closes]: OpenRange, zone: string, days: string): string[] {
  const names: string[] = [];
  for (let minute = opens; minute < closes;) {
    const part = PARTS.findIndex(({ length, step }) => minute % step === 0 && minute + length <= closes);
    const { length, step } = PARTS[part]!;
    names.push(partName(zone, days, part, minute));
    // What is left is shorter than the part: it is covered by one that overlaps it, as far as such parts end.
    const last = closes - (closes % step) - length;
    const isLast = minute + 2 * length > closes && last > minute;
    if (isLast) names.push(partName(zone, days, part, last));
    minute = isLast ? last + length : minute + length;
  }
  return names;
}

/** The parts that contain a minute of the day, by the place of their length in `PARTS` and their beginning. */
const partsAt = (minute: number): (readonly [part: number, begins: number])[] =>
  PARTS.flatMap(({ length, step }, part) => {
    const last = minute - (minute % step);
    const begins = Array.from({ length: length / step }, (_, index) => last - index * step);
    return begins
      .filter((start) => start >= 0 && start + length <= MINUTES_PER_DAY)
      .map((start) => [part, start] as const);
  });

/** All parts of the week that contain the moment, in each time zone's local time. Unknown zones have none. */
export function slotsAt(moment: Temporal.Instant, timezones: Iterable<string>): string[] {
  return [...timezones].flatMap((timezone) => {
    const zone = zoneLetters(timezone);
    return minutesOfWeek(moment, timezone).flatMap((minute) => {
      const day = Math.floor(minute / MINUTES_PER_DAY);
      const groups = DAY_GROUPS.filter(([, days]) => days.includes(day));
      const parts = partsAt(minute % MINUTES_PER_DAY);
      return groups.flatMap(([letter]) =>
        parts.map(([part, begins]) => partName(zone, letter, part, begins)),
      );
    });
  });
}

type LocalClock = Temporal.ZonedDateTime | undefined;

/** A request asks the clocks of a few time zones for hundreds of places. */
const clocksAt = new WeakMap<Temporal.Instant, Map<string, LocalClock>>();

/** The date and time that the local clock shows; `undefined` for an unknown time zone. */
export const readLocalClock = (moment: Temporal.Instant, timezone: string): LocalClock =>
  clocksAt
    .getOrInsertComputed(moment, () => new Map())
    .getOrInsertComputed(timezone, () => toLocalClock(moment, timezone));

function toLocalClock(moment: Temporal.Instant, timezone: string): LocalClock {
  try {
    return moment.toZonedDateTimeISO(timezone);
  } catch {
    return undefined;
  }
}

/** The most that any clock is put back (Antarctica/Troll). */
const LONGEST_STEP_BACK = { hours: 2 };

/** Longer than any opening hours of a day. */
const DAY_AND_MORE = { hours: 26 };

/** Whether the local clock was changed since the day before: then the parts of the week say only which places may be open. */
export function wasClockChanged(moment: Temporal.Instant, timezone: string): boolean {
  const [before, after] = [moment.subtract(DAY_AND_MORE), moment].map((one) => readLocalClock(one, timezone));
  return before?.offsetNanoseconds !== after?.offsetNanoseconds;
}

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
