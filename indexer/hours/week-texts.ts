import type { OpenRange } from "../../src/place/place-document.ts";
import { parseDay } from "../sources/native/days.ts";
import { parseDayText } from "./day-text.ts";

const DAYS_PER_WEEK = 7;

/** One day as a source names it, and the texts of its ranges. */
export interface DayTexts {
  readonly day: string;
  readonly texts: readonly string[];
}

/** What a week of texts means. `unknown` when it says nothing at all. */
export type ParsedWeek =
  | { readonly week: OpenRange[][] }
  | { readonly problem: "unknown" | "not a day of the week" | "not understood" };

/**
 * Seven days, Monday first, of texts that name their days in English or Vietnamese, in any case and order; a remark behind the
 * name, `Monday (Labour Day)`, is left aside. A day that is not named is closed. One text that cannot be read spoils the week:
 * half a week would look like a whole one.
 */
export function parseWeekTexts(days: readonly DayTexts[]): ParsedWeek {
  const texts: string[][] = Array.from({ length: DAYS_PER_WEEK }, () => []);
  for (const { day, texts: ofDay } of days) {
    const index = parseDay(withoutRemark(day));
    if (index === undefined) return { problem: "not a day of the week" };
    texts[index]?.push(...ofDay.filter((text) => text.trim() !== ""));
  }
  if (texts.every((ofDay) => ofDay.length === 0)) return { problem: "unknown" };
  const week = texts.map((ofDay) => parseTexts(ofDay));
  return week.every((ranges) => ranges !== undefined) ? { week } : { problem: "not understood" };
}

const withoutRemark = (day: string): string => day.split("(")[0]?.trim() ?? "";

/** One text is read as it is ("Closed"); several are read as one list. */
const parseTexts = (texts: readonly string[]): OpenRange[] | undefined => parseDayText(texts.join(", "));
