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

const GALLERY_LABELS: ReadonlyMap<string, Readonly<Record<Language, string>>> = new Map([
  ["all", { vi: "Tất cả", en: "All" }],
  ["latest", { vi: "Mới nhất", en: "Latest" }],
  ["interior", { vi: "Bên trong", en: "Inside" }],
  ["exterior", { vi: "Bên ngoài", en: "Outside" }],
  ["menu", { vi: "Thực đơn", en: "Menu" }],
  ["food_drink", { vi: "Đồ ăn và đồ uống", en: "Food and drink" }],
  ["food", { vi: "Món ăn", en: "Food" }],
  ["drink", { vi: "Đồ uống", en: "Drinks" }],
  ["vibe", { vi: "Không gian", en: "Vibe" }],
  ["by_owner", { vi: "Từ chủ sở hữu", en: "By the owner" }],
  ["by_visitors", { vi: "Từ khách", en: "By visitors" }],
  ["videos", { vi: "Video", en: "Videos" }],
  ["street_view", { vi: "Toàn cảnh đường phố", en: "Street view" }],
  ["rooms", { vi: "Phòng", en: "Rooms" }],
  ["bathroom", { vi: "Phòng tắm", en: "Bathroom" }],
  ["pool", { vi: "Hồ bơi", en: "Pool" }],
  ["view", { vi: "Khung cảnh", en: "View" }],
  ["products", { vi: "Sản phẩm", en: "Products" }],
  ["services", { vi: "Dịch vụ", en: "Services" }],
  ["team", { vi: "Đội ngũ", en: "Team" }],
  ["logo", { vi: "Biểu trưng", en: "Logo" }],
]);

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
