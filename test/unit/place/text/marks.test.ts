import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fold, words, hasMarks, markedWords } from "../../../../src/place/text/fold.ts";

describe("marks were typed", () => {
  test.each(["phở", "Đà Nẵng", "đ", "Đ", "ca\u0301", "é"])("in %j", (text) => {
    expect(hasMarks(text)).toBe(true);
  });

  test.each(["pho", "Da Nang", "", "4P's", "d", "松屋"])("not in %j", (text) => {
    expect(hasMarks(text)).toBe(false);
  });

  test("whether they are composed or not", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(hasMarks(text.normalize("NFD"))).toBe(hasMarks(text.normalize("NFC")));
      }),
    );
  });
});

describe("marked words", () => {
  test.each([
    ["hoà bình", "hòa bình"],
    ["thuỷ", "thủy"],
    ["KHOẺ", "khỏe"],
    ["Phở".normalize("NFD"), "phở"],
    ["Quán  Cũ!", "quán cũ"],
  ])("%j are those of %j: the place of the tone, case and form do not count", (one, other) => {
    expect(markedWords(one)).toStrictEqual(markedWords(other));
  });

  test.each([
    ["đường", "dương"],
    ["đường", "đương"],
    ["phở", "phố"],
    ["cơm", "com"],
    ["mua", "mưa"],
  ])("%j are not those of %j", (one, other) => {
    expect(markedWords(one)).not.toStrictEqual(markedWords(other));
  });

  test("are as many as the folded words, and fold to them", () => {
    const anyWord = fc.constantFrom(..."Phở Hòa Đường Nguyễn Huệ cà phê bún ƠI 24h xyz".split(" "));
    fc.assert(
      fc.property(fc.array(anyWord), fc.constantFrom("NFC", "NFD"), (parts, form) => {
        const text = parts.join(" ").normalize(form);
        expect(markedWords(text).map((word) => fold(word))).toStrictEqual(words(fold(text)));
      }),
    );
  });

  test("of a text without letters there are none", () => {
    expect(markedWords(" – 🍜 ")).toStrictEqual([]);
  });
});
