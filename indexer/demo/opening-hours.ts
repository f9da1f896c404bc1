import {
  HOURS_TABLES,
  type HoursName,
  type HoursTable,
  type SpecialDay,
  type WeekRow,
} from "./opening-hours-tables.ts";
import type { Random } from "./random.ts";
import { createWeightedPick, type WeightedPick } from "./weighted.ts";

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
  Object.entries<HoursTable>(HOURS_TABLES).map(([name, { rows, holidays = [], restDay = 0 }]) => {
    const weeks = rows.map((row) => ({ weight: row[0], week: toWeek(row) }));
    const pick = createWeightedPick(weeks, ({ weight }) => weight);
    return [name, { pickWeek: (random) => pick(random).week, holidays, restDay }];
  }),
);

/** Seven days of which nothing is known. */
export const UNKNOWN_WEEK: Week = DAY_NAMES.map((day) => ({ day, hours: "" }));

function toWeek([, workday, saturday = workday, sunday = saturday]: WeekRow): Week {
  return DAY_NAMES.map((day, index) => ({
    day,
    // The tables are typed with a plain hyphen; the format has an en dash.
    hours: (index < 5 ? workday : index === 5 ? saturday : sunday).replaceAll("-", "–"),
  }));
}

/** A week of hours for a place of this kind, seldom with a day of rest. */
export function drawWeek(name: HoursName, random: Random): Week {
  const { pickWeek, restDay } = DRAWS.get(name)!;
  const week = pickWeek(random);
  if (!random.chance(restDay)) return week;
  // Monday is the usual day of rest; any other comes less often.
  const rest = random.chance(0.5) ? 0 : random.below(7);
  return week.map((entry, index) => (index === rest ? { day: entry.day, hours: "" } : entry));
}

/** The exceptions such a place may have announced; `undefined` where there is no custom of any. */
export function drawSpecialDays(name: HoursName, random: Random): readonly SpecialDay[] | undefined {
  const { holidays } = DRAWS.get(name)!;
  return holidays.length === 0 ? undefined : random.pick(holidays);
}
