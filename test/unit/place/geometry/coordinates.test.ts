import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  boundsAround,
  boundsInside,
  distanceMeters,
  intersectBounds,
  isInBounds,
} from "../../../../src/place/geometry/coordinates.ts";

describe("a rectangle around a circle", () => {
  const inAllDirections = Array.from({ length: 36 }, (_, index) => (index * Math.PI) / 18);

  it.each([0, 10.78, -45, 79])("holds the circle at latitude %d", (latitude) => {
    const centre = { latitude, longitude: 106.7 };
    const bounds = boundsAround(centre, 500)!;
    const metersPerDegree = 111_195;
    const onCircle = inAllDirections.map((angle) => ({
      latitude: latitude + (500 * Math.sin(angle)) / metersPerDegree,
      longitude: 106.7 + (500 * Math.cos(angle)) / metersPerDegree / Math.cos((latitude * Math.PI) / 180),
    }));
    expect(onCircle.every((point) => isInBounds(bounds, point))).toBe(true);
    expect(isInBounds(bounds, { latitude: latitude + 0.005, longitude: 106.7 })).toBe(false);
  });

  it("does not exist near the poles and at the antimeridian", () => {
    expect(boundsAround({ latitude: 85, longitude: 0 }, 500)).toBeUndefined();
    expect(boundsAround({ latitude: 0, longitude: 179.999 }, 500)).toBeUndefined();
  });
});

test("a rectangle inside a circle has no point outside of it, and most of its area", () => {
  const anywhere = fc.record({
    latitude: fc.double({ min: -80, max: 80, noNaN: true }),
    longitude: fc.double({ min: -170, max: 170, noNaN: true }),
  });
  fc.assert(
    fc.property(anywhere, fc.double({ min: 10, max: 200_000, noNaN: true }), (centre, radiusMeters) => {
      const { west, south, east, north } = boundsInside(centre, radiusMeters)!;
      for (const latitude of [south, centre.latitude, north]) {
        for (const longitude of [west, east])
          expect(distanceMeters(centre, { latitude, longitude })).toBeLessThanOrEqual(radiusMeters);
      }
      expect(distanceMeters(centre, { ...centre, latitude: north })).toBeGreaterThan(0.69 * radiusMeters);
    }),
  );
});

test.each([
  { what: "a very wide circle", centre: { latitude: 10, longitude: 106 }, radiusMeters: 300_000 },
  { what: "a circle at a pole", centre: { latitude: 85, longitude: 106 }, radiusMeters: 1_000 },
  {
    what: "a circle across the antimeridian",
    centre: { latitude: 10, longitude: 179.99 },
    radiusMeters: 9_000,
  },
])("$what has no rectangle inside", ({ centre, radiusMeters }) => {
  expect(boundsInside(centre, radiusMeters)).toBeUndefined();
});

test("two rectangles have in common what lies in both, if anything", () => {
  const one = { west: 1, south: 1, east: 4, north: 4 };
  expect(intersectBounds(one, { west: 2, south: 0, east: 9, north: 3 })).toStrictEqual({
    west: 2,
    south: 1,
    east: 4,
    north: 3,
  });
  expect(intersectBounds(one, { west: 5, south: 1, east: 6, north: 4 })).toBeUndefined();
  expect(intersectBounds(one, { west: 179, south: 1, east: -179, north: 4 })).toBeUndefined();
});
