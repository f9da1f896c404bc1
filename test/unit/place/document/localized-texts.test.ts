import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import types from "../../../../src/place/document/types.json" with { type: "json" };
import {
  busynessStatus,
  dayName,
  galleryLabel,
  hourLabel,
  kindLabel,
  LANGUAGES,
  openLabel,
  parseLanguage,
} from "../../../../src/place/document/localized-texts.ts";

const read = (language: string): { readonly kinds: Readonly<Record<string, string>> } =>
  JSON.parse(
    readFileSync(
      new URL(`../../../../src/place/document/languages/${language}.json`, import.meta.url),
      "utf8",
    ),
  ) as {
    kinds: Record<string, string>;
  };

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
    ["ja-JP", "en", "ja"],
    ["zh-Hant-TW", undefined, "zh"],
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
    ["fr, ko;q=0.5, en;q=0.4", "ko"],
  ])("Accept-Language %j means %s", (acceptLanguage, language) => {
    expect(parseLanguage(undefined, acceptLanguage)).toBe(language);
  });
});

describe("every language", () => {
  test.each(["ja", "ko", "zh"] as const)(
    "%s has a label for each kind, and for no other code",
    (language) => {
      const codes = Object.keys(types);
      expect(codes.filter((code) => kindLabel(code, language) === undefined)).toStrictEqual([]);
      expect(Object.keys(read(language).kinds).filter((code) => !codes.includes(code))).toStrictEqual([]);
    },
  );

  test("says when a place closes, today, on another day and never", () => {
    const said = LANGUAGES.map((language) => [
      openLabel(language, "22:30"),
      openLabel(language, "02:00", 5),
      openLabel(language),
    ]);
    expect(said).toStrictEqual([
      ["Đang mở cửa · Đóng cửa lúc 22:30", "Đang mở cửa · Đóng cửa lúc 02:00 Thứ Bảy", "Mở cửa 24 giờ"],
      ["Open · Closes 10:30 PM", "Open · Closes 2:00 AM Saturday", "Open 24 hours"],
      ["営業中 · 22:30に閉店", "営業中 · 土曜日 02:00に閉店", "24時間営業"],
      ["영업 중 · 22:30에 영업 종료", "영업 중 · 토요일 02:00에 영업 종료", "24시간 영업"],
      ["营业中 · 22:30打烊", "营业中 · 星期六 02:00打烊", "24小时营业"],
    ]);
  });

  test("names the hours", () => {
    expect(LANGUAGES.map((language) => hourLabel(6, language))).toStrictEqual([
      "06 giờ",
      "6 AM",
      "6時",
      "6시",
      "6点",
    ]);
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
