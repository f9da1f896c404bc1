import { fc } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { firstLetters, fold, joinWords, markedWords, words } from "../../../../src/place/text/fold.ts";
import { toTokens } from "../../../../src/search/reading/tokens.ts";

describe("folding", () => {
  test.each([
    ["Phở Hòa", "pho hoa"],
    ["PHỞ HOÀ", "pho hoa"],
    ["Đinh Tiên Hoàng", "dinh tien hoang"],
    ["Cộng  Cà-Phê", "cong ca phe"],
    ["Pizza 4P's", "pizza 4ps"],
    ["4P’s 4Pʼs 4P`s 4P´s 4P＇s", "4ps 4ps 4ps 4ps 4ps"],
    ["Co.opmart (Q.1)", "co opmart q 1"],
    ["松屋", "松屋"],
    ["ラーメン ﾗｰﾒﾝ らーめん", "らーめん らーめん らーめん"],
    ["Hauptstraße 5, Hauptstr. 5", "hauptstrasse 5 hauptstrasse 5"],
    ["Śtr. Hauptśtr. Hauptstr-5", "str hauptstrasse hauptstr 5"],
    ["½ km ﬁnd ŀ x²", "1 2 km find l x2"],
    ["«Phở» – “Hòa”", "pho hoa"],
    ["BV Bạch Mai, bv. bạch mai", "benh vien bach mai benh vien bach mai"],
    ["ĐH Y, dh y, THCS&THPT", "dai hoc y dai hoc y trung hoc co so trung hoc pho thong"],
    ["bvb, abv, THP", "bvb abv thp"],
    ["مطعم السلام, مطعم سلام", "مطعم سلام مطعم سلام"],
    ["مستشفى القاهرة, مستشفي القاهره", "مستشفي قاهره مستشفي قاهره"],
    ["ร้านกาแฟ กาแฟ", "กาแฟ กาแฟ"],
    ["２４ｈ", "24h"],
    ["🍜", ""],
    ["", ""],
  ])("%j becomes %j", (text, expected) => {
    expect(fold(text)).toBe(expected);
  });

  test("abbreviations have the marks of their long forms, which count as words typed without marks", () => {
    expect(markedWords("BV Mắt")).toEqual(markedWords("Bệnh viện Mắt"));
    expect(toTokens("bv mắt").map(({ word, hasMarks }) => [word, hasMarks])).toEqual([
      ["benh", false],
      ["vien", false],
      ["mat", true],
    ]);
  });

  test("composed and decomposed spellings fold to the same", () => {
    expect(fold("Bệnh viện".normalize("NFD"))).toBe(fold("Bệnh viện".normalize("NFC")));
  });

  test("folding a folded text changes nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(fold(fold(text))).toBe(fold(text));
      }),
    );
  });
});

describe("words", () => {
  test("an empty text has none", () => expect(words("")).toEqual([]));
  test("are parted at the spaces", () => expect(words("pho hoa")).toEqual(["pho", "hoa"]));
  test("are joined without spaces", () => expect(joinWords("cong ca phe")).toBe("congcaphe"));
});

describe("letters", () => {
  test("are the first so many, or all when there are fewer", () => {
    expect(firstLetters("phohoa", 3)).toBe("pho");
    expect(firstLetters("ph", 3)).toBe("ph");
  });

  test("are never cut in two", () => {
    expect(firstLetters("𠀋𠀋𠀋", 2)).toBe("𠀋𠀋");
  });
});
