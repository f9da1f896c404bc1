import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parsePriceText } from "../../../../indexer/clean/price-text.ts";

describe("a text without a price is refused", () => {
  test.each([
    "",
    "cheap",
    "100",
    "100-200",
    "₫0",
    "₫200–100K",
    "₫1–2–3K",
    "$$$$$",
    "$$$–$$ ?",
    "$$€",
    "$$$–$$",
    "$–$$–$$$",
    "9".repeat(61),
    `₫${"9".repeat(16)}`,
    `₫1–${"9".repeat(16)}`,
  ])("%j", (text) => {
    expect(parsePriceText(text)).toBeUndefined();
  });
});

test.each([
  ["₫100-200K", 100_000, 200_000],
  ["₫100–200K", 100_000, 200_000],
  ["₫1–100,000", 1, 100_000],
  ["1-100.000 ₫", 1, 100_000],
  ["100.000–200.000 ₫", 100_000, 200_000],
  ["100.000 đ - 200.000 đ", 100_000, 200_000],
  ["100-200 N ₫", 100_000, 200_000],
  ["1–2 Tr ₫", 1_000_000, 2_000_000],
  ["1,5 triệu đồng", 1_500_000, 1_500_000],
  ["₫500K–1M", 500_000, 1_000_000],
  ["₫500K+", 500_000, 500_000],
  ["Trên 500.000 ₫", 500_000, 500_000],
  ["Dưới 100.000 ₫", 0, 100_000],
  ["35.000 VND", 35_000, 35_000],
  ["25.000đ - 60.000đ", 25_000, 60_000],
  ["50.000đ/người", 50_000, 50_000],
  ["1tr5 đ", 1_500_000, 1_500_000],
  ["₫100\u00A0–\u202F200\u00A0N", 100_000, 200_000],
  ["$10–20", 260_000, 520_000],
  ["$12.50", 325_000, 325_000],
  ["€1,000", 30_000_000, 30_000_000],
  ["¥1,000–2,000", 170_000, 340_000],
  ["$", 0, 100_000],
  ["$$", 100_000, 300_000],
  ["₫", 0, 100_000],
  ["₫₫", 100_000, 300_000],
  ["$$–$$$", 100_000, 1_000_000],
  ["€€€€", 1_000_000, 2_000_000],
])("%j is from %d to %d VND", (text, min, max) => {
  expect(parsePriceText(text)).toEqual({ min, max });
});

const amount = fc.integer({ min: 1, max: 50_000_000 });

test("a range with separated thousands is parsed", () => {
  fc.assert(
    fc.property(amount, amount, fc.constantFrom("en-US", "vi-VN"), (one, other, locale) => {
      const [min, max] = [Math.min(one, other), Math.max(one, other)];
      const format = (value: number): string => value.toLocaleString(locale);
      expect(parsePriceText(`${format(min)}–${format(max)} ₫`)).toEqual({ min, max });
    }),
  );
});

const PIECES = "₫ $ € 1 100 . , – - k N tr m + trên dưới vnd \u0000 999999999".split(/ /);

const pieces = fc.array(fc.constantFrom(" ", ...PIECES), { maxLength: 30 }).map((chosen) => chosen.join(""));

test("any text is parsed or refused", () => {
  fc.assert(
    fc.property(pieces, (text) => {
      const { min, max } = parsePriceText(text) ?? { min: 0, max: 0 };
      expect(min).toBeLessThanOrEqual(max);
    }),
  );
});
