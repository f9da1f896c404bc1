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

/**
 * The index filters busyness in steps of this size, each with the percentage that it ends with: people ask for multiples of ten. The exact
 * percentages decide among what it lets through.
 */
const STEP_PERCENT = 10;

/** Monday to Friday, and the days after them, of which the busiest hours differ most: 0 is Monday. */
const FIRST_OF_WEEKEND = 5;

/** Weekdays, the weekend, or every day of the week. */
type Days = "w" | "e" | "d";

const stepOf = (percent: number): number => Math.ceil(percent / STEP_PERCENT);

/** Letters for the time zone, and one each for the days, the hour and the step. */
const slotName = (zone: string, days: Days, hour: number, step: number): string =>
  `${zone}${days}${HOUR_LETTERS[hour]}${HOUR_LETTERS[step]}`;

/**
 * For each hour of the day the quietest step of any weekday and of any day of the weekend, as one value where they are the same. With a
 * value for each hour of the week, the index would take twice as much disk for a place; with one for each hour of the day, it lets
 * six to thirty times as many demo places through for "at most 10 %" as there are, and each takes the server 0.2 ms.
 */
export function busySlotsOf({ location, popular_times: days }: PlaceDocument): string[] {
  const zone = zoneLetters(location.timezone);
  const weekdays = quietestSteps(days.slice(0, FIRST_OF_WEEKEND));
  const weekend = quietestSteps(days.slice(FIRST_OF_WEEKEND));
  const slotsOf = (name: Days, steps: ReadonlyMap<number, number>, others: ReadonlyMap<number, number>) =>
    Array.from(steps, ([hour, step]) => slotName(zone, others.get(hour) === step ? "d" : name, hour, step));
  return [...new Set([...slotsOf("w", weekdays, weekend), ...slotsOf("e", weekend, weekdays)])];
}

/** By hour. */
function quietestSteps(days: PopularTimes): ReadonlyMap<number, number> {
  const steps = new Map<number, number>();
  for (const { hour, occupancy_percent: percent } of days.flat())
    steps.set(hour, Math.min(stepOf(percent), steps.get(hour) ?? Infinity));
  return steps;
}

/** The values of all places that may be at most so busy at a moment. */
export function busySlotsAt(
  moment: Temporal.Instant,
  maxPercent: number,
  timezones: Iterable<string>,
): string[] {
  const steps = Array.from({ length: stepOf(maxPercent) + 1 }, (_, step) => step);
  return [...timezones].flatMap((timezone) => {
    const clock = readLocalClock(moment, timezone);
    if (!clock) return [];
    const days: readonly Days[] = ["d", clock.dayOfWeek > FIRST_OF_WEEKEND ? "e" : "w"];
    const zone = zoneLetters(timezone);
    return days.flatMap((name) => steps.map((step) => slotName(zone, name, clock.hour, step)));
  });
}
