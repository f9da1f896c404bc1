import { parseOpeningRanges } from "../../../src/place/time/opening-hours.ts";
import type { OpenRange } from "../../../src/place/document/place-document.ts";
import { memoize } from "../../../src/place/text/memoize.ts";
import type { DraftHours } from "../../clean/place-draft.ts";
import { asList, asObject, readField, readObjects, type RecordFields } from "../record-fields.ts";
import { dayName } from "../../../src/place/document/localized-texts.ts";
import { fold, joinWords } from "../../../src/place/text/fold.ts";
import { DAYS_PER_WEEK } from "../../../src/place/time/time-units.ts";

interface DayHours {
  readonly day: string;
  readonly hours: string;
}

/** The special day that stands for every public holiday of the place's country. */
export const PUBLIC_HOLIDAYS = "PH";

/**
 * Reads `opening_hours` and `special_days` of a record. `null` when nothing is known: no list, an empty one,
 * or seven empty texts. Also `null`, with a note, when one day cannot be read, since half a week would look
 * like a whole one.
 */
export function readHours(record: RecordFields): DraftHours | null {
  const week = readWeek(record);
  const specialDays = readSpecialDays(record);
  if (week !== undefined) return { week, ...specialDays };
  if (specialDays.special_days.length > 0 || specialDays.holidays) {
    record.note("special_days", "dropped, they need opening_hours");
  }
  return null;
}

function readWeek(record: RecordFields): OpenRange[][] | undefined {
  const days = (readField(record, "opening_hours", asList) ?? []).map(toDayHours);
  if (days.every((day) => day?.hours.trim() === "")) return undefined;
  const { week } = readDays(JSON.stringify(days));
  if (week === undefined) record.note("opening_hours", "not understood");
  return week;
}

/** Memoized by the JSON of the days, since most places of a town share their hours with others. */
const readDays = memoize((json): { readonly week?: OpenRange[][] } => {
  const days = JSON.parse(json) as (DayHours | null)[];
  const texts = days.every((day) => day !== null) ? sortIntoWeek(days) : undefined;
  const week = texts?.map((text) => parseOpeningRanges(text));
  return week?.every((ranges) => ranges !== undefined) ? { week } : {};
});

function toDayHours(element: unknown): DayHours | undefined {
  const { day = "", hours } = asObject(element) ?? {};
  return typeof day === "string" && typeof hours === "string" ? { day, hours } : undefined;
}

/**
 * Sorts seven texts, Monday first: by the names of the days, or by position when all seven names are missing
 * or foreign.
 */
function sortIntoWeek(days: readonly DayHours[]): string[] | undefined {
  const indexes = days.map(({ day }) => parseDay(day));
  if (indexes.every((index) => index === undefined)) {
    return days.length === DAYS_PER_WEEK ? days.map(({ hours }) => hours) : undefined;
  }
  const texts: string[][] = Array.from({ length: DAYS_PER_WEEK }, () => []);
  for (const [position, { hours }] of days.entries()) {
    const index = indexes[position];
    if (index === undefined) return undefined;
    if (hours.trim() !== "") texts[index]?.push(hours);
  }
  return texts.map((parts) => parts.join(", "));
}

function readSpecialDays(record: RecordFields): Pick<DraftHours, "special_days" | "holidays"> {
  const days = readObjects(record, "special_days", readSpecialDay);
  const holiday = days.findLast(({ date }) => date === PUBLIC_HOLIDAYS);
  const dated = new Map(days.map(({ date, ranges }) => [date, ranges]));
  dated.delete(PUBLIC_HOLIDAYS);
  return {
    special_days: [...dated].map(([date, ranges]) => ({ date, ranges })),
    ...(holiday && { holidays: Array.from({ length: DAYS_PER_WEEK }, () => holiday.ranges) }),
  };
}

const readSpecialDay = (element: RecordFields): { date: string; ranges: OpenRange[] } | undefined => {
  const date = readField(element, "date", asSpecialDate);
  const ranges = readField(element, "hours", (hours) =>
    typeof hours === "string" ? parseOpeningRanges(hours) : undefined,
  );
  return date === undefined || ranges === undefined ? undefined : { date, ranges };
};

const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;

/** A day of the calendar written YYYY-MM-DD, or PH. */
const asSpecialDate = (value: unknown): string | undefined => {
  if (typeof value !== "string") return undefined;
  const date = value.trim();
  if (date.toUpperCase() === PUBLIC_HOLIDAYS) return PUBLIC_HOLIDAYS;
  return ISO_DATE.test(date) && isCalendarDay(date) ? date : undefined;
};

function isCalendarDay(date: string): boolean {
  try {
    Temporal.PlainDate.from(date);
    return true;
  } catch {
    return false;
  }
}

const DAY_INDEXES = [0, 1, 2, 3, 4, 5, 6];

/** Short forms of the names, Monday first. */
const SHORT_NAMES = [
  ["mon", "t2", "thu2"],
  ["tue", "tues", "t3", "thu3"],
  ["wed", "t4", "thu4"],
  ["thur", "thurs", "t5", "thu5"],
  ["fri", "t6", "thu6"],
  ["sat", "t7", "thu7"],
  ["sun", "cn"],
];

const normalize = (name: string): string => joinWords(fold(name));

/** The full names as our API writes them, which most records use, and every name in its folded form. */
const INDEX_OF_NAME: ReadonlyMap<string, number> = new Map(
  DAY_INDEXES.flatMap((index) => {
    const names = [dayName(index, "vi"), dayName(index, "en"), ...(SHORT_NAMES[index] ?? [])];
    return names.flatMap((name) => [[name, index] as const, [normalize(name), index] as const]);
  }),
);

/**
 * Parses a day of the week, 0 for Monday, from its Vietnamese or English name ("Thứ Hai", "thứ 2", "T2",
 * "Mon").
 */
export function parseDay(name: string): number | undefined {
  return INDEX_OF_NAME.get(name) ?? INDEX_OF_NAME.get(normalize(name));
}

/** The Vietnamese short names with their marks: "thu 2" is "thứ 2". */
const withMarks = (name: string): string[] =>
  /^thu\d$/.test(name) ? [name, `thu ${name.at(-1)}`, `thứ ${name.at(-1)}`, `thứ${name.at(-1)}`] : [name];

/** Every name of a day that `parseDay` knows with its number, in lower case. */
export const dayNames = (): (readonly [name: string, day: number])[] =>
  [...INDEX_OF_NAME].flatMap(([name, day]) =>
    withMarks(name.toLowerCase()).map((form) => [form, day] as const),
  );
