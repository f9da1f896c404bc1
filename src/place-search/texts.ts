import type { Language } from "./types.ts";

/** The texts of `<place-search>`, in the two languages of the API. */

interface Texts {
  readonly label: string;
  readonly placeholder: string;
  readonly clear: string;
  readonly list: string;
  readonly searching: string;
  readonly nothing: string;
  readonly count: (count: number) => string;
  readonly problems: Readonly<Record<Problem, string>>;
}

/** What a person can do about an error: nothing, wait, or tell those who made the page. */
type Problem = "key" | "minute" | "day" | "network" | "slow" | "other";

export const TEXTS: Readonly<Record<Language, Texts>> = {
  vi: {
    label: "Tìm địa điểm",
    placeholder: "Tìm địa điểm, địa chỉ",
    clear: "Xóa nội dung tìm kiếm",
    list: "Gợi ý",
    searching: "Đang tìm…",
    nothing: "Không tìm thấy địa điểm nào.",
    count: (count) => `${count} gợi ý. Dùng phím mũi tên để chọn.`,
    problems: {
      key: "Trang này chưa có khóa hợp lệ để tìm địa điểm.",
      minute: "Quá nhiều yêu cầu. Tìm kiếm sẽ tự tiếp tục sau giây lát.",
      day: "Trang này đã dùng hết số yêu cầu của hôm nay.",
      network: "Không kết nối được máy chủ.",
      slow: "Máy chủ phản hồi quá lâu.",
      other: "Hiện chưa tìm kiếm được. Hãy thử lại sau giây lát.",
    },
  },
  en: {
    label: "Search for places",
    placeholder: "Place or address",
    clear: "Clear search",
    list: "Suggestions",
    searching: "Searching…",
    nothing: "No places found.",
    count: (count) => `${count} suggestion${count === 1 ? "" : "s"}. Use the arrow keys to choose.`,
    problems: {
      key: "This page has no valid key for the place search.",
      minute: "Too many requests. Search continues in a moment.",
      day: "This page has used up its requests for today.",
      network: "Cannot reach the server.",
      slow: "The server took too long to respond.",
      other: "Search is unavailable right now. Try again in a moment.",
    },
  },
};

/** The text for one of the codes of a `HereaboutsError`. */
export function describeProblem(code: string, language: Language): string {
  return TEXTS[language].problems[toProblem(code)];
}

function toProblem(code: string): Problem {
  if (/_api_key$|^missing_scope$|_not_allowed$/.test(code)) return "key";
  if (code === "rate_limit_minute") return "minute";
  if (code === "rate_limit_day") return "day";
  if (code === "network_error") return "network";
  return code === "timed_out" ? "slow" : "other";
}

/** `350 m`, `2.4 km`, `120 km`. */
export function formatDistance(meters: number, language: Language): string {
  const write = (value: number, digits: number): string =>
    value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  if (meters < 1000) return `${write(meters, 0)} m`;
  const kilometers = meters / 1000;
  return `${write(kilometers, kilometers < 10 ? 1 : 0)} km`;
}

const EARTH_RADIUS_METERS = 6_371_000;

/** The distance on a sphere, in whole metres. */
export function metersBetween(from: Coordinates, to: Coordinates): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const lats = Math.sin(radians(to.latitude - from.latitude) / 2) ** 2;
  const lngs = Math.sin(radians(to.longitude - from.longitude) / 2) ** 2;
  const cosines = Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude));
  return Math.round(2 * EARTH_RADIUS_METERS * Math.asin(Math.sqrt(lats + cosines * lngs)));
}

export interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}
