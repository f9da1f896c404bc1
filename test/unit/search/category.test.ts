import { describe, expect, test } from "vitest";
import { readCategory, readMistypedCategory, readTypedQuery } from "../../../src/search/read-query.ts";
import { TYPE_CODES, type TypeCode } from "../../../src/place/type-codes.ts";

const categoryOf = (query: string) => readCategory(readTypedQuery(query));
const mistypedCategoryOf = (query: string) => readMistypedCategory(readTypedQuery(query).joined);

describe("a query that is the name of a category", () => {
  test.each<[string, TypeCode]>([
    ["cafe", "COFFEE"],
    ["Cà phê", "COFFEE"],
    ["ca phe", "COFFEE"],
    ["caphe", "COFFEE"],
    ["coffee", "COFFEE"],
    ["atm", "ATM"],
    ["ATM", "ATM"],
    ["nhà thuốc", "PHARMACY"],
    ["nha thuoc", "PHARMACY"],
    ["pharmacy", "PHARMACY"],
    ["phở", "PHO"],
    ["bi-a", "BILLIARDS"],
    ["bi a", "BILLIARDS"],
    ["bia", "BEER_GARDEN"],
  ])("%j means %s", (query, code) => {
    expect(categoryOf(query)).toContain(code);
  });

  test("means the narrower types too, and not the broader", () => {
    expect(categoryOf("nhà hàng")).toEqual(expect.arrayContaining(["RESTAURANT", "PHO"]));
    expect(categoryOf("phở")).not.toContain("RESTAURANT");
  });

  test.each(["highlands coffee", "cafe nguyen", "", "xyz", "toString", "constructor"])(
    "is not %j",
    (query) => {
      expect(categoryOf(query)).toBeUndefined();
    },
  );

  test("every label of every type means that type", () => {
    for (const [code, { vi, en }] of Object.entries(TYPE_CODES)) {
      expect(categoryOf(vi)).toContain(code);
      expect(categoryOf(en)).toContain(code);
    }
  });
});

describe("a category with a typo", () => {
  test.each<[string, TypeCode]>([
    ["pharmcy", "PHARMACY"],
    ["nha thuok", "PHARMACY"],
    ["restaurnat", "RESTAURANT"],
    ["benh vien", "HOSPITAL"],
    ["bennh vien", "HOSPITAL"],
  ])("%j means %s", (query, code) => {
    expect(mistypedCategoryOf(query)).toContain(code);
  });

  test.each(["atn", "bat", "cefe", "an", ""])("%j is too short to tell", (query) => {
    expect(mistypedCategoryOf(query)).toBeUndefined();
  });

  test("of two letters is none", () => {
    expect(mistypedCategoryOf("farmcy")).toBeUndefined();
  });
});
