import { expect, test } from "vitest";
import { toUnderstood } from "../../../src/answers/understood.ts";
import { readQuery } from "../../../src/search/reading/read-query.ts";
import type { Reading } from "../../../src/search/reading/reading.ts";
import { loadVocabulary } from "../../../src/search/vocabulary/read-vocabulary.ts";

/** The likeliest reading of a query of this form. */
function readAs(form: Reading["form"], query: string): Reading {
  const near = { latitude: 10.7769, longitude: 106.7009 };
  return readQuery(query, loadVocabulary(), { near }).readings.find((reading) => reading.form === form)!;
}

test("a wish is shown with its kind, area and opening hours", () => {
  const reading = readAs("kind", "quán cà phê quận 3 đang mở cửa");
  expect(toUnderstood(reading, { isWishIgnored: true })).toStrictEqual({
    name: "",
    kinds: ["COFFEE"],
    wishes: { opening: "now", is_well_rated: false, features: [] },
    area: "Quận 3",
    is_near: false,
    is_wish_ignored: true,
  });
});

test("an address is shown with its number, a name as its words", () => {
  const isWishIgnored = false;
  const address = readAs("address", "số 12 đường Nguyễn Trãi");
  expect(toUnderstood(address, { isWishIgnored }).address).toBe("12 nguyen trai");
  const plain = readAs("plain", "Quán Ngon 138");
  expect(toUnderstood(plain, { isWishIgnored })).toMatchObject({ name: "quan ngon 138", kinds: [] });
});

test("a landmark is shown, and one that nobody has as not found", () => {
  const reading = readAs("kind", "khách sạn gần chợ tân định");
  const isWishIgnored = false;
  expect(toUnderstood(reading, { isWishIgnored })).toMatchObject({ landmark: "cho tan dinh" });
  const { landmark: landmarkNotFound, ...around } = reading;
  const understood = toUnderstood(around, { isWishIgnored, landmarkNotFound });
  expect(understood.landmark_not_found).toBe("cho tan dinh");
  expect(understood).not.toHaveProperty("landmark");
  expect(toUnderstood(around, { isWishIgnored })).not.toHaveProperty("landmark_not_found");
});
