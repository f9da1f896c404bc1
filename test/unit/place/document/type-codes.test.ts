import { expect, test } from "vitest";
import {
  isTypeCode,
  TYPE_CODES,
  typeLabel,
  typesUnder,
  type TypeCode,
} from "../../../../src/place/document/type-codes.ts";

const CODES = Object.keys(TYPE_CODES) as TypeCode[];

/** As people type on a keyboard without marks. */
const withoutMarks = (text: string): string =>
  text.toLowerCase().replaceAll("đ", "d").normalize("NFD").replaceAll(/\p{M}/gu, "");

test.each(["", "coffee", "TOSTRING", "toString", "__proto__", "constructor", "COFFEE "])(
  "%j is no type code",
  (text) => {
    expect(isTypeCode(text)).toBe(false);
    expect(typeLabel(text, "vi")).toBe("Địa điểm");
  },
);

test.each([
  ["COFFEE", "Quán cà phê", "Coffee shop"],
  ["RESTAURANT", "Nhà hàng", "Restaurant"],
  ["PHARMACY", "Nhà thuốc", "Pharmacy"],
  ["PEOPLES_COMMITTEE", "Ủy ban nhân dân", "People's Committee"],
])("%s has a name in both languages", (code, vi, en) => {
  expect(isTypeCode(code)).toBe(true);
  expect(typeLabel(code, "vi")).toBe(vi);
  expect(typeLabel(code, "en")).toBe(en);
});

test("codes are upper case and every entry is complete, trimmed and in composed Unicode", () => {
  for (const code of CODES) {
    const { vi, en, words } = TYPE_CODES[code];
    expect(code).toMatch(/^[A-Z]+(?:_[A-Z]+)*$/);
    for (const text of [vi, en, ...words]) {
      expect(text).not.toBe("");
      expect(text.trim().normalize("NFC")).toBe(text);
    }
  }
});

test("no label or search word stands for two types, also when typed without marks", () => {
  const owners = new Map<string, TypeCode>();
  for (const code of CODES) {
    const { vi, en, words } = TYPE_CODES[code];
    for (const word of [vi, en, ...words].map(withoutMarks)) {
      expect({ word, code: owners.get(word) ?? code }).toEqual({ word, code });
      owners.set(word, code);
    }
  }
  expect(owners.get("ca phe")).toBe("COFFEE");
  expect(owners.get("tap hoa")).toBe("GROCERY");
});

test("a broad type means the types below it, at any depth", () => {
  expect(typesUnder("RESTAURANT")).toEqual(
    expect.arrayContaining(["RESTAURANT", "PHO", "BUN_BO", "QUAN_NHAU"]),
  );
  expect(typesUnder("RESTAURANT")).not.toContain("COFFEE");
  expect(typesUnder("NOODLE_RESTAURANT")).toContain("BUN_BO");
  expect(typesUnder("SCHOOL")).toContain("HIGH_SCHOOL");
  expect(typesUnder("COFFEE")).toEqual(["COFFEE"]);
});

test("every type is under itself, and under its parent with all that is below it", () => {
  for (const code of CODES) {
    const { parent } = TYPE_CODES[code];
    expect(typesUnder(code)).toContain(code);
    expect(typesUnder(parent ?? code)).toEqual(expect.arrayContaining([...typesUnder(code)]));
  }
});
