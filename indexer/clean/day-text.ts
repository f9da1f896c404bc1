import { parseOpeningRanges } from "../../src/place/opening-hours.ts";
import type { OpenRange } from "../../src/place/place-document.ts";
import { parseDay } from "../sources/native/native-hours.ts";
import { DAYS_PER_WEEK } from "../../src/place/time-units.ts";

/** A day has a handful of ranges; a longer text is something else. */
const MAX_TEXT_LENGTH = 300;

const ALL_DAY = "00:00–24:00";

/** What Google Maps and people write in place of times, in the plain form. The empty text is a closed day. */
const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    [ALL_DAY]: [
      "open 24 hours, open 24/7, open all day, 24 hours, 24hrs, 24 hrs, 24/7, 24h, 24/24, 24h/24h, 24/24h, always open",
      "24시간, 24시간 영업, 24時間, 24時間営業, 24小时, 24小時",
      "mở cửa 24 giờ, mở cửa 24h, mở cửa 24/24, mở cửa cả ngày, mở cả ngày, cả ngày, 24 giờ, mở cửa suốt ngày đêm",
    ],
    "": ["closed, closed all day, đóng cửa, đóng cửa cả ngày, nghỉ, nghỉ cả ngày, không mở cửa"],
  }).flatMap(([hours, lists]) => lists.flatMap((list) => list.split(", ").map((word) => [word, hours]))),
);

/** Words of the clock and their form in English: `7:00 SA`, `7 giờ sáng`, `10 giờ tối`. */
const CLOCK_WORDS: readonly (readonly [RegExp, string])[] = [
  // A remark behind the hours: `9:00–18:00 (last order 17:30)`.
  [/ ?\([^()]*\)$/u, ""],
  [/(\d{1,2}) ?[時时点點](\d{1,2})分?/gu, "$1:$2"],
  [/(\d{1,2}) ?[時时点點]/gu, "$1:00"],
  [/(\d) ?g ?(\d{2})(?!\d)/gu, "$1:$2"],
  [/(\d) ?g(?!\p{L})/gu, "$1h"],
  // Open end: nobody knows when it closes, so it counts as open until midnight.
  [/(\d{1,2}[:h]\d{2})\+/gu, "$1–24:00"],
  [/ ?[~〜] ?/gu, "–"],
  [/ \/ /gu, ", "],
  [/(\d) ?giờ ?(\d)/gu, "$1:$2"],
  [/(\d) ?giờ/gu, "$1h"],
  [/(\d)h ?(?=(?:sa|sáng|ch|chiều|tối|am|pm)(?!\p{L}))/gu, "$1 "],
  [/(\d) ?(?:sa|sáng)(?!\p{L})/gu, "$1 am"],
  [/(\d) ?(?:ch|trưa|chiều|tối)(?!\p{L})/gu, "$1 pm"],
  [/^(?:từ|from|open) (?=\d)/u, ""],
  [/ (?:and|và|&) /gu, ", "],
];

/**
 * The ranges of one day as Google Maps writes them in English and Vietnamese: `7 AM–8:30 PM`, `12–10 PM`, `07:00–22:00`,
 * `7:00 SA–10:00 CH`, several parted by commas or line ends, `Open 24 hours`, `Đóng cửa`. Any kind of space and dash will do.
 * An empty text is a closed day; `undefined` means that the text was not understood.
 */
export function parseDayText(text: string): OpenRange[] | undefined {
  if (text.length > MAX_TEXT_LENGTH) return undefined;
  const plain = toPlainText(text);
  const hours = WORDS.get(plain) ?? toEnglishClock(plain).split(", ").map(withBothHalves).join(", ");
  return parseOpeningRanges(hours);
}

/** Lower case, composed, one kind of space (U+202F and U+2009 come from Google); lines are parts of a list. */
function toPlainText(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\r\n]+/g, ", ")
    .replaceAll(/[\s\u200B]+/g, " ")
    .replaceAll(/ ?[,;] ?/g, ", ")
    .trim();
}

function toEnglishClock(text: string): string {
  return CLOCK_WORDS.reduce((changed, [pattern, replacement]) => changed.replace(pattern, replacement), text);
}

/** `9–5 pm`: the first time has no half of the day of its own. */
const ONE_HALF = /^(\d{1,2})(?::(\d{2}))?( ?[^\d: apm]+ ?)(\d{1,2})(?::(\d{2}))?( ?)([ap])\.?m\.?$/;

/**
 * Writes the half of the day at the first time too: the half of the second (`12–10 pm`), unless the place would then close
 * before it opens, as in `9–5 pm` and `6–2 am`.
 */
function withBothHalves(range: string): string {
  const parts = ONE_HALF.exec(range);
  if (parts === null) return range;
  const [, openHour = "", openMinute = "00", dash = "", closeHour, closeMinute = "00", , half = ""] = parts;
  // No hour of a clock of twelve: 13–10 pm is a mistake, and 0–10 pm too.
  if (Number(openHour) < 1 || Number(openHour) > 12) return range;
  const opens = (Number(openHour) % 12) * 60 + Number(openMinute);
  const closes = (Number(closeHour) % 12) * 60 + Number(closeMinute);
  const openHalf = opens < closes ? half : half === "a" ? "p" : "a";
  return `${openHour}:${openMinute} ${openHalf}m${dash}${closeHour}:${closeMinute} ${half}m`;
}

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
