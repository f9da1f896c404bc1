import type { PlaceSummary } from "../client/answers.ts";
import { formatDistance as formatDistanceIn } from "../place-search/texts.ts";
import { language, texts } from "./texts.ts";

const decimals = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat(language);

export const formatRating = (rating: number): string => decimals.format(rating);
export const formatCount = (count: number): string => whole.format(count);

/** `350 m`, `2.4 km`, `120 km`. */
export const formatDistance = (meters: number): string => formatDistanceIn(meters, language);

/** `35k–60k ₫`, `1.2 tr ₫`: in thousands, as people say prices. Empty if unknown. */
export function formatPrices({ min, max }: PlaceSummary["pricing"]): string {
  if (max === 0 && min === 0) return "";
  return min === max ? `${toSpoken(max)} ₫` : `${toSpoken(min)}–${toSpoken(max)} ₫`;
}

export const formatPrice = (price: number): string => `${toSpoken(price)} ₫`;

function toSpoken(price: number): string {
  if (price >= 1_000_000)
    return `${new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(price / 1_000_000)}${language === "vi" ? " tr" : "M"}`;
  return price >= 1000 ? `${whole.format(Math.round(price / 1000))}k` : whole.format(price);
}

/** The open state as text; nothing where the hours are unknown (`null` periods). */
export function describeOpenState(
  place: PlaceSummary,
): { readonly text: string; readonly kind: "open" | "closed" } | undefined {
  if (place.open_state.is_open_now) return { text: place.open_state.text || texts.open, kind: "open" };
  if (place.opening_periods === null) return undefined;
  const { next_change_at: next } = place;
  return { text: next ? texts.opensAt(toClock(next)) : texts.closed, kind: "closed" };
}

/** `2026-11-21T06:00:00+07:00` in the place's local time: `Sat 6:00 AM`, or `6:00 AM` while it is Saturday there. */
function toClock(timestamp: string): string {
  const [date = "", time = ""] = timestamp.split("T");
  const clock = formatTime(time.slice(0, 5));
  const midnight = new Date(`${date}T00:00:00${timestamp.slice(19)}`).getTime();
  if (Date.now() >= midnight) return clock;
  const day = new Intl.DateTimeFormat(language, { weekday: "short", timeZone: "UTC" }).format(
    new Date(`${date}T00:00:00Z`),
  );
  return language === "vi" ? `${clock} ${day}` : `${day} ${clock}`;
}

/** A time of the API, `07:00`, as the API's texts in this language write times: `07:00`, in English `7:00 AM`. */
export function formatTime(time: string): string {
  const [hour = "", minute = "00"] = time.split(":");
  const number = Number(hour) % 24;
  if (language === "vi") return `${hour.padStart(2, "0")}:${minute}`;
  return `${number % 12 || 12}:${minute} ${number < 12 ? "AM" : "PM"}`;
}

/** `07:00–22:00` in the same style; a text that is no range stays. */
export const formatRange = (range: string): string => range.replaceAll(/\d{1,2}:\d{2}/g, formatTime);

/** A whole hour under a chart. */
export const formatHour = (hour: number): string => formatTime(`${hour}:00`).replace(":00 ", " ");
