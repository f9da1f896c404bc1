import { describe, expect, test } from "vitest";
import { isLarge, relateTypes } from "../../../src/same-place/type-relation.ts";

describe("two types", () => {
  test.each([
    ["the same", "PHARMACY", "PHARMACY"],
    ["a kind of a kind of the other", "PHO", "RESTAURANT"],
  ])("that are %s lie on one line", (_, one, other) => {
    expect(relateTypes(one, other)).toBe("line");
    expect(relateTypes(other, one)).toBe("line");
  });

  test.each([
    ["COFFEE", "BAKERY"],
    ["HOSPITAL", "CLINIC"],
    ["DENTIST", "LABORATORY"],
    ["LANGUAGE_SCHOOL", "TUTORING_CENTER"],
    ["HAIR_SALON", "SPA"],
    ["TOURIST_ATTRACTION", "PLACE_OF_WORSHIP"],
    ["COMPANY", "FACTORY"],
    ["GYM", "YOGA_STUDIO"],
    ["THEATER", "CONCERT_HALL"],
    ["PHO", "COFFEE"],
  ])("%s and %s are used for one place by different sources", (one, other) => {
    expect(relateTypes(one, other)).toBe("family");
    expect(relateTypes(other, one)).toBe("family");
  });

  test.each([
    ["BANK", "ATM"],
    ["PHO", "PHARMACY"],
    ["PHARMACY", "COFFEE"],
    ["HOSPITAL", "SCHOOL"],
    ["THEATER", "GYM"],
  ])("%s and %s are two places", (one, other) => {
    expect(relateTypes(one, other)).toBe("unrelated");
  });

  test.each([
    ["PLACE", "COFFEE"],
    ["COFFEE", "PLACE"],
    ["PLACE", "PLACE"],
    ["COFFEE", "NO_SUCH_TYPE"],
  ])("%s and %s say nothing", (one, other) => {
    expect(relateTypes(one, other)).toBe("unknown");
  });
});

test("places that are hundreds of metres wide have points far apart", () => {
  expect(
    ["HOSPITAL", "AIRPORT", "AMUSEMENT_PARK", "TRAIN_STATION", "LAKE"].filter((type) => !isLarge(type)),
  ).toEqual([]);
  expect(["COFFEE", "PHARMACY", "ATM"].filter(isLarge)).toEqual([]);
});
