import { InvalidArgumentError } from "commander";
import { expect, test } from "vitest";
import { namesOf, wholeNumber } from "../../../src/cli/options.ts";

test.each(["", "0", "11", "1.0", "-1", "1e0", "ten", " 5"])("%j is no whole number from 1 to 10", (text) => {
  expect(() => wholeNumber(1, 10)(text)).toThrow(InvalidArgumentError);
});

test("a whole number within the bounds is taken", () => {
  expect(["1", "007", "10"].map(wholeNumber(1, 10))).toStrictEqual([1, 7, 10]);
  expect(wholeNumber(0)("999999999")).toBe(999_999_999);
});

test("the bounds are named", () => {
  expect(() => wholeNumber(1, 10)("0")).toThrow("from 1 to 10");
  expect(() => wholeNumber(1)("0")).toThrow("of 1 or more");
});

test("names come in the order of the known ones and once each", () => {
  expect(namesOf(["search", "place"])("place, search,place")).toStrictEqual(["search", "place"]);
});

test.each(["", "all", "search,", "search,,place", "Search"])("%j is no list of names", (text) => {
  expect(() => namesOf(["search", "place"])(text)).toThrow(InvalidArgumentError);
});

test("an unknown name is refused with the known ones", () => {
  expect(() => namesOf(["search", "place"])("search,all")).toThrow(
    'There is no "all". Choose from search, place, separated by commas.',
  );
});
