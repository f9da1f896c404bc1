import { describe, expect, test } from "vitest";
import table from "../../../../../indexer/sources/google/attributes.json" with { type: "json" };
import { featuresOf } from "../../../../../indexer/sources/google/attributes.ts";
import { noteTaker } from "../../text-input.ts";

const codesOf = (section: string, ...names: string[]) => {
  const { context, notes } = noteTaker();
  const features = featuresOf(
    names.map((name) => ({ section, name })),
    context.note,
  );
  return { codes: Object.values(features).flat(), notes };
};

test("no attribute has two codes", () => {
  const names = Object.values(table.attributes).flat();
  expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([]);
});

describe("an attribute", () => {
  test.each([
    ["Service options", "Takeaway", "has_takeout"],
    ["service_options", "dine_in", "serves_dine_in"],
    ["service_options", "delivery", "has_delivery"],
    ["Tùy chọn dịch vụ", "Đồ ăn mang đi", "has_takeout"],
    ["accessibility", "Wheelchair-accessible car park", "has_wheelchair_accessible_parking"],
    ["dining_options", "Breakfast", "serves_breakfast"],
    ["popular_for", "Breakfast", "popular_for_breakfast"],
    ["Popular for", "Lunch", "popular_for_lunch"],
    ["amenities", "Wi-Fi", "has_wi_fi"],
    ["", "/geo/type/establishment_poi/has_restroom", "has_restroom"],
    ["payments", "NFC mobile payments", "pay_mobile_nfc"],
    ["parking", "Free parking lot", "has_parking_lot_free"],
  ])("of %j called %j is %s", (section, name, code) => {
    expect(codesOf(section, name)).toEqual({ codes: [code], notes: [] });
  });

  test("that is unknown is noted by its name", () => {
    expect(codesOf("offerings", "Moon cheese", "Coffee", "coffee")).toEqual({
      codes: ["serves_coffee"],
      notes: ["features: Moon cheese: no feature code for it, dropped"],
    });
  });
});
