import * as v from "valibot";
import { expect, test } from "vitest";
import {
  emptyFeatures,
  FEATURE_CODES,
  featureLabel,
  featureSection,
} from "../../../../src/place/document/feature-codes.ts";
import { featuresSchema } from "../../../../src/place/document/place-document.ts";

test.each(["", "toString", "__proto__", "Great coffee", "has_teleporter"])(
  "the unknown code %j belongs to other and is its own label",
  (code) => {
    expect(featureSection(code)).toBe("other");
    expect(featureLabel(code, "en")).toBe(code);
  },
);

test.each([
  ["has_wheelchair_accessible_restroom", "accessibility"],
  ["has_parking_lot_free", "parking"],
  ["parking_availability", "parking"],
  ["pay_mobile_nfc", "payments"],
  ["has_takeout", "service_options"],
  ["serves_dine_in", "other"],
  ["requires_cash_only", "other"],
  ["feels_cozy", "other"],
])("%s is listed in %s", (code, section) => {
  expect(featureSection(code)).toBe(section);
});

test("every code is lower snake case and has both labels", () => {
  for (const [code, { vi, en }] of FEATURE_CODES) {
    expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
    expect(vi).not.toBe("");
    expect(en).not.toBe("");
  }
  expect(featureLabel("has_delivery", "vi")).toBe("Giao hàng");
});

test("empty features are new objects each time", () => {
  const features = emptyFeatures();
  features.other.push("feels_cozy");
  expect(emptyFeatures().other).toEqual([]);
  expect(v.is(featuresSchema, emptyFeatures())).toBe(true);
});
