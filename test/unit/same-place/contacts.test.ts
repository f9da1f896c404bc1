import { expect, test } from "vitest";
import { phoneKey, siteKey } from "../../../src/same-place/contacts.ts";

test.each([
  ["", ""],
  ["113", ""],
  ["1900 1234", ""],
  ["1800 599 920", ""],
  ["+84 28 3822 1234", "838221234"],
  ["028 3822 1234", "838221234"],
])("the phone %o is compared as %o", (phone, key) => {
  expect(phoneKey(phone)).toBe(key);
});

test.each([
  ["", ""],
  ["nonsense", ""],
  ["https://www.facebook.com/may", ""],
  ["https://vi.wikipedia.org/wiki/H%E1%BB%93", ""],
  ["https://www.may.example/", "may.example"],
  ["http://may.example/index.html", "may.example"],
  ["https://MAY.example/Branches/2/?from=map", "may.example/branches/2"],
])("the site %o is compared as %o", (website, key) => {
  expect(siteKey(website)).toBe(key);
});
