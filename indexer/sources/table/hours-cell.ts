import * as v from "valibot";
import type { OpenRange } from "../../../src/place/document/place-document.ts";
import { readTable, textSchema } from "../../../src/place/read-table.ts";
import { memoize } from "../../../src/place/text/memoize.ts";
import { DAYS_PER_WEEK } from "../../../src/place/time/time-units.ts";
import { parseDayText } from "../../clean/day-text.ts";
import type { DraftHours } from "../../clean/place-draft.ts";
import { dayNames } from "../native/native-hours.ts";
import wordsTable from "./hours-words.json" with { type: "json" };

const wordListSchema = v.array(textSchema);

/** The form of `hours-words.json`: what people write around the times, by its meaning. */
export const hoursWordsSchema = v.strictObject({
  every_day: wordListSchema,
  weekdays: wordListSchema,
  weekend: wordListSchema,
  holidays: wordListSchema,
  closed: wordListSchema,
  all_day: wordListSchema,
  joining: wordListSchema,
  through: wordListSchema,
  silent: wordListSchema,
  morning: wordListSchema,
  afternoon: wordListSchema,
});

const WORDS = readTable("indexer/sources/table/hours-words.json", hoursWordsSchema, wordsTable);

/** A day of the week, 0 for Monday, or the public holidays. */
type Day = number | "holidays";

const range = (from: number, to: number): number[] =>
  Array.from(
    { length: ((to - from + DAYS_PER_WEEK) % DAYS_PER_WEEK) + 1 },
    (_, step) => (from + step) % DAYS_PER_WEEK,
  );

const DAYS_OF_WORD: ReadonlyMap<string, readonly Day[]> = new Map<string, readonly Day[]>([
  ...dayNames().map(([name, day]) => [name, [day]] as const),
  ...WORDS.every_day.map((word) => [word, range(0, 6)] as const),
  ...WORDS.weekdays.map((word) => [word, range(0, 4)] as const),
  ...WORDS.weekend.map((word) => [word, [5, 6]] as const),
  ...WORDS.holidays.map((word) => [word, ["holidays"]] as const),
]);

const escape = (word: string): string => RegExp.escape(word);
const anyOf = (words: Iterable<string>): string =>
  [...words]
    .toSorted((one, other) => other.length - one.length)
    .map(escape)
    .join("|");

/** Names of days that stand alone, the longest first. */
const DAY = new RegExp(`(?<![\\p{L}\\p{N}])(?:${anyOf(DAYS_OF_WORD.keys())})(?![\\p{L}\\p{N}])`, "gu");
const CLOSED = new RegExp(`(?:^|[\\s,;:.(])(${anyOf(WORDS.closed)})$`, "u");
const JOINING = new Set(WORDS.joining);
const THROUGH = new Set(WORDS.through);
const ALL_DAY = new Set(WORDS.all_day);
const SILENT = new RegExp(`(?<![\\p{L}\\p{N}])(?:${anyOf(WORDS.silent)})(?![\\p{L}\\p{N}])`, "gu");
const AFTERNOON = new Set(WORDS.afternoon);
const PART_OF_DAY = new RegExp(
  `(?<![\\p{L}\\p{N}])(${anyOf([...WORDS.morning, ...WORDS.afternoon])})(?![\\p{L}\\p{N}])`,
  "gu",
);

/** A longer text is a description. */
const MAX_LENGTH = 300;

/**
 * Reads the hours of a week as people write them in Vietnamese and English: "T2-T6: 7h-22h, T7-CN: 8h-23h",
 * "7h30–22h", "cả ngày", "8h-21h, nghỉ thứ 2". Hours without a day are those of every day; a day that is not
 * named where others are is closed. `undefined` when a part is not understood, or when it says only which days are closed.
 */
export const parseHoursCell = memoize((text: string): DraftHours | undefined => {
  if (text.length > MAX_LENGTH) return undefined;
  const parts = splitAtDays(toPlain(text));
  return readGroups(beginsWithTimes(parts) ? daysBeforeTimes(parts) : parts);
});

/** "10h-22h T2-T6; 9h-23h T7, CN": the times of each group come before its days. */
const beginsWithTimes = (parts: readonly Part[]): boolean =>
  parts.length > 1 && /^\)?$/.test(parts.at(-1)?.between ?? "") && readTimes(parts[0]!.between) !== undefined;

function daysBeforeTimes(parts: readonly Part[]): Part[] {
  const turned: Part[] = [];
  let times = "";
  for (const { between, found } of parts) {
    const isJoined = isJoin(between);
    if (!isJoined && turned.length > 0) turned.push({ between: times });
    if (found !== undefined) turned.push({ between: isJoined ? between : "", found });
    if (!isJoined) times = between;
  }
  // The times of a group are the text before the first day of the next one.
  return turned.flatMap((part, index) => {
    if (part.found === undefined && index < turned.length - 1) return [];
    const before = turned[index - 1];
    return before && before.found === undefined ? [{ ...part, between: before.between }] : [part];
  });
}

function readGroups(parts: readonly Part[]): DraftHours | undefined {
  const hours = new Map<Day, readonly OpenRange[]>();
  let days: Day[] = [];
  /** The days of the group have their hours, so the next day begins another group. */
  let isSaid = false;
  /** "Nghỉ" stands before its days where those before it have hours already. */
  let closesNext = false;
  const say = (ranges: readonly OpenRange[]): void => {
    for (const day of days.length > 0 ? days : range(0, 6)) hours.set(day, ranges);
    isSaid = true;
  };
  for (const [index, { between, found }] of parts.entries()) {
    const isWithin = index > 0 && found !== undefined && !isSaid && isJoin(between);
    if (!isWithin && between !== "" && !isSign(between)) {
      const read = readBetween(between, days.length > 0 && !isSaid);
      if (read === undefined) return undefined;
      if (read.ranges) say(read.ranges);
      if (read.closesNext) closesNext = true;
    }
    if (found === undefined) break;
    const next = DAYS_OF_WORD.get(found) ?? [];
    if (isWithin && THROUGH.has(between)) {
      const [from, to] = [days.at(-1), next[0]];
      if (typeof from !== "number" || typeof to !== "number") return undefined;
      days.push(...range(from, to).slice(1));
    } else if (isWithin) days.push(...next);
    else days = [...next];
    isSaid = false;
    if (closesNext && !followsDay(parts, index)) {
      say([]);
      closesNext = false;
    }
  }
  if (days.length > 0 && !isSaid) return undefined;
  return toHours(hours);
}

interface Part {
  /** The text before the day, without the signs around it. */
  readonly between: string;
  /** The day's name; absent after the last one. */
  readonly found?: string;
}

function toPlain(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[‐‒–—―−~〜→]/g, "-")
    .replaceAll(/[\n|•]/g, ", ")
    .replaceAll(/\s+/g, " ")
    .replaceAll(HOUR_WORD, "$1h$2")
    .replaceAll(MINUTE_WORD, "")
    .replaceAll(CLOSES_AT, "-")
    .trim();
}

/** `7 giờ 30` */
const HOUR_WORD = /(\d) ?giờ(?: ?(\d{2})(?!\d))?/gu;

/** `7h30 phút`, `7h30p` */
const MINUTE_WORD = /(?<=\dh\d{2}) ?p(?:hút)?(?!\p{L})/gu;

/** "Mở cửa 7h, đóng cửa 22h" */
const CLOSES_AT = /[,;.]? ?(?:đóng(?: cửa)?|closes?)(?: lúc| at)? (?=\d)/gu;

function splitAtDays(text: string): Part[] {
  const parts: Part[] = [];
  let start = 0;
  for (const { 0: found, index } of text.matchAll(DAY)) {
    parts.push({ between: trimSigns(text.slice(start, index)), found });
    start = index + found.length;
  }
  return [...parts, { between: trimSigns(text.slice(start)) }];
}

const SIGNS = new Set(" :;,.()-");

/** A single sign may join two days; around times it says nothing. */
function trimSigns(text: string): string {
  const bare = text.trim();
  if (bare.length === 1) return bare;
  const isText = (sign: string): boolean => !SIGNS.has(sign);
  const letters = Array.from(bare);
  return letters.slice(letters.findIndex(isText), letters.findLastIndex(isText) + 1).join("");
}

const isJoin = (between: string): boolean => JOINING.has(between) || THROUGH.has(between);
const isSign = (between: string): boolean => /^[:;,.()/&-]$/.test(between);

const followsDay = (parts: readonly Part[], index: number): boolean =>
  isJoin(parts[index + 1]?.between ?? "");

interface Between {
  readonly ranges?: readonly OpenRange[];
  readonly closesNext?: boolean;
}

/** Times, the word for closed, or times with that word for the days that follow: "7h-22h, nghỉ". */
function readBetween(text: string, hasOpenDays: boolean): Between | undefined {
  const [closed, word = ""] = CLOSED.exec(text) ?? [];
  const before = closed === undefined ? text : trimSigns(text.slice(0, text.length - word.length));
  if (before === "") return hasOpenDays ? { ranges: [] } : { closesNext: true };
  const said = readTimes(before);
  if (said === undefined) return undefined;
  return { ranges: said, ...(closed !== undefined && { closesNext: true }) };
}

/** `0700-2200` */
const FOUR_DIGITS = /(?<!\d)([01]\d|2[0-4])([0-5]\d) ?- ?([01]\d|2[0-4])([0-5]\d)(?!\d)/g;

/** `7-22` and `7h-22`, where nothing but hours can be meant. */
const BARE_HOURS = /(?<![\d:h.])(\d{1,2})(h?)\s*-\s*(\d{1,2})(?![\d:h.])/g;

function readTimes(text: string): OpenRange[] | undefined {
  if (ALL_DAY.has(text)) return parseDayText("24/7");
  const times = trimSigns(text.replaceAll(SILENT, " ").replaceAll(/\s+/g, " "));
  if (ALL_DAY.has(times)) return parseDayText("24/7");
  const [before, ...parts] = times.split(PART_OF_DAY);
  return before === "" ? readPartsOfDay(parts) : readRanges(times);
}

function readRanges(text: string): OpenRange[] | undefined {
  const times = text.replaceAll(/;|(?<=[\dh]) ?\/ ?(?=\d)/g, ",").replaceAll(FOUR_DIGITS, "$1:$2-$3:$4");
  const ranges = parseDayText(times) ?? parseDayText(times.replaceAll(BARE_HOURS, "$1h-$3h"));
  return ranges?.length === 0 ? undefined : ranges;
}

const NOON = 12 * 60;

/** "sáng 7h-11h, chiều 1h-5h": each word says which half of the day the times after it mean. */
function readPartsOfDay(parts: readonly string[]): OpenRange[] | undefined {
  const ranges: OpenRange[] = [];
  for (let index = 0; index < parts.length; index += 2) {
    const isAfternoon = AFTERNOON.has(parts[index] ?? "");
    const said = readRanges(trimSigns(parts[index + 1] ?? ""));
    if (said === undefined) return undefined;
    for (const [from, to] of said) {
      const later = isAfternoon && to <= NOON ? NOON : 0;
      if (to > 2 * NOON || (isAfternoon && from + later < NOON)) return undefined;
      ranges.push([from + later, to + later]);
    }
  }
  return ranges;
}

function toHours(said: ReadonlyMap<Day, readonly OpenRange[]>): DraftHours | undefined {
  const week = range(0, 6).map((day) => [...(said.get(day) ?? [])]);
  if (week.every((ranges) => ranges.length === 0)) return undefined;
  const holidays = said.get("holidays");
  return {
    week,
    special_days: [],
    ...(holidays && { holidays: Array.from({ length: DAYS_PER_WEEK }, () => [...holidays]) }),
  };
}
