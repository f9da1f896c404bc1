import { describe, expect, test } from "vitest";
import { cleanPhone } from "../../../../indexer/clean/phone.ts";
import { buildDraft } from "../build-draft.ts";
import { noteTaker } from "../text-input.ts";

function clean(phone: string, country_code = "VN") {
  const { context, notes } = noteTaker();
  const result = cleanPhone(
    buildDraft({ contacts: { phone, website: "w" }, location: { country_code } }),
    context,
  );
  return { phone: "contacts" in result ? result.contacts.phone : undefined, notes };
}

describe("a text that is not a phone number is dropped and noted", () => {
  test.each(["không có", "12", "+84", "0", "x".repeat(100), "12/03/2024 10:00", "+84 24 965561717 0000 11"])(
    "%s",
    (phone) => {
      expect(clean(phone)).toEqual({ phone: "", notes: ["contacts.phone: not a phone number, dropped"] });
    },
  );

  test("without a country a number needs a country code", () => {
    expect(clean("0903 123 456", "").phone).toBe("");
    expect(clean("+84 903 123 456", "").phone).toBe("+84 903 123 456");
  });
});

test.each([
  ["", ""],
  ["0903.123.456", "+84 903 123 456"],
  ["(028) 3825 1234", "+84 28 3825 1234"],
  ["+84 (0)28 3825 1234", "+84 28 3825 1234"],
  ["84903123456", "+84 903 123 456"],
  ["Hotline: 0903 123 456", "+84 903 123 456"],
  ["1900 1234", "1900 1234"],
  ["115", "115"],
  ["1022", "1022"],
  ["(024) 3825 - 1234", "+84 24 3825 1234"],
  // Plans of numbers change: Ha Noi in 2017, mobile numbers in 2018.
  ["04 3825 1234", "+84 24 3825 1234"],
  ["0165 123 4567", "+84 351 234 567"],
  ["+84 123 330 0888", "+84 833 300 888"],
  // Of the right length, but given to nobody.
  ["028 1744 7052", "028 1744 7052"],
])("%j becomes %j", (phone, expected) => {
  expect(clean(phone)).toEqual({ phone: expected, notes: [] });
});

test("a number without a country code belongs to the record's country", () => {
  expect(clean("03-3211-1111", "JP").phone).toBe("+81 3 3211 1111");
  expect(clean("03-3211-1111", "XX").phone).toBe("");
});

test("every mobile number of eleven digits becomes a different one of ten, as in 2018", () => {
  const old = "120 121 122 123 124 125 126 127 128 129 162 163 164 165 166 167 168 169 186 188 199".split(
    " ",
  );
  const found = old.map((prefix) => clean(`0${prefix} 345 6789`).phone?.replaceAll(" ", ""));
  expect(found.filter((phone) => !/^\+84[3578]\d3456789$/.test(phone ?? ""))).toEqual([]);
  expect(new Set(found).size).toBe(old.length);
});

describe("a number of another country", () => {
  test.each([
    ["a number that begins with 1", "138 1234 5678", "CN", "+86 138 1234 5678"],
    ["a number in the form of Ha Noi's old ones", "+81 4 3825 1234", "JP", "+81 438 25 1234"],
    ["a number in the form of an old mobile one", "+61 165 123 4567", "AU", "+61 165 123 4567"],
  ])("is never read by the plan of Vietnam: %s", (_, phone, country, expected) => {
    expect(clean(phone, country).phone).toBe(expected);
  });

  test("in Viet Nam keeps its country code", () => {
    expect(clean("+86 138 1234 5678").phone).toBe("+86 138 1234 5678");
    expect(clean("+81 3-3211-1111").phone).toBe("+81 3 3211 1111");
  });
});

test("a long text with a number is a sentence", () => {
  const sentence = (length: number) => `${"please call ".repeat(10).slice(0, length - 13)} 0903 123 456`;
  expect(clean(sentence(80)).phone).toBe("+84 903 123 456");
  expect(clean(sentence(81))).toEqual({ phone: "", notes: ["contacts.phone: not a phone number, dropped"] });
});

test("of two numbers joined by a dash the first stays", () => {
  expect(clean("024 3825 1234 - 0912 345 678")).toEqual({
    phone: "+84 24 3825 1234",
    notes: ["contacts.phone: more than one number, the first kept"],
  });
});

test("of several the first valid number stays", () => {
  expect(clean("n/a; 0903 123 456, 0904 123 456")).toEqual({
    phone: "+84 903 123 456",
    notes: [
      "contacts.phone: not a phone number, dropped",
      "contacts.phone: more than one number, the first kept",
    ],
  });
});

test("cleaning a clean number changes nothing", () => {
  for (const phone of ["0903.123.456", "1900 1234", "115", "028 1744 7052", "028 3825 1234 ext. 5"]) {
    const once = clean(phone).phone ?? "";
    expect(clean(once).phone).toBe(once);
  }
});
