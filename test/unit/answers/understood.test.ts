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
  expect(toUnderstood(reading, { language: "vi", isWishIgnored: true })).toStrictEqual({
    name: "",
    kinds: ["COFFEE"],
    wishes: { opening: "now", is_well_rated: false, features: [] },
    area: "Quận 3",
    is_near: false,
    is_wish_ignored: true,
  });
});

test("an area is named in the language of the request", () => {
  const reading = readAs("kind", "coffee in district 3");
  expect(toUnderstood(reading, { language: "en", isWishIgnored: false }).area).toBe("District 3");
});

test("an address is shown with its number, a name as its words", () => {
  const how = { language: "vi", isWishIgnored: false } as const;
  const address = readAs("address", "số 12 đường Nguyễn Trãi");
  expect(toUnderstood(address, how).address).toBe("12 nguyen trai");
  const plain = readAs("plain", "Quán Ngon 138");
  expect(toUnderstood(plain, how)).toMatchObject({ name: "quan ngon 138", kinds: [] });
});

test("a landmark is shown, and one that nobody has as not found", () => {
  const reading = readAs("kind", "khách sạn gần chợ tân định");
  const how = { language: "vi", isWishIgnored: false } as const;
  expect(toUnderstood(reading, how)).toMatchObject({ landmark: "cho tan dinh" });
  const { landmark: landmarkNotFound, ...around } = reading;
  const understood = toUnderstood(around, { ...how, landmarkNotFound });
  expect(understood.landmark_not_found).toBe("cho tan dinh");
  expect(understood).not.toHaveProperty("landmark");
  expect(toUnderstood(around, how)).not.toHaveProperty("landmark_not_found");
});
