import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cellsAround, cellsOf } from "../../../src/place/cells.ts";
import type { Coordinates } from "../../../src/place/coordinates.ts";
import { MAX_SORTED_PLACES, type Density } from "../../../src/place-index/place-index.ts";
import { ringsAround, type Ring } from "../../../src/search/rings.ts";
import { pointAt } from "../../support/points.ts";

const CENTRE = { latitude: 10.776, longitude: 106.7 };

/** Counts of places that lie in groups: so many within so many metres of the centre. */
function densityOf(
  groups: readonly { places: number; meters: number }[],
  centre: Coordinates = CENTRE,
): Density {
  const counts = new Map<string, number>();
  for (const { places, meters } of groups) {
    // A hundred spots stand for a crowd.
    const spots = Math.min(100, places);
    for (let i = 0; i < spots; i += 1) {
      const spot = pointAt(centre, (meters * (i + 1)) / spots, i * 137.5);
      for (const cell of cellsOf(spot)) counts.set(cell, (counts.get(cell) ?? 0) + places / spots);
    }
  }
  return counts;
}

const countIn = ({ cells }: Ring, density: Density): number =>
  cells.reduce((sum, cell) => sum + (density.get(cell) ?? 0), 0);

describe("the rings around a caller", () => {
  const anyGroups = fc.array(
    fc.record({ places: fc.integer({ min: 1, max: 50_000 }), meters: fc.integer({ min: 10, max: 60_000 }) }),
    { maxLength: 4 },
  );

  test("hold what they say, the wider no fewer than the nearer, in short lists", () => {
    fc.assert(
      fc.property(anyGroups, (groups) => {
        const density = densityOf(groups);
        const { near, around, region } = ringsAround(CENTRE, density);
        for (const ring of [near, around, region]) {
          expect(ring.places).toBeCloseTo(countIn(ring, density), 3);
          expect(ring.cells.length).toBeGreaterThan(0);
          expect(ring.cells.length).toBeLessThanOrEqual(19);
          expect(cellsOf(CENTRE).some((cell) => ring.cells.includes(cell))).toBe(true);
        }
        expect(near.places).toBeLessThanOrEqual(around.places);
        expect(around.places).toBeLessThanOrEqual(region.places);
      }),
      { numRuns: 50 },
    );
  });

  test("are sized so that the engine may sort the nearest, unless one block of houses holds more", () => {
    fc.assert(
      fc.property(anyGroups, (groups) => {
        const density = densityOf(groups);
        const { near } = ringsAround(CENTRE, density);
        expect(near.places <= MAX_SORTED_PLACES || near.cells.length === 1).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  test("reach further where places are sparse", () => {
    const inCity = ringsAround(CENTRE, densityOf([{ places: 40_000, meters: 5_000 }]));
    const onIsland = ringsAround(CENTRE, densityOf([{ places: 40, meters: 20_000 }]));
    expect(onIsland.near.places).toBe(40);
    expect(inCity.near.places).toBeLessThan(1_000);
    expect(onIsland.near.cells).not.toStrictEqual(inCity.near.cells);
  });

  test("are as wide as they go where there is nothing", () => {
    const { near, around, region } = ringsAround(CENTRE, new Map());
    expect([around, region]).toStrictEqual([near, near]);
    expect(new Set(near.cells)).toStrictEqual(new Set(cellsAround(CENTRE, 4, 2)));
  });

  test("are there before the places were counted, and never sorted by the engine then", () => {
    const { near, around, region } = ringsAround(CENTRE, undefined);
    for (const ring of [near, around, region]) {
      expect(ring.cells.length).toBeGreaterThan(0);
      expect(ring.places).toBeGreaterThan(MAX_SORTED_PLACES);
    }
  });

  test.each([
    { latitude: 90, longitude: 0 },
    { latitude: -90, longitude: 180 },
    { latitude: 0, longitude: -180 },
    { latitude: 58.157_70, longitude: 11.250_00 },
  ])("exist at $latitude, $longitude", (centre) => {
    const density = densityOf([{ places: 5_000, meters: 3_000 }], centre);
    const { near, region } = ringsAround(centre, density);
    expect(near.places).toBeGreaterThan(0);
    expect(region.places).toBeCloseTo(5_000, 0);
  });
});
