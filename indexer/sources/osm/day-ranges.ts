import type opening_hours from "opening_hours";
import type { OpenRange } from "../../../src/place/place-document.ts";

const MINUTES_PER_DAY = 1440;
const MS_PER_MINUTE = 60_000;

/** What the rules say of some days in a row. */
export interface EvaluatedDays {
  /** One list for each day, of the ranges that begin on it. */
  readonly days: OpenRange[][];
  /** True where the rules themselves leave open whether it is open ("by appointment", an open end). Such times are left out. */
  readonly hasUnknown: boolean;
}

/**
 * The ranges of `count` days from `first` on. The library reckons with the process's own clock, which therefore has to run
 * without daylight saving (`TZ=UTC`); local times of the place go in and come out.
 */
export function evaluateDays(rules: opening_hours, first: Temporal.PlainDate, count: number): EvaluatedDays {
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
