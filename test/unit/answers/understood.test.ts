import { expect, test } from "vitest";
import { toUnderstood } from "../../../src/answers/understood.ts";
import { readQuery } from "../../../src/search/reading/read-query.ts";
import { loadVocabulary } from "../../../src/search/vocabulary/read-vocabulary.ts";

const understood = (query: string, isWishIgnored = false) => {
  const near = { latitude: 10.7769, longitude: 106.7009 };
  const { readings, plain } = readQuery(query, loadVocabulary(), { near });
  return toUnderstood(readings[0] ?? plain, isWishIgnored);
};

test("a wish is shown with its kind, area and opening hours", () => {
  expect(understood("quán cà phê quận 3 đang mở cửa", true)).toStrictEqual({
    name: "",
    kinds: ["COFFEE"],
    wishes: { opening: "now", is_well_rated: false, features: [] },
    area: "Quận 3",
    is_near: false,
    is_wish_ignored: true,
  });
});

test("an address is shown with its number, a name as its words", () => {
  expect(understood("số 12 đường Nguyễn Trãi").address).toBe("12 nguyen trai");
  expect(understood("Phở Hòa")).toMatchObject({ name: "pho hoa", kinds: [] });
});
