import { describe, expect, test } from "vitest";
import table from "../../../../../indexer/sources/google/types.json" with { type: "json" };
import { typeOfCategories } from "../../../../../indexer/sources/google/type-of-categories.ts";
import { TYPE_CODES } from "../../../../../src/place/document/type-codes.ts";
import { fold } from "../../../../../src/place/text/fold.ts";

const namesOf = (lists: Readonly<Record<string, readonly string[]>>): string[] =>
  Object.values(lists).flat().map(fold);

describe("the table of Google's categories", () => {
  test.each([table.categories, table.nouns])("has no name twice", (lists) => {
    const names = namesOf(lists);
    expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([]);
  });

  test("has no entry that a type's words already cover or contradict", () => {
    const own = Object.values(TYPE_CODES).flatMap(({ vi, en, words }) => [vi, en, ...words].map(fold));
    expect(namesOf(table.categories).filter((name) => own.includes(name))).toEqual([]);
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
  [["Xưởng sửa chữa ô tô"], "CAR_REPAIR"],
  [["Dịch vụ sửa chữa xe máy"], "MOTORCYCLE_REPAIR"],
  [["Cơ quan quảng cáo"], "ADVERTISING_AGENCY"],
  [["Cơ quan thiết kế"], "COMPANY"],
  [["Cơ quan chính phủ"], "GOVERNMENT_OFFICE"],
  [["Cửa hàng thuốc"], "PHARMACY"],
  [["Cửa hàng thuốc trừ sâu"], "SHOP"],
  [["Hiệu cắt tóc"], "BARBER"],
  [["Hiệu tạp hóa lạ"], "GROCERY"],
  [["Hiệu lạ"], "SHOP"],
  [["Hội trường"], "EVENT_VENUE"],
  [["Trường quay"], "MEDIA_COMPANY"],
  [["Dịch vụ giặt ủi"], "LAUNDRY"],
  [["Dịch vụ giặt ủi tận nơi"], "LAUNDRY"],
  [["Dịch vụ sân bay"], "COMPANY"],
  [["Dịch vụ sửa chữa máy giặt"], "APPLIANCE_REPAIR"],
  [["Công ty xây dựng nhà hàng"], "CONSTRUCTION_COMPANY"],
  [["Xyzzy"], undefined],
  [[""], undefined],
  [["toString"], undefined],
  [[], undefined],
])("%j mean %s", (categories, code) => {
  expect(typeOfCategories(categories)).toBe(code);
});
