import { describe, expect, test } from "vitest";
import {
  dropThaiLeading,
  foldArabic,
  foldGerman,
  foldKana,
  hasOtherScript,
  splitHangul,
} from "../../../../src/place/text/scripts.ts";
import { editDistance } from "../../../../src/place/text/edit-distance.ts";

test.each([
  ["ラーメン", "らーめん"],
  ["ﾗｰﾒﾝ", "らーめん"],
  ["スターバックス 新宿", "すたーばっくす 新宿"],
  ["ヴィラ", "ゔぃら"],
  ["らーめん", "らーめん"],
  ["phở", "phở"],
])("kana: %s is compared as %s", (text, expected) => {
  expect(foldKana(text)).toBe(expected);
});

test("one wrong letter of Hangul is one difference", () => {
  expect(editDistance(splitHangul("카페"), splitHangul("까페")).whole).toBe(1);
  expect(editDistance(splitHangul("스타벅스"), splitHangul("스타박스")).whole).toBe(1);
  expect(splitHangul("카페 phở")).toBe("카페".normalize("NFD") + " phở");
});

describe("Arabic", () => {
  test.each([
    ["الصيدلية", "صيدليه"],
    ["صيدلية", "صيدليه"],
    ["أحمد", "احمد"],
    ["مستشفى", "مستشفي"],
    ["مَطْعَم", "مطعم"],
    ["مطعم الشرق", "مطعم شرق"],
    ["الله", "الله"],
    ["مـــقهى", "مقهي"],
  ])("%s is compared as %s", (text, expected) => {
    expect(foldArabic(text)).toBe(expected);
  });
});

test.each([
  ["hauptstr. 12", "hauptstrasse 12"],
  ["hauptstr 12", "hauptstrasse 12"],
  ["hauptstraße", "hauptstrasse"],
  ["berliner str.", "berliner strasse"],
  ["strand", "strand"],
  ["astronom", "astronom"],
])("German: %s is compared as %s", (text, expected) => {
  expect(foldGerman(text)).toBe(expected);
});

test.each([
  ["ร้านกาแฟดอย", "กาแฟดอย"],
  ["โรงแรมสยาม", "สยาม"],
  ["ร้าน", "ร้าน"],
])("Thai: %s is compared as %s", (text, expected) => {
  expect(dropThaiLeading(text)).toBe(expected);
});

test("Vietnamese and English need none of it", () => {
  expect(["Phở Thìn", "Coffee house"].some(hasOtherScript)).toBe(false);
  expect(["ラーメン", "카페", "مقهى", "Hauptstraße", "ร้าน"].every(hasOtherScript)).toBe(true);
});
