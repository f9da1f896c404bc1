import { describe, expect, test } from "vitest";
import { GOOGLE_CATEGORIES, GOOGLE_NOUNS } from "../../../../../indexer/sources/google/type-table.ts";
import { typeOfCategories } from "../../../../../indexer/sources/google/type-of-categories.ts";
import { isTypeCode, TYPE_CODES } from "../../../../../src/place/type-codes.ts";
import { fold } from "../../../../../src/place/text/fold.ts";

const namesOf = (table: Readonly<Partial<Record<string, string>>>): string[] =>
  Object.values(table)
    .flatMap((names) => names?.split(",") ?? [])
    .map(fold);

describe("the table of Google's categories", () => {
  test("has no category twice", () => {
    const names = namesOf(GOOGLE_CATEGORIES);
    expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([]);
  });

  test("lists nothing that a type's own words say already, or deny", () => {
    const own = Object.values(TYPE_CODES).flatMap(({ vi, en, words }) => [vi, en, ...words].map(fold));
    expect(namesOf(GOOGLE_CATEGORIES).filter((name) => own.includes(name))).toEqual([]);
  });

  test("knows type codes only", () => {
    const codes = [...Object.keys(GOOGLE_CATEGORIES), ...Object.keys(GOOGLE_NOUNS)];
    expect(codes.filter((code) => !isTypeCode(code))).toEqual([]);
  });
});

test.each([
  [["Quán cà phê"], "COFFEE"],
  [["Coffee shop"], "COFFEE"],
  [["coffee_shop"], "COFFEE"],
  [["CAFE"], "COFFEE"],
  [["Cửa hàng trà sữa trân châu"], "BUBBLE_TEA"],
  [["Bed & breakfast"], "GUEST_HOUSE"],
  [["Men's clothing store"], "CLOTHING_STORE"],
  [["Peruvian restaurant"], "RESTAURANT"],
  [["Nhà hàng Peru"], "RESTAURANT"],
  [["Cửa hàng bán trống đồng"], "SHOP"],
  [["Restaurant", "Vietnamese restaurant"], "VIETNAMESE_RESTAURANT"],
  [["Restaurant", "Vietnamese restaurant", "Bar"], "VIETNAMESE_RESTAURANT"],
  [["Coffee shop", "Bakery"], "COFFEE"],
  [["Xyzzy", "Bakery"], "BAKERY"],
  [["Xyzzy"], undefined],
  [[""], undefined],
  [["toString"], undefined],
  [[], undefined],
])("%j mean %s", (categories, code) => {
  expect(typeOfCategories(categories)).toBe(code);
});
