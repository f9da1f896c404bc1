import * as v from "valibot";
import { readTable } from "../../src/place/read-table.ts";
import table from "./hours.json" with { type: "json" };
import shapesTable from "./popular-times.json" with { type: "json" };
import { createWeightedPick, type Random, type WeightedPick } from "./random.ts";

/** Ranges as `HH:MM-HH:MM`, joined by a comma; empty for a closed day. */
const rangesSchema = v.pipe(
  v.string(),
  v.regex(/^(?:\d\d:\d\d[-–]\d\d:\d\d(?:, (?!$)|$))*$/, 'must be hours such as "07:00-11:30, 14:00-22:00"'),
);

/**
 * How often such a week is drawn, and the hours of working days, Saturday and Sunday. Omitted hours are those
 * of the day before.
 */
const weekSchema = v.strictObject({
  weight: v.pipe(v.number(), v.gtValue(0)),
  workday: rangesSchema,
  saturday: v.optional(rangesSchema),
  sunday: v.optional(rangesSchema),
});

type WeekRow = v.InferOutput<typeof weekSchema>;

/** One of the `special_days` of a record: a date or `PH`, any public holiday. */
const specialDaySchema = v.strictObject({
  date: v.pipe(v.string(), v.regex(/^(?:PH|\d{4}-\d\d-\d\d)$/, "must be PH or a date such as 2027-02-06")),
  hours: rangesSchema,
});

export type SpecialDay = v.InferOutput<typeof specialDaySchema>;

/** The form of `hours.json`. */
export const hoursSchema = v.strictObject({
  /** What places do on public holidays and at Tết (in 2027 it begins on 6 February). */
  holidays: v.record(v.string(), v.array(specialDaySchema)),
  kinds: v.record(
    v.string(),
    v.strictObject({
      /** The share of places that rest on one day of the week. */
      restDay: v.optional(v.number()),
      /** The holiday customs of such places, all equally likely. */
      holidays: v.optional(
        v.array(
          v.custom<string>(
            (custom) => typeof custom === "string" && Object.hasOwn(table.holidays, custom),
            ({ received }) => `${received} is not one of the holidays of this file`,
          ),
        ),
      ),
      weeks: v.array(weekSchema),
    }),
  ),
});

const HOURS = readTable("indexer/demo/hours.json", hoursSchema, table);

/** The name of a table of opening hours. */
export type HoursName = keyof typeof table.kinds;

export const HOURS_NAMES = Object.keys(table.kinds) as HoursName[];

/** One day of the `opening_hours` of a record. */
interface DayHours {
  readonly day: string;
  readonly hours: string;
}

export type Week = readonly DayHours[];

const DAY_NAMES = ["Thứ Hai", "Thứ Ba", "Thứ Tư", "Thứ Năm", "Thứ Sáu", "Thứ Bảy", "Chủ Nhật"] as const;

interface HoursDraw {
  readonly pickWeek: WeightedPick<Week>;
  readonly holidays: readonly (readonly SpecialDay[])[];
  readonly restDay: number;
}

const DRAWS = new Map<string, HoursDraw>(
  Object.entries(HOURS.kinds).map(([name, { weeks, holidays = [], restDay = 0 }]) => {
    const pick = createWeightedPick(
      weeks.map((row) => ({ weight: row.weight, week: toWeek(row) })),
      ({ weight }) => weight,
    );
    const announced = holidays.map((custom) => HOURS.holidays[custom]!);
    return [name, { pickWeek: (random) => pick(random).week, holidays: announced, restDay }];
  }),
);

/** Seven days without known hours. */
export const UNKNOWN_WEEK: Week = DAY_NAMES.map((day) => ({ day, hours: "" }));

function toWeek({ workday, saturday = workday, sunday = saturday }: WeekRow): Week {
  return DAY_NAMES.map((day, index) => ({
    day,
    // The table uses a plain hyphen, which is easy to type; the format uses an en dash.
    hours: (index < 5 ? workday : index === 5 ? saturday : sunday).replaceAll("-", "–"),
  }));
}

/** Draws a week of hours for a place of this kind, occasionally with a day of rest. */
export function drawWeek(name: HoursName, random: Random): Week {
  const { pickWeek, restDay } = DRAWS.get(name)!;
  const week = pickWeek(random);
  if (!random.chance(restDay)) return week;
  // Monday is the usual day of rest; any other comes less often.
  const rest = random.chance(0.5) ? 0 : random.below(7);
  return week.map((entry, index) => (index === rest ? { day: entry.day, hours: "" } : entry));
}

/** Draws the special days that such a place may announce; `undefined` when it has no custom. */
export function drawSpecialDays(name: HoursName, random: Random): readonly SpecialDay[] | undefined {
  const { holidays } = DRAWS.get(name)!;
  return holidays.length === 0 ? undefined : random.pick(holidays);
}

/** One day of the `popular_times` of a record. */
export interface BusyDay {
  readonly day: string;
  readonly hours: readonly { readonly hour: number; readonly occupancy_percent: number }[];
}

/** The form of `popular-times.json`: the curves of busyness over the day. */
export const popularTimesSchema = v.record(
  v.string(),
  v.strictObject({
    /** 24 digits, midnight first: 9 is as full as it gets. */
    hours: v.pipe(v.string(), v.regex(/^\d{24}$/, "must be 24 digits, one for each hour")),
    /** How Saturday and Sunday compare with a working day. */
    saturday: v.number(),
    sunday: v.number(),
  }),
);

const SHAPES = readTable("indexer/demo/popular-times.json", popularTimesSchema, shapesTable);

/** The name of a curve of busyness over the day. */
export type BusyName = keyof typeof shapesTable;

export const BUSY_NAMES = Object.keys(shapesTable) as BusyName[];

/** The percentage that each digit of a shape adds. On an average day, 9 is about 85. */
const PERCENT_PER_DIGIT = 9.5;

/** Draws how full the place is in each open hour, from the shape of its kind and some chance. */
export function drawPopularTimes(name: BusyName, week: Week, random: Random): readonly BusyDay[] {
  const shape = SHAPES[name]!;
  const fame = 0.6 + 0.5 * random.fraction();
  return week.map(({ day, hours }, index) => {
    const dayFactor = index < 5 ? 1 : index === 5 ? shape.saturday : shape.sunday;
    const yesterday = week[(index + 6) % 7]!;
    return {
      day,
      hours: [...openHours(yesterday.hours).afterMidnight, ...openHours(hours).today].map((hour) => {
        const usual = Number(shape.hours[hour]) * PERCENT_PER_DIGIT * fame * dayFactor;
        const percent = Math.round(usual * (0.85 + 0.3 * random.fraction()));
        return { hour, occupancy_percent: Math.min(100, Math.max(3, percent)) };
      }),
    };
  });
}

interface OpenHours {
  readonly today: readonly number[];
  /** The hours of the following day that an overnight range reaches into. */
  readonly afterMidnight: readonly number[];
}

const hoursOfText = new Map<string, OpenHours>();

/** The hours of the day (0–23) in which the ranges of one day are open for some time. */
function openHours(text: string): OpenHours {
  const known = hoursOfText.get(text);
  if (known !== undefined) return known;
  const hours = text === "" ? [] : [...new Set(text.split(", ").flatMap(hoursOfRange))];
  const split = {
    today: hours.filter((hour) => hour < 24),
    afterMidnight: hours.filter((hour) => hour >= 24).map((hour) => hour - 24),
  };
  hoursOfText.set(text, split);
  return split;
}

/** The hours of `HH:MM–HH:MM`, continuing beyond 23 when it passes midnight. */
function hoursOfRange(range: string): number[] {
  const opens = Number(range.slice(0, 2));
  const closes = Number(range.slice(6, 8)) + (range.slice(9) === "00" ? 0 : 1);
  const last = closes <= opens ? closes + 24 : closes;
  return Array.from({ length: last - opens }, (_, index) => opens + index);
}
