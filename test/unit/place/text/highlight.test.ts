import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fold, words } from "../../../../src/place/text/fold.ts";
import { highlight } from "../../../../src/place/text/highlight.ts";
import { measureCpuMs } from "../../../support/cpu-time.ts";

/** The highlighted parts themselves. */
const partsOf = (text: string, query: string): string[] =>
  highlight(text, words(fold(query))).map(({ offset, length }) => text.slice(offset, offset + length));

test.each([
  ["Phở Hòa Pasteur", "pho hoa", ["Phở", "Hòa"]],
  ["Phở Hòa Pasteur", "PHỞ past", ["Phở", "Past"]],
  ["Phở Hòa Pasteur", "steur", []],
  ["Đường Đồng Khởi", "duong d", ["Đường", "Đ"]],
  ["Cà phê Cộng", "ca", ["Cà"]],
  ["Pizza 4P's Bến Thành", "4ps", ["4P's"]],
  ["Pizza 4P’s Bến Thành", "4p", ["4P"]],
  ["Co.opmart (Q.1)", "co q1 1", ["Co", "1"]],
  ["Highlands Coffee - Highlands", "highlands", ["Highlands", "Highlands"]],
  ["Ｃａｆｅ ２４ｈ", "cafe 24", ["Ｃａｆｅ", "２４"]],
  ["ﬁsh & chips", "f chips", ["ﬁ", "chips"]],
  ["한강 카페", "하", ["한"]],
  ["ΟΔΟΣ", "οδός", ["ΟΔΟΣ"]],
  ["☕️Cà phê", "ca", ["Cà"]],
  ["𠮷野家", "𠮷", ["𠮷"]],
  ["松屋 Matsuya", "mat", ["Mat"]],
  ["🍜", "🍜", []],
  ["", "a", []],
  ["Phở Hòa", "", []],
])("in %j, %j is %j", (text, query, parts) => {
  expect(partsOf(text, query)).toStrictEqual(parts);
});

test("a decomposed letter is taken with its marks", () => {
  const title = "Bún bò Huế".normalize("NFD");
  expect(partsOf(title, "bun bo hu")).toStrictEqual(["Bún".normalize("NFD"), "bò".normalize("NFD"), "Hu"]);
  expect(partsOf(title, "hue")).toStrictEqual(["Huế".normalize("NFD")]);
});

test("offsets count UTF-16 units", () => {
  expect(highlight("🍜🍜 Phở", ["pho"])).toStrictEqual([{ offset: 5, length: 3 }]);
});

test("of two typed words that a word begins with, the longer counts", () => {
  expect(partsOf("Cafe Caphe", "ca cafe")).toStrictEqual(["Cafe", "Ca"]);
});

describe("for any title and any query", () => {
  const anyVietnameseWord = fc.constantFrom(
    ..."Phở Hòa Đường Nguyễn Huệ Cà phê Ẩm thực 4P's bún ƠI".split(" "),
  );
  const anyTitle = fc.oneof(
    fc.string({ unit: "binary", maxLength: 30 }),
    fc
      .tuple(
        fc.array(fc.oneof(anyVietnameseWord, fc.string({ unit: "grapheme", maxLength: 5 })), {
          maxLength: 6,
        }),
        fc.constantFrom("NFC", "NFD"),
        fc.constantFrom(" ", " - ", "🍜", "-"),
      )
      .map(([parts, form, separator]) => parts.join(separator).normalize(form)),
  );
  const anyQueryFor = (title: string) =>
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 10 }),
      fc.nat(title.length).chain((from) => fc.nat(title.length).map((to) => title.slice(from, to))),
    );
  const anyCase = anyTitle.chain((title) => fc.tuple(fc.constant(title), anyQueryFor(title)));
  /** At the end of a word the Greek sigma has a form of its own. */
  const foldSigma = (text: string): string => fold(text).replaceAll("ς", "σ");

  test("ranges lie in the title, in order and apart, and cut no letter", () => {
    fc.assert(
      fc.property(anyCase, ([title, query]) => {
        let end = 0;
        for (const { offset, length } of highlight(title, words(fold(query)))) {
          expect(offset).toBeGreaterThanOrEqual(end);
          expect(length).toBeGreaterThan(0);
          end = offset + length;
          expect(end).toBeLessThanOrEqual(title.length);
          expect(title.slice(end)).not.toMatch(/^[\p{M}\uDC00-\uDFFF]/u);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("covered text folds to the beginning of a typed word", () => {
    fc.assert(
      fc.property(anyCase, ([title, query]) => {
        const typed = words(foldSigma(query));
        for (const part of partsOf(title, query)) {
          const folded = foldSigma(part);
          expect(typed.some((word) => folded.startsWith(word))).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("every word of a Vietnamese title that begins with a typed word has its part", () => {
    const anyWords = fc.array(anyVietnameseWord, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(anyWords, anyWords, fc.nat(3), (titleWords, queryWords, cut) => {
        const title = titleWords.join(" ");
        const typed = words(fold(queryWords.join(" "))).map((word) =>
          word.slice(0, Math.max(1, word.length - cut)),
        );
        const answering = words(fold(title)).filter((word) => typed.some((start) => word.startsWith(start)));
        expect(highlight(title, typed)).toHaveLength(answering.length);
      }),
    );
  });
});

test("a title with many marks is processed as quickly as another", () => {
  const title = `a${"\u0301".repeat(20_000)}b `.repeat(3);
  const tookMs = measureCpuMs(() => expect(highlight(title, ["ab"])).toHaveLength(3));
  expect(tookMs).toBeLessThan(1_000);
});
