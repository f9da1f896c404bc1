import * as v from "valibot";
import galleryLabels from "./gallery-labels.json" with { type: "json" };
import { readTable, textSchema } from "./read-table.ts";

/** The languages our own texts come in. Codes and names of places are never translated. */
export type Language = "vi" | "en";

const DEFAULT_LANGUAGE: Language = "vi";

const DAY_NAMES = Object.freeze({
  vi: ["Thứ Hai", "Thứ Ba", "Thứ Tư", "Thứ Năm", "Thứ Sáu", "Thứ Bảy", "Chủ Nhật"],
  en: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
} as const satisfies Record<Language, readonly string[]>);

/** From the busiest down: a status holds from its share of the busiest hour of the week, in percent. */
const BUSYNESS = Object.freeze([
  { fromPercent: 75, vi: "Thường rất đông", en: "Usually very busy" },
  { fromPercent: 50, vi: "Thường khá đông", en: "Usually rather busy" },
  { fromPercent: 20, vi: "Thường không quá đông", en: "Usually not too busy" },
  { fromPercent: 0, vi: "Thường vắng khách", en: "Usually quiet" },
]);

/** The form of `gallery-labels.json`: the labels of each gallery of photos in both languages. */
export const galleryLabelsSchema = v.record(v.string(), v.strictObject({ vi: textSchema, en: textSchema }));

const GALLERY_LABELS: ReadonlyMap<string, Readonly<Record<Language, string>>> = new Map(
  Object.entries(readTable("src/place/gallery-labels.json", galleryLabelsSchema, galleryLabels)),
);

/**
 * The language of an answer. A `lang` parameter, also one we do not speak, decides alone; without it the best of
 * `Accept-Language` that we speak. Everything else is Vietnamese.
 */
export function parseLanguage(lang?: string, acceptLanguage?: string): Language {
  if (lang !== undefined) return toLanguage(lang) ?? DEFAULT_LANGUAGE;
  let best = { language: DEFAULT_LANGUAGE, quality: 0 };
  for (const item of acceptLanguage?.split(",") ?? []) {
    const [tag = "", ...parameters] = item.split(";");
    const language = toLanguage(tag);
    const quality = parseQuality(parameters);
    if (language !== undefined && quality > best.quality) best = { language, quality };
  }
  return best.language;
}

/** The name of a day; 0 is Monday. */
export function dayName(dayIndex: number, language: Language): string {
  return DAY_NAMES[language][dayIndex] ?? "";
}

/** How busy an hour of a place is, for a person. */
export function busynessStatus(occupancyPercent: number, language: Language): string {
  return BUSYNESS.find(({ fromPercent }) => occupancyPercent >= fromPercent)?.[language] ?? "";
}

/** `06 giờ` or `6 AM` for the hour 6. */
export function hourLabel(hour: number, language: Language): string {
  if (language === "vi") return `${String(hour).padStart(2, "0")} giờ`;
  return `${hour % 12 || 12} ${hour < 12 ? "AM" : "PM"}`;
}

/** Our own words for a gallery where we have them, else the label that came with it. */
export function galleryLabel(categoryId: string, language: Language, storedLabel: string): string {
  return GALLERY_LABELS.get(categoryId)?.[language] ?? storedLabel;
}

/** The primary subtag of a language tag decides: `en`, `en-US`, `EN_gb` are English. */
function toLanguage(tag: string): Language | undefined {
  const primary = tag.trim().toLowerCase().split(/[-_]/, 1)[0];
  return primary === "vi" || primary === "en" ? primary : undefined;
}

/** RFC 9110 §12.4.2: a weight from 0 to 1, by default 1. A malformed weight counts as a refusal. */
function parseQuality(parameters: readonly string[]): number {
  const weight = parameters
    .map((parameter) => parameter.trim().toLowerCase())
    .find((parameter) => parameter.startsWith("q="));
  if (weight === undefined) return 1;
  return /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight.slice(2)) : 0;
}
