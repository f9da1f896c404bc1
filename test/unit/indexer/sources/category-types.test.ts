import { describe, expect, test } from "vitest";
import { createTypeOfCategories } from "../../../../indexer/sources/category-types.ts";
import { FOURSQUARE_CATEGORIES } from "../../../../indexer/sources/foursquare/category-table.ts";
import { OVERTURE_CATEGORIES } from "../../../../indexer/sources/overture/category-table.ts";
import { isTypeCode } from "../../../../src/place/type-codes.ts";

const typeOf = createTypeOfCategories({
  separator: "; ",
  categories: { COFFEE: "Café; Tea and Coffee", CLOTHING_STORE: "Women's Store" },
  endings: { SHOP: "Store", PLACE_OF_WORSHIP: "place of worship" },
  vague: { RESTAURANT: "Food" },
});

test.each([
  ["a name as it stands", ["Café"], [], "COFFEE"],
  ["other marks and case", ["CAFE"], [], "COFFEE"],
  ["the plural and underscores", ["womens_stores"], [], "CLOTHING_STORE"],
  ["the first that is known", ["Moon Café", "Café"], [], "COFFEE"],
  ["a known one above rather than an ending", ["Moon Store", "Café"], [], "COFFEE"],
  ["an ending of several words", ["moon_place_of_worship"], [], "PLACE_OF_WORSHIP"],
  ["an ending rather than another category", ["Moon Store"], ["Café"], "SHOP"],
  ["another category rather than a vague one", ["Food"], ["Café"], "COFFEE"],
  ["a vague one last", ["Moon", "Food"], ["Moon"], "RESTAURANT"],
  ["a word inside is no ending", ["Storehouse"], [], undefined],
  ["nothing", [], [], undefined],
  ["what objects are born with", ["constructor", "__proto__"], [], undefined],
])("%s", (_, own, others, expected) => {
  expect(typeOf(own, others)).toBe(expected);
});

describe.each([
  ["Overture", OVERTURE_CATEGORIES],
  ["Foursquare", FOURSQUARE_CATEGORIES],
])("the table of %s", (_, tables) => {
  const { separator, ...parts } = tables;
  const entries = Object.values(parts).flatMap((table) => Object.entries(table) as [string, string][]);

  test("has type codes only", () => {
    expect(entries.map(([code]) => code).filter((code) => !isTypeCode(code))).toEqual([]);
  });

  test("says one thing of each category", () => {
    const type = createTypeOfCategories(tables);
    const contrary = Object.entries(tables.categories).flatMap(([code, names]) =>
      names.split(separator).filter((name) => type([name], []) !== code),
    );
    expect(contrary).toEqual([]);
  });
});
