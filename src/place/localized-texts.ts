import * as v from "valibot";
import galleryLabels from "./gallery-labels.json" with { type: "json" };
import { readTable, textSchema } from "./read-table.ts";

/** The languages of the server's texts. Codes and place names are never translated. */
export const LANGUAGES = ["vi", "en"] as const;

export type Language = (typeof LANGUAGES)[number];

const DAY_NAMES = Object.freeze({
  vi: ["Thứ Hai", "Thứ Ba", "Thứ Tư", "Thứ Năm", "Thứ Sáu", "Thứ Bảy", "Chủ Nhật"],
  en: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
} as const satisfies Record<Language, readonly string[]>);

/**
 * Busyness levels from the busiest down. Each applies from this share of the week's busiest hour, in percent.
 */
const BUSYNESS = Object.freeze([
  { fromPercent: 75, vi: "Thường rất đông", en: "Usually very busy" },
  { fromPercent: 50, vi: "Thường khá đông", en: "Usually rather busy" },
  { fromPercent: 20, vi: "Thường không quá đông", en: "Usually not too busy" },
  { fromPercent: 0, vi: "Thường vắng khách", en: "Usually quiet" },
]);

/** The format of `gallery-labels.json`: the labels of each photo gallery in both languages. */
export const galleryLabelsSchema = v.record(v.string(), v.strictObject({ vi: textSchema, en: textSchema }));

const GALLERY_LABELS: ReadonlyMap<string, Readonly<Record<Language, string>>> = new Map(
  Object.entries(readTable("src/place/gallery-labels.json", galleryLabelsSchema, galleryLabels)),
);

/**
 * The language of a response. A `lang` parameter decides alone, even if its language is not supported;
 * without it the best supported language of `Accept-Language` does. Everything else is in the default language.
 */
export function parseLanguage(
  lang?: string,
  acceptLanguage?: string,
  defaultLanguage: Language = "vi",
): Language {
  if (lang !== undefined) return toLanguage(lang) ?? defaultLanguage;
  let best = { language: defaultLanguage, quality: 0 };
  for (const item of acceptLanguage?.split(",") ?? []) {
    const [tag = "", ...parameters] = item.split(";");
    const language = toLanguage(tag);
    const quality = parseQuality(parameters);
    if (language !== undefined && quality > best.quality) best = { language, quality };
  }
  return best.language;
}

/**
 * A place with the title that it has in a language (`ja`, `zh-TW`), where it is known: by the whole tag, else by its language alone.
 */
export function inLanguage<
  P extends { readonly title: string; readonly names?: Readonly<Record<string, string>> | undefined },
>(place: P, lang: string): P {
  const { names } = place;
  if (names === undefined) return place;
  const tag = lang.toLowerCase().replaceAll("_", "-");
  const [language = ""] = tag.split("-");
  const title = names[tag] ?? names[language];
  return title === undefined ? place : { ...place, title };
}

/** The name of a day; 0 is Monday. */
export function dayName(dayIndex: number, language: Language): string {
  return DAY_NAMES[language][dayIndex] ?? "";
}

/** A short text that says how busy a place is in one hour. */
export function busynessStatus(occupancyPercent: number, language: Language): string {
  return BUSYNESS.find(({ fromPercent }) => occupancyPercent >= fromPercent)?.[language] ?? "";
}

/** `06 giờ` or `6 AM` for the hour 6. */
export function hourLabel(hour: number, language: Language): string {
  if (language === "vi") return `${String(hour).padStart(2, "0")} giờ`;
  return `${hour % 12 || 12} ${hour < 12 ? "AM" : "PM"}`;
}

/** Our label for a gallery if there is one, else the label stored with it. */
export function galleryLabel(categoryId: string, language: Language, storedLabel: string): string {
  return GALLERY_LABELS.get(categoryId)?.[language] ?? storedLabel;
}

/** Only the primary subtag of a language tag counts: `en`, `en-US` and `EN_gb` are English. */
function toLanguage(tag: string): Language | undefined {
  const primary = tag.trim().toLowerCase().split(/[-_]/, 1)[0];
  return primary === "vi" || primary === "en" ? primary : undefined;
}

/** A weight from 0 to 1, 1 by default (RFC 9110 §12.4.2). A malformed weight counts as 0, a refusal. */
function parseQuality(parameters: readonly string[]): number {
  const weight = parameters
    .map((parameter) => parameter.trim().toLowerCase())
    .find((parameter) => parameter.startsWith("q="));
  if (weight === undefined) return 1;
  return /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight.slice(2)) : 0;
}
