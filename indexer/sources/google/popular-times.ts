import type { PlaceDocument } from "../../../src/place/place-document.ts";
import { parseDay } from "../native/days.ts";

type PopularTimes = PlaceDocument["popular_times"];

/** How busy one hour of a day is, as a source has it. */
export interface BusyHour {
  readonly day: string;
  /** `6`, `06:00`, `6 AM`, `6 SA`. */
  readonly hour: string;
  readonly percent: number;
}

const DAYS_PER_WEEK = 7;

/** Seven lists, Monday first, and how many hours could not be read. No list at all when no hour could. */
export function toPopularTimes(hours: readonly BusyHour[]): { week: PopularTimes; dropped: number } {
  const week = Array.from({ length: DAYS_PER_WEEK }, () => new Map<number, number>());
  let dropped = 0;
  for (const { day, hour: text, percent } of hours) {
    const ofDay = week[parseDay(day) ?? -1];
    const hour = parseHour(text);
    if (ofDay && hour !== undefined && percent >= 0 && percent <= 100) ofDay.set(hour, Math.round(percent));
    else dropped += 1;
  }
  const isEmpty = week.every((ofDay) => ofDay.size === 0);
  return { week: isEmpty ? [] : week.map(toSortedHours), dropped };
}

const toSortedHours = (ofDay: ReadonlyMap<number, number>): PopularTimes[number] =>
  [...ofDay]
    .toSorted(([one], [other]) => one - other)
    .map(([hour, occupancy_percent]) => ({ hour, occupancy_percent }));

const HOUR = /^(\d{1,2})(?::00| ?h| giờ)?(?: ?([ap])\.?m\.?| ?(sa|ch))?$/;

/** Midnight at the end of a day, 24, is left out: it belongs to the next day. */
function parseHour(text: string): number | undefined {
  const parts = HOUR.exec(text.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim());
  if (parts === null) return undefined;
  const half = parts[2] ?? (parts[3] === undefined ? undefined : parts[3] === "sa" ? "a" : "p");
  const hour = Number(parts[1]);
  if (half === undefined) return hour <= 23 ? hour : undefined;
  return hour >= 1 && hour <= 12 ? (hour % 12) + (half === "p" ? 12 : 0) : undefined;
}
