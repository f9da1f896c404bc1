import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cellsAround, cellsOf } from "../../../src/place/geometry/cells.ts";
import { isInBounds, type Coordinates } from "../../../src/place/geometry/coordinates.ts";
import { createDensity } from "../../../src/meilisearch/place-index.ts";
import { RINGS } from "../../../src/search/numbers.ts";
import { densityWithin, ringsAround, type Ring, type RingCounts } from "../../../src/search/rings.ts";
import { pointAt } from "../../support/points.ts";

const CENTRE = { latitude: 10.776, longitude: 106.7 };

/** Counts of places that lie in groups: so many within so many metres of the centre. */
function countsOf(
  groups: readonly { places: number; meters: number }[],
  centre: Coordinates = CENTRE,
): RingCounts {
  const counts: Record<string, number> = {};
  for (const { places, meters } of groups) {
    // A hundred spots stand for a crowd.
    const spots = Math.min(100, places);
    for (let i = 0; i < spots; i += 1) {
      const spot = pointAt(centre, (meters * (i + 1)) / spots, i * 137.5);
      for (const cell of cellsOf(spot)) counts[cell] = (counts[cell] ?? 0) + Math.ceil(places / spots);
    }
  }
  const places = groups.reduce((sum, group) => sum + Math.ceil(group.places / 100) * 100, 1);
  return { places: places + ELSEWHERE, density: createDensity(counts) };
}

/** A ring that reaches as far as any cells do is not everywhere. */
const ELSEWHERE = 1_000_000;

/** A neighbourhood, and how far lookups go. */
function threeRings(...asked: Parameters<typeof ringsAround>) {
  const { holding } = ringsAround(...asked);
  return { near: holding(1_000), around: holding(RINGS.around), region: holding(RINGS.region) };
}

const countIn = ({ cells }: Ring, { density }: RingCounts): number =>
  (cells ?? []).reduce((sum, cell) => sum + density.placesIn(cell), 0);

describe("the rings around a caller", () => {
  const anyGroups = fc.array(
    fc.record({ places: fc.integer({ min: 1, max: 50_000 }), meters: fc.integer({ min: 10, max: 60_000 }) }),
    { maxLength: 4 },
  );

  test("hold what they say, the wider no fewer than the nearer, in short lists", () => {
    fc.assert(
      fc.property(anyGroups, (groups) => {
        const counts = countsOf(groups);
        const { near, around, region } = threeRings(CENTRE, counts);
        for (const ring of [near, around, region]) {
          expect(ring.places).toBe(countIn(ring, counts));
          expect(ring.cells?.length).toBeGreaterThan(0);
          expect(ring.cells?.length).toBeLessThanOrEqual(19);
          expect(cellsOf(CENTRE).some((cell) => ring.cells?.includes(cell))).toBe(true);
        }
        expect(near.places).toBeLessThanOrEqual(around.places);
        expect(around.places).toBeLessThanOrEqual(region.places);
      }),
      { numRuns: 50 },
    );
  });

  test("hold no more than was asked for, unless one block of houses does", () => {
    fc.assert(
      fc.property(anyGroups, fc.integer({ min: 0, max: 100_000 }), (groups, places) => {
        const ring = ringsAround(CENTRE, countsOf(groups)).holding(places);
        expect(ring.places <= places || ring.cells?.length === 1).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  test("are the same whatever was asked for before", () => {
    const counts = countsOf([{ places: 40_000, meters: 5_000 }]);
    const rings = ringsAround(CENTRE, counts);
    const wide = rings.holding(40_000);
    expect(rings.holding(500).cells).toStrictEqual(ringsAround(CENTRE, counts).holding(500).cells);
    expect(rings.holding(40_000).cells).toStrictEqual(wide.cells);
  });

  test("are everywhere where that is asked for, and where a search is restricted to few places", () => {
    const counts = countsOf([{ places: 400, meters: 5_000 }]);
    const everywhere = ringsAround(CENTRE, counts).holding(Infinity);
    const { near, region } = threeRings(CENTRE, { ...counts, places: 30 });
    expect([everywhere, near, region].map(({ cells }) => cells)).toStrictEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([everywhere, near, region].map(({ places }) => places)).toStrictEqual([counts.places, 30, 30]);
  });

  test("reach further where places are sparse", () => {
    const inCity = threeRings(CENTRE, countsOf([{ places: 4_000, meters: 5_000 }])).near;
    const onIsland = threeRings(CENTRE, countsOf([{ places: 40, meters: 20_000 }])).near;
    expect(onIsland.places).toBe(40);
    expect(inCity.places).toBeLessThan(1_000);
    expect(onIsland.cells).not.toStrictEqual(inCity.cells);
  });

  test("hold every place up to their reach", () => {
    const anyPoint = fc.record({
      latitude: fc.double({ min: -89, max: 89, noNaN: true }),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    });
    fc.assert(
      fc.property(anyPoint, fc.integer({ min: 0, max: 359 }), (centre, bearing) => {
        const { near } = threeRings(centre, countsOf([{ places: 30_000, meters: 900 }], centre));
        const last = pointAt(centre, near.reachMeters() * 0.999, bearing);
        expect(cellsOf(last).some((cell) => near.cells?.includes(cell))).toBe(true);
      }),
    );
  });

  test("hold more than was asked for, or are everywhere", () => {
    const rings = ringsAround(CENTRE, countsOf([{ places: 4_000, meters: 5_000 }]));
    expect(rings.holdingMoreThan(1_000).places).toBeGreaterThan(1_000);
    expect(rings.holdingMoreThan(4_000)).toBe(rings.everywhere);
  });

  test("are as wide as they go where there is nothing", () => {
    const { near, around, region } = threeRings(CENTRE, countsOf([]));
    expect([around.cells, region.cells]).toStrictEqual([near.cells, near.cells]);
    expect(new Set(near.cells)).toStrictEqual(new Set(cellsAround(CENTRE, 4, 2)));
  });

  test("are those of a city before the places were counted", () => {
    const { near, around, region } = threeRings(CENTRE, undefined);
    const lengths = [near, around, region].map(({ cells }) => cells?.length);
    expect(lengths).toStrictEqual([19, 19, 19]);
    expect(new Set([near, around, region].map(({ cells }) => cells?.[0])).size).toBe(3);
  });

  test.each([
    { latitude: 90, longitude: 0 },
    { latitude: -90, longitude: 180 },
    { latitude: 0, longitude: -180 },
    { latitude: 58.157_70, longitude: 11.250_00 },
  ])("exist at $latitude, $longitude", (centre) => {
    const { near, region } = threeRings(centre, countsOf([{ places: 5_000, meters: 3_000 }], centre));
    expect(near.places).toBeGreaterThan(0);
    expect(region.places).toBe(5_000);
  });
});

describe("a circle around a caller", () => {
  const anyGroups = fc.array(
    fc.record({
      places: fc.integer({ min: 100, max: 50_000 }),
      meters: fc.integer({ min: 10, max: 20_000 }),
    }),
    { minLength: 1, maxLength: 3 },
  );

  test("is wider the more places it is to hold, and missing only where there are fewer", () => {
    fc.assert(
      fc.property(anyGroups, fc.integer({ min: 1, max: 5_000 }), (groups, places) => {
        const rings = ringsAround(CENTRE, countsOf(groups));
        const [less, more] = [rings.circleHolding(places), rings.circleHolding(2 * places)];
        const mustBe = groups.some((group) => group.places >= 4 * places);
        expect(less !== undefined || !mustBe).toBe(true);
        expect(less?.places ?? Infinity).toBeGreaterThanOrEqual(places);
        expect(more?.reachMeters() ?? Infinity).toBeGreaterThanOrEqual(less?.reachMeters() ?? 0);
      }),
      { numRuns: 50 },
    );
  });

  test("holds every place up to its radius, by its cells and by its rectangle", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000 }),
        fc.integer({ min: 0, max: 359 }),
        (radiusMeters, bearing) => {
          const circle = ringsAround(CENTRE, countsOf([{ places: 3_000, meters: 500 }])).circle(radiusMeters);
          const last = pointAt(CENTRE, radiusMeters * 0.999, bearing);
          expect(cellsOf(last).some((cell) => circle?.cells?.includes(cell))).toBe(true);
          expect(isInBounds(circle!.bounds, last)).toBe(true);
        },
      ),
    );
  });

  test("needs counted places", () => {
    expect(ringsAround(CENTRE, undefined).circleHolding(1)).toBeUndefined();
  });
});

describe("the density in a shape", () => {
  const { density } = countsOf([
    { places: 3_000, meters: 200 },
    { places: 500, meters: 9_000 },
  ]);
  const [coarse = "", fine = ""] = [cellsOf(CENTRE)[2], cellsOf(CENTRE)[4]];

  test("is that of its cells and of those inside them", () => {
    const within = densityWithin([coarse], density);
    for (const cell of cellsOf(CENTRE).slice(2)) expect(within.placesIn(cell)).toBe(density.placesIn(cell));
  });

  test("counts for a larger cell only the part that lies in the shape", () => {
    const within = densityWithin([fine], density);
    expect(within.placesIn(coarse)).toBe(density.placesIn(fine));
    expect(density.placesIn(coarse)).toBeGreaterThan(density.placesIn(fine));
  });

  test("is nothing elsewhere", () => {
    const elsewhere = cellsOf(pointAt(CENTRE, 9_000, 90)).at(-1)!;
    expect(densityWithin([fine], density).placesIn(elsewhere)).toBe(0);
  });
});
