import { readLocalClock, zoneLetters } from "./open-slots.ts";
import type { PlaceDocument } from "../document/place-document.ts";

/**
 * How busy a place usually is at a moment, from its popular times: the percentage of the hour that its local clock shows, on
 * the day of the week that its calendar shows. So 01:30 on Saturday belongs to Saturday, also where the place opened on Friday.
 */

type PopularTimes = PlaceDocument["popular_times"];

/** The fields that busyness is read from. */
interface BusyPlace {
  readonly location: Pick<PlaceDocument["location"], "timezone">;
  /** Packed popular times. */
  readonly busy_hours?: string;
}

/** The percentage at a moment and the local hour, 0 to 23; `undefined` where nothing is known of the hour. */
export function readBusyness(
  { location, busy_hours = "" }: BusyPlace,
  moment: Temporal.Instant,
): PopularTimes[number][number] | undefined {
  const clock = readLocalClock(moment, location.timezone);
  const day = clock && busy_hours.split(DAY_SEPARATOR)[clock.dayOfWeek - 1];
  return day === undefined ? undefined : unpackDay(day).find(({ hour }) => hour === clock?.hour);
}

const DAY_SEPARATOR = "|";
const HOUR_LETTERS = "abcdefghijklmnopqrstuvwx";

/** Popular times as a short text: for each hour a letter and two digits in base 36, a tenth of the length of the JSON. */
export const packPopularTimes = (days: PopularTimes): string =>
  days
    .map((hours) =>
      hours
        .map(({ hour, occupancy_percent: percent }) =>
          [HOUR_LETTERS[hour], percent.toString(36).padStart(2, "0")].join(""),
        )
        .join(""),
    )
    .join(DAY_SEPARATOR);

/** Reads popular times as `packPopularTimes` wrote them. */
export function unpackPopularTimes(text: string): PopularTimes {
  if (text === "") return [];
  return text.split(DAY_SEPARATOR).map(unpackDay);
}

function unpackDay(day: string): PopularTimes[number] {
  const hours: PopularTimes[number] = [];
  for (let at = 0; at < day.length; at += 3) {
    const percent = Number.parseInt(day.slice(at + 1, at + 3), 36);
    hours.push({ hour: HOUR_LETTERS.indexOf(day[at] ?? ""), occupancy_percent: percent });
  }
  return hours;
}

/** The index filters busyness in steps of this size. The exact percentages decide among what it lets through. */
const STEP_PERCENT = 10;

/** Letters for the time zone, one for the hour, and one for the step. */
const slotName = (zone: string, hour: number, percent: number): string =>
  `${zone}${HOUR_LETTERS[hour]}${HOUR_LETTERS[Math.floor(percent / STEP_PERCENT)]}`;

/**
 * For each hour of the day one value with the quietest percentage that any day of the week has then. With a value for each hour
 * of the week, the index would take twice as much disk for a place.
 */
export function busySlotsOf({ location, popular_times: days }: PlaceDocument): string[] {
  const quietest = new Map<number, number>();
  for (const { hour, occupancy_percent: percent } of days.flat())
    quietest.set(hour, Math.min(percent, quietest.get(hour) ?? percent));
  const zone = zoneLetters(location.timezone);
  return Array.from(quietest, ([hour, percent]) => slotName(zone, hour, percent));
}

/** The values of all places that may be at most so busy at a moment. */
export function busySlotsAt(
  moment: Temporal.Instant,
  maxPercent: number,
  timezones: Iterable<string>,
): string[] {
  const steps = Array.from({ length: Math.floor(maxPercent / STEP_PERCENT) + 1 }, (_, step) => step);
  return [...timezones].flatMap((timezone) => {
    const clock = readLocalClock(moment, timezone);
    return clock ? steps.map((step) => slotName(zoneLetters(timezone), clock.hour, step * STEP_PERCENT)) : [];
  });
}
