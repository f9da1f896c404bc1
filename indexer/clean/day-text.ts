import { parseOpeningRanges } from "../../src/place/time/opening-hours.ts";
import type { OpenRange } from "../../src/place/document/place-document.ts";
import { parseDay } from "../sources/native/native-hours.ts";
import { DAYS_PER_WEEK } from "../../src/place/time/time-units.ts";

/** A day has a handful of ranges. A longer text is something else. */
const MAX_TEXT_LENGTH = 300;

const ALL_DAY = "00:00–24:00";

/**
 * Words that Google Maps and people write instead of times, with their plain form. The empty text is a closed
 * day.
 */
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

/** Vietnamese words for times of day and their English form: `7:00 SA`, `7 giờ sáng`, `10 giờ tối`. */
const CLOCK_WORDS: readonly (readonly [RegExp, string])[] = [
  // A remark after the hours: `9:00–18:00 (last order 17:30)`.
  [/ ?\([^()]*\)$/u, ""],
  [/(\d{1,2}) ?[時时点點](\d{1,2})分?/gu, "$1:$2"],
  [/(\d{1,2}) ?[時时点點]/gu, "$1:00"],
  [/(\d) ?g ?(\d{2})(?!\d)/gu, "$1:$2"],
  [/(\d) ?g(?!\p{L})/gu, "$1h"],
  // Open end: the closing time is unknown, so the place counts as open until midnight.
  [/(\d{1,2}[:h]\d{2})\+/gu, "$1–24:00"],
  [/ ?[~〜] ?/gu, "–"],
  [/ \/ /gu, ", "],
  [/(\d) ?giờ ?(\d)/gu, "$1:$2"],
  [/(\d) ?giờ/gu, "$1h"],
  [/(\d)h(\d{2})(?!\d)/gu, "$1:$2"],
  [/(\d)h ?(?=(?:sa|sáng|ch|trưa|chiều|tối|đêm|am|pm)(?!\p{L}))/gu, "$1 "],
  // Noon and midnight are both 12; until five it is tomorrow.
  [/(?<!\d)(12|[1-5])((?::\d{2})?) ?đêm(?!\p{L})/gu, "$1$2 am"],
  [/(\d) ?(?:sa|sáng)(?!\p{L})/gu, "$1 am"],
  [/(\d) ?(?:ch|trưa|chiều|tối|đêm)(?!\p{L})/gu, "$1 pm"],
  [/^(?:từ|from|open) (?=\d)/u, ""],
  [/ (?:and|và|&) /gu, ", "],
];

/**
 * Parses the ranges of one day as Google Maps writes them in English and Vietnamese: `7 AM–8:30 PM`, `12–10
 * PM`, `07:00–22:00`, `7:00 SA–10:00 CH`, several separated by commas or line ends, `Open 24 hours`, `Đóng
 * cửa`. Accepts any kind of space and dash. An empty text is a closed day; `undefined` means that the text
 * was not understood.
 */
export function parseDayText(text: string): OpenRange[] | undefined {
  if (text.length > MAX_TEXT_LENGTH) return undefined;
  const plain = toPlainText(text);
  const hours = WORDS.get(plain) ?? toEnglishClock(plain).split(", ").map(withBothHalves).join(", ");
  return parseOpeningRanges(hours);
}

/** What Google shows below the hours of a day near a holiday, and a comma that is left over. */
const REMARKS =
  /(?<=\S)(?:,? ?(?:hours might differ|holiday hours|giờ làm việc có thể thay đổi|giờ ngày lễ))?,? ?$/u;

/** Lower case, composed, with one kind of space (Google uses U+202F and U+2009). Lines become list items. */
function toPlainText(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\r\n]+/g, ", ")
    .replaceAll(/[\s\u200B]+/g, " ")
    .replaceAll(/ ?[,;] ?/g, ", ")
    .trim()
    .replace(REMARKS, "");
}

function toEnglishClock(text: string): string {
  return CLOCK_WORDS.reduce((changed, [pattern, replacement]) => changed.replace(pattern, replacement), text);
}

/** `9–5 pm`: only the second time has AM or PM. */
const ONE_HALF = /^(\d{1,2})(?::(\d{2}))?h?( ?[^\d: apm]+ ?)(\d{1,2})(?::(\d{2}))?( ?)([ap])\.?m\.?$/;

/**
 * Adds AM or PM to the first time: the same as the second (`12–10 pm`), unless the place would then close
 * before it opens, as in `9–5 pm` and `6–2 am`.
 */
function withBothHalves(range: string): string {
  const parts = ONE_HALF.exec(range);
  if (parts === null) return range;
  const [, openHour = "", openMinute = "00", dash = "", closeHour, closeMinute = "00", , half = ""] = parts;
  // `18h–2 am`: only the second time is of a 12-hour clock. 13–10 pm is a mistake, and so is 0–10 pm.
  if (Number(openHour) > 12 && half === "a")
    return `${openHour}:${openMinute}${dash}${Number(closeHour) % 12}:${closeMinute}`;
  if (Number(openHour) < 1 || Number(openHour) > 12) return range;
  const opens = (Number(openHour) % 12) * 60 + Number(openMinute);
  const closes = (Number(closeHour) % 12) * 60 + Number(closeMinute);
  const openHalf = opens < closes ? half : half === "a" ? "p" : "a";
  return `${openHour}:${openMinute} ${openHalf}m${dash}${closeHour}:${closeMinute} ${half}m`;
}

/** One day by the name that a source gives it, and the texts of its ranges. */
export interface DayTexts {
  readonly day: string;
  readonly texts: readonly string[];
}

/** The meaning of a week of texts. `unknown` when they say nothing at all. */
export type ParsedWeek =
  | { readonly week: OpenRange[][] }
  | { readonly problem: "unknown" | "not a day of the week" | "not understood" };

/**
 * Parses seven days, Monday first. Days are named in English or Vietnamese, in any case and order. A remark
 * after the name is ignored: `Monday (Labour Day)`. A day that is not named is closed. One unreadable text
 * makes the whole week invalid, since half a week would look like a whole one.
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

/** A single text is parsed as it is ("Closed"). Several are parsed as one list. */
const parseTexts = (texts: readonly string[]): OpenRange[] | undefined => parseDayText(texts.join(", "));
