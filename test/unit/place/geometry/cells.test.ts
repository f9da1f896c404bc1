import * as fc from "fast-check";
import { cellToLatLng, getPentagons, getResolution } from "h3-js";
import { describe, expect, test } from "vitest";
import {
  cellsAround,
  cellsCovering,
  fullCell,
  shortCell,
  cellsTouching,
  cellsOf,
  CELL_RESOLUTIONS,
} from "../../../../src/place/geometry/cells.ts";
import type { Coordinates } from "../../../../src/place/geometry/coordinates.ts";
import { pointAt } from "../../../support/points.ts";

const HO_CHI_MINH_CITY = { latitude: 10.7769, longitude: 106.7009 };

test("a point has one cell of each resolution, coarse first", () => {
  expect(cellsOf(HO_CHI_MINH_CITY).map(getResolution)).toStrictEqual([...CELL_RESOLUTIONS]);
});

test("a cell has a short name of seven letters at most, from which its full name is read", () => {
  const points = fc.record({
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  });
  fc.assert(
    fc.property(points, (point) => {
      const cells = cellsOf(point);
      const short = cells.map(shortCell);
      expect(short.map(fullCell)).toStrictEqual(cells);
      expect(Math.max(...short.map((name) => name.length))).toBeLessThanOrEqual(7);
      expect(new Set(short).size).toBe(cells.length);
    }),
  );
});

test("a point is surrounded by its cell and whole rings of cells", () => {
  expect(cellsAround(HO_CHI_MINH_CITY, 8, 0)).toStrictEqual([cellsOf(HO_CHI_MINH_CITY)[4]]);
  expect(new Set(cellsAround(HO_CHI_MINH_CITY, 8, 2)).size).toBe(19);
});

describe("the cells that cover a circle", () => {
  /** Where cells are smallest and most distorted: about the pentagons of the grid. */
  const anyPointNearPentagon = fc
    .record({
      pentagon: fc.constantFrom(...CELL_RESOLUTIONS.flatMap((resolution) => getPentagons(resolution))),
      meters: fc.double({ min: 0, max: 100_000, noNaN: true }),
      bearing: fc.double({ min: 0, max: 360, noNaN: true }),
    })
    .map(({ pentagon, meters, bearing }) => {
      const [latitude, longitude] = cellToLatLng(pentagon);
      return pointAt({ latitude, longitude }, meters, bearing);
    });
  const anyCentre: fc.Arbitrary<Coordinates> = fc.oneof(
    fc.record({
      latitude: fc.double({ min: -90, max: 90, noNaN: true }),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    }),
    fc.record({
      latitude: fc.constantFrom(90, 89.99, -89.999, -90, 0),
      longitude: fc.constantFrom(180, 179.999, -180, -179.99, 0),
    }),
    anyPointNearPentagon,
  );
  /** As many small circles as wide ones. */
  const anyRadius = fc.double({ min: 0, max: Math.log10(110_000), noNaN: true }).map((power) => 10 ** power);
  const anyBearing = fc.double({ min: 0, max: 360, noNaN: true });
  const anyShare = fc.oneof(fc.constant(0.99999), fc.double({ min: 0, max: 0.99999, noNaN: true }));

  test("contain every point of it, also at the poles, the date line and pentagons", () => {
    fc.assert(
      fc.property(anyCentre, anyRadius, anyBearing, anyShare, (centre, radiusMeters, bearing, share) => {
        const cells = cellsCovering(centre, radiusMeters) ?? [];
        const point = pointAt(centre, radiusMeters * share, bearing);
        expect(cellsOf(point).filter((cell) => cells.includes(cell))).toHaveLength(1);
      }),
      { numRuns: 2_000 },
    );
  });

  test("that the circle touches hold every point of it, too, and are fewer", () => {
    fc.assert(
      fc.property(anyCentre, anyRadius, anyBearing, anyShare, (centre, radiusMeters, bearing, share) => {
        const cells = cellsTouching(centre, radiusMeters) ?? [];
        const point = pointAt(centre, radiusMeters * share, bearing);
        expect(cellsOf(point).filter((cell) => cells.includes(cell))).toHaveLength(1);
      }),
      { numRuns: 2_000 },
    );
    const [touching = [], covering = []] = [cellsTouching, cellsCovering].map((find) =>
      find(HO_CHI_MINH_CITY, 20),
    );
    expect(touching.length).toBeLessThan(covering.length);
  });

  test("contain the edge of a circle next to a pentagon, where cells are smallest", () => {
    const centre = { latitude: -50.10284169712523, longitude: 36.51982820979708 };
    const edge = { latitude: -50.10101033624682, longitude: 36.512062953549275 };
    const cells = cellsCovering(centre, 590.1) ?? [];
    expect(cellsOf(edge).some((cell) => cells.includes(cell))).toBe(true);
  });

  test("are a short list of one resolution", () => {
    for (const radiusMeters of [0, 1, 100, 2_000, 50_000]) {
      const cells = cellsCovering(HO_CHI_MINH_CITY, radiusMeters) ?? [];
      expect(cells.length).toBeGreaterThan(0);
      expect(cells.length).toBeLessThanOrEqual(91);
      expect(new Set(cells.map(getResolution)).size).toBe(1);
    }
  });

  test("do not exist for a circle wider than the coarsest cells reach", () => {
    expect(cellsCovering(HO_CHI_MINH_CITY, 120_000)).toBeUndefined();
  });
});
