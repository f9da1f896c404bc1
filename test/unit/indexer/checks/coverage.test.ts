import { describe, expect, test } from "vitest";
import { coverageOf } from "../../../../src/place/document/coverage.ts";
import { findCollapsedFields, hasFallen, percent } from "../../../../indexer/checks/coverage.ts";
import type { PlaceDocument } from "../../../../src/place/document/place-document.ts";
import { buildPlace, type PlaceFacts } from "../../../support/build-place.ts";

const HOURS = { week: Array.from({ length: 7 }, () => []), special_days: [] };
const WITH_PHONE: PlaceFacts = { contacts: { phone: "+84 28 3829 0000", website: "" } };

/** So many places, of which the first have what is given. */
const placesOf = (count: number, having: number, facts: PlaceFacts): PlaceDocument[] =>
  Array.from({ length: count }, (_, number) => buildPlace(number < having ? facts : {}));

const withPhones = (count: number, having: number) => coverageOf(placesOf(count, having, WITH_PHONE));

describe("findCollapsedFields", () => {
  test("names the lost field and both shares", () => {
    expect(findCollapsedFields(withPhones(100, 61), withPhones(100, 12))).toEqual([
      "12 % of its places have a phone number, of the live index's 61 %",
    ]);
  });

  test.each<[string, PlaceFacts]>([
    ["a type other than PLACE", { type: "COFFEE" }],
    ["an address", { location: { address: { full: "1 Lê Lợi" } } }],
    ["a street", { location: { address: { street: "Lê Lợi" } } }],
    ["a website", { contacts: { phone: "", website: "https://a.example" } }],
    ["opening hours", { opening_hours: HOURS }],
    ["a rating", { rating: 4, reviews: 2 }],
    ["prices", { pricing: { min: 0, max: 50_000 } }],
    ["other names", { alternate_names: ["Another"] }],
    ["a description", { description: "Small." }],
  ])("watches %s", (field, facts) => {
    const live = coverageOf(placesOf(50, 40, facts));
    expect(findCollapsedFields(live, coverageOf(placesOf(50, 5, facts)))).toEqual([
      expect.stringContaining(field),
    ]);
    expect(findCollapsedFields(live, live)).toEqual([]);
  });

  test.each([
    ["a field that comes anew", withPhones(100, 0), withPhones(100, 90)],
    ["a field of a fifth fewer places", withPhones(1000, 600), withPhones(1000, 480)],
    ["chance in a small dataset", withPhones(4, 2), withPhones(4, 1)],
    ["chance in a rare field", withPhones(1000, 8), withPhones(1000, 4)],
    ["a live index without places", withPhones(0, 0), withPhones(10, 0)],
  ])("lets pass %s", (_, live, next) => {
    expect(findCollapsedFields(live, next)).toEqual([]);
  });

  test("notices when a third of the places lose a field", () => {
    expect(findCollapsedFields(withPhones(1000, 600), withPhones(1000, 400))).toHaveLength(1);
  });
});

test.each([
  [{ share: 0.9, of: 100 }, { share: 0.7, of: 100 }, 0.1, true],
  [{ share: 0.9, of: 100 }, { share: 0.85, of: 100 }, 0.1, false],
  [{ share: 0.9, of: 10 }, { share: 0.7, of: 10 }, 0.1, false],
  [{ share: 1, of: 10 }, { share: 0, of: 10 }, 0.1, true],
  [{ share: 0, of: 10 }, { share: 1, of: 10 }, 0.1, false],
])("a fall from %o to %o with a tolerance of %d: %s", (before, after, tolerance, expected) => {
  expect(hasFallen(before, after, tolerance)).toBe(expected);
});

test.each([
  [0, "0 %"],
  [0.004, "0.4 %"],
  [0.125, "13 %"],
  [0.9984, "99.8 %"],
  [1, "100 %"],
])("a share of %d is shown as %s", (share, text) => {
  expect(percent(share)).toBe(text);
});
