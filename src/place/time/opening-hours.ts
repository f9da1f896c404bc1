import { dayName, type Language } from "../document/localized-texts.ts";
import type { OpeningHours, OpenRange } from "../document/place-document.ts";
import { memoize } from "../text/memoize.ts";
import { DAYS_PER_WEEK, MINUTES_PER_DAY, MINUTES_PER_HOUR } from "./time-units.ts";

/** A day has a handful of ranges; a longer text cannot be opening hours. */
const MAX_TEXT_LENGTH = 500;

/** One day of the `opening_hours` field of a response. */
export interface DayHours {
  day: string;
  hours: string;
}

const LIST_SIGN = /[,;、]/;

/** The dashes, tildes and words that people write between the opening and the closing time. */
const RANGE_SIGN = /[-‐‒–—―−~〜]| (?:to|until|đến|tới) /;

/** `7:30`, `07.30`, `7h30`, `7h`, `7 AM`, `7:30 p.m.` */
const TIME = /^(\d{1,2})([:.h]\d{2}|h)?(?: ?([ap])\.?m\.?)?$/;

const ALL_DAY: OpenRange = [0, MINUTES_PER_DAY];

/** Words that other datasets write in place of a range, for a whole day or for none. */
const DAY_WORDS: ReadonlyMap<string, readonly OpenRange[]> = new Map([
  ["open 24 hours", [ALL_DAY]],
  ["24 hours", [ALL_DAY]],
  ["24/7", [ALL_DAY]],
  ["mở cửa 24 giờ", [ALL_DAY]],
  ["mở cửa cả ngày", [ALL_DAY]],
  ["closed", []],
  ["đóng cửa", []],
]);

/**
 * Parses the ranges of one day from a text such as `07:00–11:30, 13:00–22:00` or `6 PM – 2 AM`. The result is
 * in order and without overlap. A closing time that is not after its opening time is on the next day. An
 * empty text is a closed day. Returns `undefined` when the text cannot be parsed.
 */
export function parseOpeningRanges(text: string): OpenRange[] | undefined {
  if (text.length > MAX_TEXT_LENGTH) return undefined;
  // NFKC turns all spaces (U+00A0 and U+202F are common) into one kind, and digits into one width.
  const plain = text.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim();
  if (plain === "") return [];
  const ranges = DAY_WORDS.get(plain) ?? plain.split(LIST_SIGN).map((part) => parseRange(part.trim()));
  return ranges.every((range) => range !== undefined) ? mergeRanges(ranges) : undefined;
}

/**
 * The text of one day: ranges joined by `, `. A range past midnight belongs to its opening day
 * (`18:00–02:00`). A closed day is empty.
 */
export function formatOpeningRanges(ranges: readonly OpenRange[]): string {
  return ranges.map(([opens, closes]) => `${formatClock(opens)}–${formatClock(closes)}`).join(", ");
}

/**
 * Formats a minute of a day, or of the day after it, as `HH:MM`. Midnight at the end of the day is `24:00`.
 */
export function formatClock(minute: number): string {
  const ofDay = minute > MINUTES_PER_DAY ? minute - MINUTES_PER_DAY : minute;
  const hour = Math.floor(ofDay / MINUTES_PER_HOUR);
  return `${String(hour).padStart(2, "0")}:${String(ofDay % MINUTES_PER_HOUR).padStart(2, "0")}`;
}

/** Returns the same minutes in order, with ranges that touch or overlap merged. Does not change its input. */
export function mergeRanges(ranges: readonly OpenRange[]): OpenRange[] {
  const merged: OpenRange[] = [];
  for (const [opens, closes] of ranges.toSorted((one, other) => one[0] - other[0])) {
    const last = merged.at(-1);
    if (last !== undefined && opens <= last[1]) last[1] = Math.max(last[1], closes);
    else merged.push([opens, closes]);
  }
  return merged.flatMap(splitAfterOneDay);
}

/** Seven days, Monday first, with localized names. Unknown hours and closed days are empty texts. */
export function toOpeningHoursWeek(hours: OpeningHours | null, language: Language): DayHours[] {
  return Array.from({ length: DAYS_PER_WEEK }, (_, dayIndex) => ({
    day: dayName(dayIndex, language),
    hours: formatOpeningRanges(hours?.week[dayIndex] ?? []),
  }));
}

/** Splits a range of more than a day into two that touch: the text of a longer range would be ambiguous. */
function splitAfterOneDay([opens, closes]: OpenRange): OpenRange[] {
  const lastStart = closes - MINUTES_PER_DAY;
  return lastStart <= opens
    ? [[opens, closes]]
    : [
        [opens, lastStart],
        [lastStart, closes],
      ];
}

function parseRange(text: string): OpenRange | undefined {
  const [opensText = "", closesText = "", ...rest] = text.split(RANGE_SIGN);
  if (rest.length > 0) return undefined;
  const closing = TIME.exec(closesText.trim());
  const closes = toMinutes(closing, undefined);
  // "7–10 PM" opens in the evening too: PM is written once.
  const opens = toMinutes(TIME.exec(opensText.trim()), closing?.[3]);
  if (opens === undefined || closes === undefined || opens === MINUTES_PER_DAY) return undefined;
  return [opens, closes > opens ? closes : closes + MINUTES_PER_DAY];
}

function toMinutes(time: RegExpExecArray | null, halfOfClosing: string | undefined): number | undefined {
  if (time === null) return undefined;
  const [, digits, suffix, half = halfOfClosing] = time;
  const minute = Number(suffix?.slice(1) ?? 0);
  if (minute >= MINUTES_PER_HOUR || (suffix === undefined && half === undefined)) return undefined;
  const hour = half === undefined ? Number(digits) : fromTwelveHours(Number(digits), half);
  const minutes = hour * MINUTES_PER_HOUR + minute;
  return minutes <= MINUTES_PER_DAY ? minutes : undefined;
}

/** 12 AM is midnight and 12 PM is noon. 0 and 13 are not on a twelve-hour clock, so they are not valid. */
function fromTwelveHours(hour: number, half: string): number {
  if (hour < 1 || hour > 12) return Number.POSITIVE_INFINITY;
  return (hour % 12) + (half === "p" ? 12 : 0);
}

/** Opening hours as a short text: days after `;`, empty for the hours of the day before, ranges after `,`; then special days after `@`. */
export function packHours(hours: OpeningHours | null): string {
  if (hours === null) return "";
  const days = hours.week.map(packRanges);
  const changes = days.map((day, index) => (day === days[index - 1] ? "" : day));
  const week = changes.slice(0, changes.findLastIndex((day) => day !== "") + 1).join(";");
  return [week, ...hours.special_days.map(({ date, ranges }) => date + packRanges(ranges))].join("@");
}

const CLOSED = "x";

const packRanges = (ranges: readonly OpenRange[]): string =>
  ranges.length === 0 ? CLOSED : ranges.map(([opens, closes]) => `${opens}-${closes}`).join(",");

const DATE_LENGTH = "2026-11-22".length;

/** Reads opening hours as `packHours` wrote them. Many places share the same: callers must not change them. */
export const unpackHours = memoize((text: string): OpeningHours | null => {
  if (text === "") return null;
  const [days = "", ...special] = text.split("@");
  const changes = days.split(";");
  let day = "";
  const week = Array.from({ length: DAYS_PER_WEEK }, (_, index) => {
    day = changes[index] || day;
    return unpackRanges(day);
  });
  const special_days = special.map((one) => ({
    date: one.slice(0, DATE_LENGTH),
    ranges: unpackRanges(one.slice(DATE_LENGTH)),
  }));
  return { week, special_days };
});

const unpackRanges = (text: string): OpenRange[] =>
  text === CLOSED
    ? []
    : text.split(",").map((range): OpenRange => {
        const [opens = 0, closes = 0] = range.split("-").map(Number);
        return [opens, closes];
      });
