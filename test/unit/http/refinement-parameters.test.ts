import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ProblemError } from "../../../src/errors.ts";
import { autocompleteParameters, searchParameters } from "../../../src/http/parameters.ts";
import { parseQuery } from "../../../src/http/query-string.ts";
import { toRefinements } from "../../../src/http/refinement-parameters.ts";

const NOW = Temporal.Instant.from("2026-11-20T12:00:00Z");

const parse = (values: Record<string, string>) =>
  parseQuery(searchParameters, new URLSearchParams({ q: "x", ...values }).toString());
const refine = (values: Record<string, string>) => toRefinements(parse(values), NOW);

/** What is wrong with one parameter; undefined when nothing is. */
function problemOf(values: Record<string, string>): string | undefined {
  try {
    parse(values);
    return undefined;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return error.errors.map(({ parameter, code }) => `${parameter} ${code}`).join();
  }
}

test("without filters nothing is excluded", () => {
  expect(refine({})).toStrictEqual({});
});

describe("category", () => {
  test.each(["", ",", "COFFEE,", "CAFE", "COFFEE, BAR", "COFFEE;BAR", "toString", "__proto__", "coffee\0"])(
    "%j is unknown",
    (category) => {
      expect(problemOf({ category })).toBe("category unknown_value");
    },
  );

  test.each([
    ["COFFEE", ["COFFEE"]],
    ["coffee", ["COFFEE"]],
    ["Coffee,bAr", ["COFFEE", "BAR"]],
    ["BAR,bar,BAR", ["BAR"]],
  ])("%j means %j", (category, types) => {
    expect(refine({ category })).toStrictEqual({ types });
  });
});

describe("open_now", () => {
  test.each(["", "yes", "2", "truefalse", " 1", "on"])("%j is neither true nor false", (open_now) => {
    expect(problemOf({ open_now })).toBe("open_now unknown_value");
  });

  test.each(["true", "1", "True"])("%s means the moment of the request", (open_now) => {
    expect(refine({ open_now })).toStrictEqual({ openAt: NOW });
  });

  test.each(["false", "0"])("%s restricts nothing", (open_now) => {
    expect(refine({ open_now })).toStrictEqual({});
  });
});

describe("open_at", () => {
  test.each([
    "",
    "now",
    "20:00",
    "2026-11-20",
    "2026-11-20T20:00",
    "2026-11-20T20:00:00",
    "2026-11-20 20:00",
    "2026-02-30T10:00Z",
    "2026-11-20T25:00Z",
    "2026-11-20T20:00+99:00",
    "2026-11-20T20:00[Asia/Nowhere]",
    "+020261-11-20T20:00Z",
    "1763640000",
    `2026-11-20T20:00:00.${"0".repeat(5_000)}Z`,
  ])("%j is not a time", (open_at) => {
    expect(problemOf({ open_at })).toBe("open_at malformed");
  });

  test.each([
    "2026-11-20T13:00Z",
    "2026-11-20T13:00:00.000Z",
    "2026-11-20t13:00z",
    "2026-11-20T20:00+07:00",
    "2026-11-20T20:00:00+0700",
    "20261120T200000+07",
    "2026-11-20T08:00-05:00",
    "2026-11-20T20:00[Asia/Ho_Chi_Minh]",
    "2026-11-20T20:00+07:00[Asia/Ho_Chi_Minh]",
  ])("%s is eight in the evening in Ho Chi Minh City", (open_at) => {
    expect(refine({ open_at }).openAt?.toString()).toBe("2026-11-20T13:00:00Z");
  });

  test("a plus sign that was not encoded is accepted", () => {
    const { open_at } = parseQuery(searchParameters, "q=x&open_at=2026-11-20T20:00:00+07:00");
    expect(open_at?.toString()).toBe("2026-11-20T13:00:00Z");
  });

  test("any time with an offset is accepted", () => {
    const anyMoment = fc.date({
      min: new Date("0001-01-01T00:00:00Z"),
      max: new Date("9998-12-31T00:00:00Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(anyMoment, fc.constantFrom("+00:00", "+07:00", "-03:30", "+14:00"), (date, offset) => {
        const moment = Temporal.Instant.fromEpochMilliseconds(date.getTime());
        const open_at = moment.toString({ timeZone: offset });
        expect(parse({ open_at }).open_at?.epochMilliseconds).toBe(date.getTime());
      }),
    );
  });

  test("is truncated to the minute", () => {
    expect(refine({ open_at: "2026-11-20T13:00:59.999Z" }).openAt?.toString()).toBe("2026-11-20T13:00:00Z");
    expect(toRefinements(parse({ open_now: "1" }), NOW.add({ seconds: 59 })).openAt).toStrictEqual(NOW);
  });

  test("is refused together with open_now, even when that is false", () => {
    const open_at = "2026-11-20T13:00Z";
    expect(problemOf({ open_at, open_now: "1" })).toBe("open_at conflicting");
    expect(problemOf({ open_at, open_now: "false" })).toBe("open_at conflicting");
  });
});

describe("numbers", () => {
  test.each([
    { min_rating: "" },
    { min_rating: "4.5.1" },
    { min_rating: "four" },
    { min_rating: "4,5,1" },
    { min_rating: "NaN" },
    { max_price: "50.000" },
    { max_price: "50,000" },
    { max_price: "-1" },
    { max_price: "5e4" },
    { max_price: "" },
    { radius: "" },
    { radius: "1.5" },
    { radius: "1km" },
    { radius: "-5" },
  ])("%j is malformed", (values) => {
    expect(problemOf(values as Record<string, string>)).toMatch(/^\w+ malformed$/);
  });

  test.each([
    { min_rating: "5.1" },
    { min_rating: "-0,5" },
    { max_price: "1000000000001" },
    { max_price: "9".repeat(400) },
    { radius: "0" },
    { radius: "50001" },
  ])("%j is out of range", (values) => {
    expect(problemOf(values as Record<string, string>)).toMatch(/^\w+ out_of_range$/);
  });

  test("a rating has a decimal point or a comma", () => {
    expect(refine({ min_rating: "4.5" })).toStrictEqual({ minRating: 4.5 });
    expect(refine({ min_rating: "4,5" })).toStrictEqual({ minRating: 4.5 });
    expect(refine({ min_rating: "0" })).toStrictEqual({ minRating: 0 });
  });

  test("a price of 0 is a filter", () => {
    expect(refine({ max_price: "0" })).toStrictEqual({ maxPrice: 0 });
  });

  test("a radius is one metre to fifty kilometres", () => {
    expect(refine({ radius: "1" })).toStrictEqual({ radiusMeters: 1 });
    expect(refine({ radius: "50000" })).toStrictEqual({ radiusMeters: 50_000 });
  });
});

describe("bbox", () => {
  test("is west, south, east, north", () => {
    expect(refine({ bbox: "106.6,10.7,106.8,10.9" })).toStrictEqual({
      bounds: { west: 106.6, south: 10.7, east: 106.8, north: 10.9 },
    });
  });

  test("crosses the antimeridian where west is greater than east", () => {
    expect(refine({ bbox: "179,-18,-179,-17" })).toStrictEqual({
      bounds: { west: 179, south: -18, east: -179, north: -17 },
    });
  });

  test("with an edge on the antimeridian includes it from both sides", () => {
    expect(refine({ bbox: "179,-18,180,-17" })).toStrictEqual({
      bounds: { west: 179, south: -18, east: -180, north: -17 },
    });
    expect(refine({ bbox: "-180,-18,-179,-17" })).toStrictEqual({
      bounds: { west: 180, south: -18, east: -179, north: -17 },
    });
  });

  test("may be the whole world, a line or a point", () => {
    expect(refine({ bbox: "-180,-90,180,90" })).toStrictEqual({
      bounds: { west: -180, south: -90, east: 180, north: 90 },
    });
    expect(refine({ bbox: "106,10,106,10" })).toStrictEqual({
      bounds: { west: 106, south: 10, east: 106, north: 10 },
    });
  });

  test.each([
    "",
    "106,10,107",
    "106,10,107,11,12",
    "106,11,107,10",
    "181,10,107,11",
    "106,-91,107,11",
    "106, 10,107,11",
    "1e2,10,107,11",
    "a,b,c,d",
  ])("bbox=%j is no rectangle", (bbox) => {
    expect(problemOf({ bbox })).toBe("bbox malformed");
  });
});

test.each(["", "price", "Distance", "distance,rating", "-distance"])("sort=%j is no order", (sort) => {
  expect(problemOf({ sort })).toBe("sort unknown_value");
});

test("autocomplete has none of them", () => {
  const refined = "q=x&category=NOPE&open_now=maybe&min_rating=9&radius=-1&sort=price&open_at=x&max_price=x";
  expect(parseQuery(autocompleteParameters, refined)).toStrictEqual(
    parseQuery(autocompleteParameters, "q=x"),
  );
});
