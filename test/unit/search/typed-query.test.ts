import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readTypedQuery } from "../../../src/search/read-query.ts";

test.each([
  ["Phở Hòa", ["pho", "hoa"], "phohoa"],
  ["congcaphe", ["congcaphe"], "congcaphe"],
  ["  12/3 Nguyễn   Huệ ", ["12", "3", "nguyen", "hue"], "123nguyenhue"],
  ["Pizza 4P's", ["pizza", "4ps"], "pizza4ps"],
  ["松屋 新宿", ["松屋", "新宿"], "松屋新宿"],
  ["🍜 !!", [], ""],
])("%j is read as the words %j", (text, words, joined) => {
  expect(readTypedQuery(text)).toMatchObject({ words, joined });
});

test("marks count when any was typed", () => {
  expect(readTypedQuery("pho hoa").markedWords).toStrictEqual([]);
  expect(readTypedQuery("phở hoa").markedWords).toHaveLength(2);
});

test("however long a text is, what is read of it is short and whole", () => {
  const anyText = fc.oneof(
    fc.string({ unit: "binary", maxLength: 256 }),
    fc.array(fc.constantFrom("ﷺ", "phở", "𠮷", "x", " "), { maxLength: 256 }).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(anyText, (text) => {
      const { words, joined, markedWords } = readTypedQuery(text);
      expect(words.length).toBeLessThanOrEqual(16);
      expect(markedWords.length).toBeLessThanOrEqual(16);
      expect(Array.from(joined).length).toBeLessThanOrEqual(120);
      expect(joined).toBe(words.join(""));
      expect(joined.isWellFormed()).toBe(true);
      expect(words).not.toContain("");
    }),
  );
});

test("reading what was read changes nothing", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 80 }), (text) => {
      const once = readTypedQuery(text);
      expect(readTypedQuery(once.words.join(" "))).toStrictEqual({ ...once, markedWords: [] });
    }),
  );
});
