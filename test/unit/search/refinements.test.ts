import { describe, expect, test } from "vitest";
import { distanceMeters } from "../../../src/place/geometry/coordinates.ts";
import { cellResolution, cellsOf, centreOf } from "../../../src/place/geometry/cells.ts";
import { openSlotsOf } from "../../../src/place/time/open-slots.ts";
import type { OpenRange } from "../../../src/place/document/place-document.ts";
import { isInside, toRefinementFilter } from "../../../src/search/search-context.ts";
import type { Refinements } from "../../../src/search/search-request.ts";
import { type PlaceFacts, buildPlace } from "../../support/build-place.ts";
import { pointAt } from "../../support/points.ts";

const CENTRE = { latitude: 10.776, longitude: 106.7 };
const BOUNDS = { west: 106.6, south: 10.7, east: 106.8, north: 10.9 };
const ZONES = ["Asia/Ho_Chi_Minh"];
const NOON = Temporal.Instant.from("2026-11-18T12:00:00+07:00");

/** A city everywhere. */
const DENSITY = { placesIn: (cell: string) => 7 ** (11 - cellResolution(cell)), entries: () => [] };

const filterOf = (refinements: Refinements, timezones = ZONES) =>
  toRefinementFilter(refinements, CENTRE, { timezones, density: DENSITY });

const openDaily = (range: OpenRange): PlaceFacts => ({
  opening_hours: { week: Array.from({ length: 7 }, () => [range]), special_days: [] },
});

describe("the filter of the index", () => {
  test("is empty without refinements", () => {
    expect(filterOf({})).toStrictEqual({});
  });

  test("has every type under the requested ones", () => {
    expect(filterOf({ types: ["RESTAURANT"] }).types).toEqual(expect.arrayContaining(["RESTAURANT", "PHO"]));
    expect(filterOf({ types: ["PHO"] }).types).not.toContain("RESTAURANT");
  });

  test("keeps a number that is zero", () => {
    expect(filterOf({ minRating: 0, maxPrice: 0 })).toStrictEqual({ minRating: 0, maxPrice: 0 });
  });

  test("has the parts of the week that hold the moment", () => {
    const { openSlots = [] } = filterOf({ openAt: NOON });
    const [atNoon, inTheEvening] = [openDaily([660, 780]), openDaily([1080, 1320])].map((hours) =>
      openSlotsOf(buildPlace(hours)),
    );
    expect(atNoon?.some((slot) => openSlots.includes(slot))).toBe(true);
    expect(inTheEvening?.some((slot) => openSlots.includes(slot))).toBe(false);
  });

  test("has the dates around the moment, for special days", () => {
    expect(filterOf({ openAt: NOON }).specialDates).toEqual(
      expect.arrayContaining(["2026-11-17", "2026-11-18"]),
    );
  });

  test("ignores opening hours while the time zones are unknown", () => {
    expect(toRefinementFilter({ openAt: NOON }, CENTRE, undefined)).toStrictEqual({});
  });

  test("has the cells around a circle", () => {
    const [within = []] = filterOf({ radiusMeters: 2_000 }).within ?? [];
    const isIn = (meters: number) =>
      cellsOf(pointAt(CENTRE, meters, 45)).some((cell) => within.includes(cell));
    expect([isIn(0), isIn(1_999), isIn(20_000)]).toStrictEqual([true, true, false]);
  });
});

test("a circle and a rectangle have their cells each: a place must lie in both", () => {
  const { within = [] } = filterOf({ radiusMeters: 500, bounds: BOUNDS });
  expect(within).toHaveLength(2);
  expect(within[0]).not.toStrictEqual(within[1]);
});

test("a circle, a rectangle and a polygon have one list of cells, which lie in all of them", () => {
  const ring = [
    { latitude: 10.7, longitude: 106.6 },
    { latitude: 10.9, longitude: 106.6 },
    { latitude: 10.9, longitude: 106.8 },
    { latitude: 10.7, longitude: 106.6 },
  ];
  const shape = { bounds: BOUNDS, polygon: { rings: [ring] } };
  const [wide, narrow] = [filterOf(shape), filterOf({ ...shape, radiusMeters: 4_000 })].map(
    ({ within }) => within!,
  );
  expect([wide!.length, narrow!.length]).toStrictEqual([1, 1]);
  const inCircle = narrow![0]!.every((cell) => distanceMeters(CENTRE, centreOf(cell)) < 4_500);
  expect([narrow![0]!.length > 0, inCircle]).toStrictEqual([true, true]);
  expect(cellResolution(narrow![0]![0]!)).toBeGreaterThan(cellResolution(wide![0]![0]!));
});

describe("a circle", () => {
  test("ends exactly at its radius", () => {
    const meters = distanceMeters(CENTRE, pointAt(CENTRE, 500, 45));
    expect(isInside({ radiusMeters: meters }, CENTRE, pointAt(CENTRE, 500, 45))).toBe(true);
    expect(isInside({ radiusMeters: meters - 0.01 }, CENTRE, pointAt(CENTRE, 500, 45))).toBe(false);
  });

  test("that was not requested has no end", () => {
    expect(isInside({}, CENTRE, { latitude: -80, longitude: -20 })).toBe(true);
  });
});

describe("a rectangle", () => {
  test("holds its edges", () => {
    const bounds = { west: 106, south: 10, east: 107, north: 11 };
    expect(isInside({ bounds }, CENTRE, { latitude: 11, longitude: 106 })).toBe(true);
    expect(isInside({ bounds }, CENTRE, { latitude: 11.000001, longitude: 106 })).toBe(false);
  });

  test("whose west is greater than its east crosses the antimeridian", () => {
    const bounds = { west: 179, south: -18, east: -179, north: -17 };
    const isIn = (longitude: number) => isInside({ bounds }, CENTRE, { latitude: -17.5, longitude });
    expect([179.5, 180, -180, -179.5, 178.9, 0].map(isIn)).toStrictEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  test("that is small is looked up by the cells that cover it, a large one by its degrees", () => {
    const small = { west: 106.69, south: 10.77, east: 106.71, north: 10.78 };
    expect(Object.keys(filterOf({ bounds: small }))).toStrictEqual(["within"]);
    const large = { west: 102, south: 8, east: 110, north: 24 };
    expect(filterOf({ bounds: large })).toStrictEqual({ bounds: large });
  });
});
