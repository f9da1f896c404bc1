import { MINUTES_PER_DAY, MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from "./time-units.ts";

/**
 * How many days after today are computed: the eight that open states look ahead, one more, and the night
 * after it.
 */
const DAYS_AHEAD = 10;

/**
 * A request reads two or three zones. A few hundred entries (about 1 KB each) hold all the world's zones for
 * an hour.
 */
const MAX_CACHED = 500;

/** One calendar day of a time zone. */
export interface LocalDay {
  /** ISO 8601, as in `special_days`. */
  readonly date: string;
  /** 0 is Monday. */
  readonly weekday: number;
  readonly startMs: number;
  /** False on a day on which the clock is changed. */
  readonly hasEvenClock: boolean;
}

/** Yesterday, today (at index `TODAY`) and the days after it in one time zone. */
export interface LocalDays {
  readonly timezone: string;
  readonly days: readonly LocalDay[];
}

/** The index of today in `LocalDays.days`. */
export const TODAY = 1;

const cache = new Map<string, LocalDays | undefined>();

/**
 * The local days around a moment; `undefined` for an unknown time zone. Results are cached: a page of places
 * shares one or two zones, and computing the days costs far more than reading a place's hours with them.
 */
export function readLocalDays(timezone: string, nowMs: number): LocalDays | undefined {
  const key = `${timezone} ${Math.floor(nowMs / MS_PER_HOUR)}`;
  const known = cache.get(key);
  if (known === undefined ? cache.has(key) : isToday(known, nowMs)) return known;
  if (cache.size >= MAX_CACHED) cache.clear();
  const made = buildLocalDays(timezone, nowMs);
  cache.set(key, made);
  return made;
}

/**
 * The first moment at which the local clock shows a minute of a day or has passed it. Where the clock is put
 * forward over that minute, it is the moment of the change; where the minute comes twice, it is the first.
 * Minutes from 1440 on belong to the next day.
 */
export function toEpochMs({ timezone, days }: LocalDays, dayIndex: number, minute: number): number {
  const isNextDay = minute >= MINUTES_PER_DAY;
  const day = days[isNextDay ? dayIndex + 1 : dayIndex];
  if (day === undefined) return Number.POSITIVE_INFINITY;
  const minuteOfDay = isNextDay ? minute - MINUTES_PER_DAY : minute;
  return day.hasEvenClock
    ? day.startMs + minuteOfDay * MS_PER_MINUTE
    : firstMomentMs(timezone, day.date, minuteOfDay);
}

function isToday({ days }: LocalDays, nowMs: number): boolean {
  const today = days[TODAY];
  const tomorrow = days[TODAY + 1];
  return today !== undefined && tomorrow !== undefined && today.startMs <= nowMs && nowMs < tomorrow.startMs;
}

function buildLocalDays(timezone: string, nowMs: number): LocalDays | undefined {
  try {
    const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timezone).toPlainDate();
    const dates = Array.from({ length: TODAY + DAYS_AHEAD + 2 }, (_, index) =>
      today.add({ days: index - TODAY }),
    );
    const starts = dates.map((date) => date.toZonedDateTime(timezone).epochMilliseconds);
    const days = dates.slice(0, -1).map((date, index) => toLocalDay(date, starts[index], starts[index + 1]));
    return { timezone, days };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function toLocalDay(date: Temporal.PlainDate, startMs = 0, endMs = 0): LocalDay {
  return {
    date: date.toString(),
    weekday: date.dayOfWeek - 1,
    startMs,
    hasEvenClock: endMs - startMs === MS_PER_DAY,
  };
}

function firstMomentMs(timezone: string, date: string, minuteOfDay: number): number {
  const clock = { hour: Math.floor(minuteOfDay / 60), minute: minuteOfDay % 60 };
  const shown = Temporal.PlainDate.from(date).toPlainDateTime(clock);
  const earlier = shown.toZonedDateTime(timezone, { disambiguation: "earlier" });
  if (earlier.toPlainDateTime().equals(shown)) return earlier.epochMilliseconds;
  return (earlier.getTimeZoneTransition("next") ?? earlier).epochMilliseconds;
}
