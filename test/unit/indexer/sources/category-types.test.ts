import { describe, expect, test } from "vitest";
import { createTypeOfCategories } from "../../../../indexer/sources/category-types.ts";
import foursquareTypes from "../../../../indexer/sources/foursquare/types.json" with { type: "json" };
import overtureTypes from "../../../../indexer/sources/overture/types.json" with { type: "json" };

const typeOf = createTypeOfCategories("types.json", {
  categories: { COFFEE: ["Café", "Tea and Coffee"], CLOTHING_STORE: ["Women's Store"] },
  endings: { SHOP: ["Store"], PLACE_OF_WORSHIP: ["place of worship"] },
  vague: { RESTAURANT: ["Food"] },
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
  ["Overture", overtureTypes],
  ["Foursquare", foursquareTypes],
])("the table of %s", (source, content) => {
  test("has one type per category", () => {
    const type = createTypeOfCategories(`${source}'s types.json`, content);
    const contrary = Object.entries(content.categories).flatMap(([code, names]) =>
      names.filter((name) => type([name], []) !== code),
    );
    expect(contrary).toEqual([]);
  });
});
