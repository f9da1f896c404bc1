import * as v from "valibot";
import galleryLabels from "./gallery-labels.json" with { type: "json" };
import en from "./languages/en.json" with { type: "json" };
import ja from "./languages/ja.json" with { type: "json" };
import ko from "./languages/ko.json" with { type: "json" };
import vi from "./languages/vi.json" with { type: "json" };
import zh from "./languages/zh.json" with { type: "json" };
import { readTable, textSchema } from "../read-table.ts";
import { DAYS_PER_WEEK } from "../time/time-units.ts";

/** The languages of the texts in responses. Codes and names of places are never translated. */
export const LANGUAGES = ["vi", "en", "ja", "ko", "zh"] as const;

export type Language = (typeof LANGUAGES)[number];

/** The languages of everything else: pages, features, photo galleries and areas. */
export const PAGE_LANGUAGES = ["vi", "en"] as const satisfies readonly Language[];

export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

/** Who reads another language than Vietnamese reads English rather. */
export const toPageLanguage = (language: Language): PageLanguage => (language === "vi" ? "vi" : "en");

/** A text with a part in braces that is filled in. */
const patternOf = (part: string) =>
  v.pipe(
    textSchema,
    v.check((text) => text.includes(`{${part}}`), `must have {${part}}`),
  );

/** The format of `languages/*.json`. */
export const languageSchema = v.strictObject({
  /** From Monday on. */
  days: v.pipe(v.array(textSchema), v.length(DAYS_PER_WEEK)),
  open_all_day: textSchema,
  open_until: patternOf("time"),
  /** The time at which a place closes on another day. */
  time_on_day: v.pipe(patternOf("time"), v.includes("{day}", "must have {day}")),
  clock: v.picklist(["24 hours", "12 hours"]),
  /** An hour of the day: `{h}` as a number, `{hh}` with two digits; by the clock of 12 hours with AM or PM. */
  hour: v.union([patternOf("h"), patternOf("hh")]),
  /** From the busiest level down. */
  busyness: v.pipe(v.array(textSchema), v.length(4)),
  /** The labels of kinds by their codes. Those in Vietnamese and English stand in types.json. */
  kinds: v.record(v.string(), textSchema),
});

type LanguageTexts = v.InferOutput<typeof languageSchema>;

const readLanguage = (language: Language, texts: unknown): LanguageTexts =>
  readTable(`src/place/document/languages/${language}.json`, languageSchema, texts);

const TEXTS: Readonly<Record<Language, LanguageTexts>> = {
  vi: readLanguage("vi", vi),
  en: readLanguage("en", en),
  ja: readLanguage("ja", ja),
  ko: readLanguage("ko", ko),
  zh: readLanguage("zh", zh),
};

/** From which share of the week's busiest hour each level of busyness applies, in percent, from the busiest down. */
const BUSY_FROM_PERCENT = [75, 50, 20, 0];

/** The format of `gallery-labels.json`: the labels of each photo gallery in both languages. */
export const galleryLabelsSchema = v.record(v.string(), v.strictObject({ vi: textSchema, en: textSchema }));

const GALLERY_LABELS: ReadonlyMap<string, Readonly<Record<PageLanguage, string>>> = new Map(
  Object.entries(readTable("src/place/document/gallery-labels.json", galleryLabelsSchema, galleryLabels)),
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
  return TEXTS[language].days[dayIndex] ?? "";
}

/** A short text that says how busy a place is in one hour. */
export function busynessStatus(occupancyPercent: number, language: Language): string {
  const level = BUSY_FROM_PERCENT.findIndex((fromPercent) => occupancyPercent >= fromPercent);
  return TEXTS[language].busyness[level] ?? "";
}

/** `06 giờ`, `6 AM` or `6時` for the hour 6. */
export function hourLabel(hour: number, language: Language): string {
  const { clock, hour: pattern } = TEXTS[language];
  if (clock === "12 hours") return pattern.replace("{h}", withHalfOfDay(hour, ""));
  return pattern.replace("{hh}", String(hour).padStart(2, "0")).replace("{h}", String(hour));
}

/** `22:00` as people say it: `10:00 PM` by the clock of 12 hours. */
function clockLabel(clock: string, language: Language): string {
  if (TEXTS[language].clock === "24 hours") return clock;
  return withHalfOfDay(Number(clock.slice(0, 2)), clock.slice(2));
}

const withHalfOfDay = (hour: number, minutes: string): string =>
  `${hour % 12 || 12}${minutes} ${hour % 24 < 12 ? "AM" : "PM"}`;

/** That a place is open, until when and on which other day (0 is Monday); without a time, around the clock. */
export function openLabel(language: Language, clock?: string, dayIndex?: number): string {
  const { open_all_day: allDay, open_until: until, time_on_day: onDay } = TEXTS[language];
  if (clock === undefined) return allDay;
  const time = clockLabel(clock, language);
  const day = dayIndex === undefined ? undefined : dayName(dayIndex, language);
  return until.replace(
    "{time}",
    day === undefined ? time : onDay.replace("{time}", time).replace("{day}", day),
  );
}

/** The label of a kind in the languages that types.json does not have. */
export const kindLabel = (code: string, language: Language): string | undefined =>
  TEXTS[language].kinds[code];

/** Our label for a gallery if there is one, else the label stored with it. */
export function galleryLabel(categoryId: string, language: Language, storedLabel: string): string {
  return GALLERY_LABELS.get(categoryId)?.[toPageLanguage(language)] ?? storedLabel;
}

/** Only the primary subtag of a language tag counts: `en`, `en-US` and `EN_gb` are English. Chinese is written in simplified signs. */
function toLanguage(tag: string): Language | undefined {
  const primary = tag.trim().toLowerCase().split(/[-_]/, 1)[0];
  return LANGUAGES.find((language) => language === primary);
}

/** A weight from 0 to 1, 1 by default (RFC 9110 §12.4.2). A malformed weight counts as 0, a refusal. */
function parseQuality(parameters: readonly string[]): number {
  const weight = parameters
    .map((parameter) => parameter.trim().toLowerCase())
    .find((parameter) => parameter.startsWith("q="));
  if (weight === undefined) return 1;
  return /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight.slice(2)) : 0;
}
