import { describe, expect, test } from "vitest";
import {
  busynessStatus,
  dayName,
  galleryLabel,
  hourLabel,
  parseLanguage,
} from "../../../src/place/localized-texts.ts";

describe("parseLanguage", () => {
  test.each([
    [undefined, undefined, "vi"],
    [undefined, "", "vi"],
    ["en", undefined, "en"],
    ["EN-us", undefined, "en"],
    ["vi", "en", "vi"],
    ["fr", "en", "vi"],
    ["", "en", "vi"],
    ["__proto__", "en", "vi"],
    ["english", "en", "vi"],
  ])("lang %j decides over Accept-Language %j: %s", (lang, acceptLanguage, language) => {
    expect(parseLanguage(lang, acceptLanguage)).toBe(language);
  });

  test.each([
    ["en", "en"],
    ["en-GB,en;q=0.9", "en"],
    ["fr-FR, en;q=0.5", "en"],
    ["fr, de;q=0.8", "vi"],
    ["vi;q=0.8, en;q=0.9", "en"],
    ["vi, en", "vi"],
    ["en, vi", "en"],
    ["en;q=0.3, vi;q=0.3", "en"],
    ["en;q=0", "vi"],
    ["en;q=0, *", "vi"],
    ["en;q=high, vi;q=0.1", "vi"],
    ["en;q=2", "vi"],
    ["en ; Q=0.7 , vi;q=0.600", "en"],
    ["*", "vi"],
    [",,;;q=,", "vi"],
  ])("Accept-Language %j means %s", (acceptLanguage, language) => {
    expect(parseLanguage(undefined, acceptLanguage)).toBe(language);
  });
});

test.each([
  [0, "Thứ Hai", "Monday"],
  [5, "Thứ Bảy", "Saturday"],
  [6, "Chủ Nhật", "Sunday"],
])("day %i is %s, %s", (dayIndex, vi, en) => {
  expect([dayName(dayIndex, "vi"), dayName(dayIndex, "en")]).toEqual([vi, en]);
});

test.each([
  [0, "00 giờ", "12 AM"],
  [6, "06 giờ", "6 AM"],
  [12, "12 giờ", "12 PM"],
  [23, "23 giờ", "11 PM"],
])("hour %i is %s, %s", (hour, vi, en) => {
  expect([hourLabel(hour, "vi"), hourLabel(hour, "en")]).toEqual([vi, en]);
});

test.each([
  [0, "Usually quiet"],
  [19, "Usually quiet"],
  [20, "Usually not too busy"],
  [50, "Usually rather busy"],
  [75, "Usually very busy"],
  [100, "Usually very busy"],
])("%i percent is %s", (percent, status) => {
  expect(busynessStatus(percent, "en")).toBe(status);
  expect(busynessStatus(percent, "vi")).not.toBe("");
});

test("a known gallery has our label, any other the one from the source", () => {
  expect(galleryLabel("menu", "vi", "Speisekarte")).toBe("Thực đơn");
  expect(galleryLabel("menu", "en", "")).toBe("Menu");
  expect(galleryLabel("rooftop", "en", "Sân thượng")).toBe("Sân thượng");
  expect(galleryLabel("toString", "en", "")).toBe("");
});
