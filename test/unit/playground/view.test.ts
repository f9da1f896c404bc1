import { fc } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import {
  COMPARED_ORDERS,
  parseView,
  toBox,
  toPoint,
  toSearch,
  type Box,
  type View,
} from "../../../src/playground/view.ts";

const point = fc
  .record({
    lat: fc.double({ min: -90, max: 90, noNaN: true }),
    lng: fc.double({ min: -180, max: 179.99, noNaN: true }),
  })
  .map(({ lat, lng }) => toPoint(lat, lng));

const filters = fc.record(
  {
    open_now: fc.constant(true as const),
    category: fc.stringMatching(/^[A-Z]{1,10}_?[A-Z]{1,5}$/),
    min_rating: fc.integer({ min: 1, max: 10 }).map((half) => half / 2),
    max_price: fc.integer({ min: 1, max: 1_000_000_000 }),
    radius: fc.integer({ min: 1, max: 50_000 }),
    sort: fc.constantFrom("distance" as const, "rating" as const),
    bbox: fc
      .tuple(point, point)
      .map(([one, other]): Box => [
        one.lng,
        Math.min(one.lat, other.lat),
        other.lng,
        Math.max(one.lat, other.lat),
      ]),
  },
  { requiredKeys: [] },
);

const view: fc.Arbitrary<View> = fc.record({
  query: fc.string({ unit: "grapheme", maxLength: 60 }),
  point: fc.option(point, { nil: undefined }),
  filters,
  place: fc.option(fc.stringMatching(/^0x[0-9a-f]{1,16}:0x[0-9a-f]{1,16}$/), { nil: undefined }),
  isExplained: fc.boolean(),
  isAround: fc.boolean(),
  compared: fc.option(
    fc
      .record({
        sort: fc.constantFrom(...COMPARED_ORDERS),
        point: fc.option(point, { nil: undefined }),
      })
      .map(({ sort, point: centre }) => ({ sort, ...(centre && { point: centre }) })),
    { nil: undefined },
  ),
});

describe("the address of the map", () => {
  test("parses back to the same view", () => {
    fc.assert(
      fc.property(view, (shown) => {
        expect(parseView(toSearch(shown))).toEqual(shown);
      }),
    );
  });

  test("may be anything without breaking the page", () => {
    fc.assert(
      fc.property(fc.webQueryParameters(), (search) => {
        expect(() => parseView(search)).not.toThrow();
      }),
    );
  });

  test.each([
    ["?lat=91&lng=10", "a latitude that is none"],
    ["?lat=10", "half a point"],
    ["?lat=NaN&lng=1e3", "numbers that are none"],
    ["?min_rating=-1&max_price=0&radius=x", "filters that mean nothing"],
    ["?category=%3Cscript%3E&sort=best&open_now=maybe", "words that are none"],
  ])("%s: %s are left out", (search) => {
    expect(parseView(search)).toEqual(parseView(""));
  });

  test("cuts a query that is longer than the longest", () => {
    expect(parseView("?q=phở+bò", 3).query).toBe("phở");
    expect(parseView("?q=phở+bò", 6).query).toBe("phở bò");
  });

  test("keeps the colon of a data id, so that a person can read it", () => {
    expect(toSearch({ ...parseView(""), place: "0x1:0x2" })).toBe("?place=0x1:0x2");
  });
});

test.each([
  [190, -170],
  [-181, 179],
  [540, -180],
])("a point dragged to longitude %d is at %d", (lng, expected) => {
  expect(toPoint(0, lng).lng).toBe(expected);
});

describe("a rectangle of the map", () => {
  test.each<[string, Box, Box]>([
    ["on a copy of the world is brought back", [466.5, 10, 467.5, 11], [106.5, 10, 107.5, 11]],
    ["over the antimeridian ends west of where it begins", [170, -10, 190, 10], [170, -10, -170, 10]],
    ["wider than the world is all of it", [-300, -95, 300, 95], [-180, -90, 180, 90]],
  ])("%s", (_what, shown, box) => {
    expect(toBox(shown)).toEqual(box);
  });
});
