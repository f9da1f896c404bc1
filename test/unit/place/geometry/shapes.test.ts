import { cellToBoundary, cellToLatLng, getPentagons } from "h3-js";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cellResolution, cellsOf, type Closeness } from "../../../../src/place/geometry/cells.ts";
import { distanceMeters, isInBounds, type Coordinates } from "../../../../src/place/geometry/coordinates.ts";
import {
  cellsInAll,
  centreOfShape,
  detourMeters,
  extentOf,
  isInPolygon,
  isInShape,
  longitudeNear,
  metersFromLine,
  surelyInAll,
  toBoundsPart,
  toCirclePart,
  toPart,
  type Polygon,
  type Route,
} from "../../../../src/place/geometry/shapes.ts";
import { metersFromWay } from "../../../../tools/eval/exact/brute-force.ts";
import { pointAt } from "../../../support/points.ts";

const at = (longitude: number, latitude: number) => ({ longitude, latitude });
const ring = (...points: readonly (readonly [number, number])[]) => points.map(([x, y]) => at(x, y));

const SQUARE: Polygon = { rings: [ring([106, 10], [107, 10], [107, 11], [106, 11], [106, 10])] };
const HOLE = ring([106.4, 10.4], [106.6, 10.4], [106.6, 10.6], [106.4, 10.6], [106.4, 10.4]);
const FIJI: Polygon = { rings: [ring([179, -18], [181, -18], [181, -16], [179, -16], [179, -18])] };

describe("a polygon", () => {
  test("holds what is in it, its edge and its corners, and nothing else", () => {
    for (const inside of [at(106.5, 10.5), at(106, 10), at(107, 11), at(106.5, 11), at(106, 10.5)])
      expect(isInPolygon(SQUARE, inside)).toBe(true);
    for (const outside of [at(105.999, 10.5), at(106.5, 11.001), at(-73.5, 10.5), at(106.5, 9.9)])
      expect(isInPolygon(SQUARE, outside)).toBe(false);
  });

  test("does not hold what is in its hole, but the edge of the hole", () => {
    const polygon = { rings: [...SQUARE.rings, HOLE] };
    expect(isInPolygon(polygon, at(106.5, 10.5))).toBe(false);
    expect(isInPolygon(polygon, at(106.4, 10.5))).toBe(true);
    expect(isInPolygon(polygon, at(106.2, 10.5))).toBe(true);
  });

  test("holds both sides of the antimeridian", () => {
    for (const longitude of [179.5, 180, -180, -179.5])
      expect(isInPolygon(FIJI, at(longitude, -17))).toBe(true);
    for (const longitude of [178.9, -178.9, 0]) expect(isInPolygon(FIJI, at(longitude, -17))).toBe(false);
    expect(centreOfShape(FIJI)).toStrictEqual(at(180, -17));
  });
});

const POINT = {
  latitude: fc.double({ min: -70, max: 70, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
};
/** Metres, to the millimetre, and a direction: the squares of far shorter ones are zero. */
const NEARBY = fc.tuple(
  fc.integer({ min: 0, max: 40_000_000 }).map((millimetres) => millimetres / 1_000),
  fc.integer({ min: 0, max: 359 }),
);

/** A line around a point, with longitudes that go on past 180. */
const lineFrom = (
  start: { latitude: number; longitude: number },
  steps: readonly (readonly [number, number])[],
) =>
  steps.map(([meters, degrees]) => {
    const { latitude, longitude } = pointAt(start, meters, degrees);
    return at(longitude + 360 * Math.round((start.longitude - longitude) / 360), latitude);
  });

describe("a way", () => {
  test("is as far as its nearest point, also between its points and across the antimeridian", () => {
    const line = [at(179.9, 0), at(180.1, 0)];
    expect(metersFromLine(line, at(-180, 0.01))).toBeCloseTo(1_111.95, 1);
    expect(metersFromLine(line, at(179.9, 0))).toBe(0);
    expect(metersFromLine([at(106, 10)], at(106, 10))).toBe(0);
  });

  test("is as far as its end, where that is the corner of the rectangle around it, also at Greenwich", () => {
    for (let step = 1; step <= 1_000; step += 1) {
      const end = at(0.1 + step / 70_000, 51.5 + step / 90_000);
      const beyond = at(end.longitude + 0.013, end.latitude + 0.017);
      expect(metersFromLine([at(-0.3, 51.1), end], beyond)).toBeCloseTo(distanceMeters(end, beyond), 3);
    }
  });

  test("is as far as narrowing down the nearest point says", () => {
    fc.assert(
      fc.property(
        fc.record(POINT),
        fc.array(NEARBY, { minLength: 2, maxLength: 80 }),
        NEARBY,
        (start, steps, [meters, degrees]) => {
          const line = lineFrom(start, steps);
          const point = pointAt(start, meters / 8, degrees);
          const wanted = metersFromWay(
            line.map(({ longitude, latitude }) => [longitude, latitude]),
            point.longitude,
            point.latitude,
          );
          fc.pre(wanted <= 5_000);
          expect(Math.abs(metersFromLine(line, point) - wanted)).toBeLessThan(0.01);
        },
      ),
    );
  });

  test("takes as much of a detour as there and back", () => {
    const route: Route = { line: [at(106, 10), at(107, 10)], radiusMeters: 1_000 };
    expect(detourMeters(route, at(106.5, 10.005))).toBeCloseTo(
      2 * metersFromLine(route.line, at(106.5, 10.005)),
    );
    expect(centreOfShape(route)).toStrictEqual(at(106, 10));
  });
});

describe("the cells of a shape", () => {
  /** Where the grid is distorted most. */
  const PENTAGONS = getPentagons(7)
    .map((cell) => cellToLatLng(cell))
    .map(([latitude, longitude]) => at(longitude, latitude));
  /** In some cells many places, in others none, whatever their size. */
  const UNEVEN: Closeness = {
    placesIn: (cell) => (Number.parseInt(cell.slice(1, 12), 16) % 41) % 7,
    mostCells: 250,
  };
  /** As many places everywhere. */
  const EVEN: Closeness = { ...UNEVEN, placesIn: (cell) => 7 ** (11 - cellResolution(cell)) };

  test("hold every point in it, wherever it lies and whatever its size", () => {
    fc.assert(
      fc.property(
        fc.oneof({ weight: 3, arbitrary: fc.record(POINT) }, fc.constantFrom(...PENTAGONS)),
        fc.array(NEARBY, { minLength: 3, maxLength: 12 }),
        fc.tuple(fc.double({ min: 0.01, max: 1, noNaN: true }), fc.integer({ min: 1, max: 5_000 })),
        fc.array(fc.tuple(fc.nat(1_000), fc.nat(1_000), fc.integer({ min: 0, max: 359 })), { minLength: 20 }),
        (start, steps, [size, radiusMeters], samples) => {
          const line = lineFrom(
            start,
            steps.map(([meters, degrees]) => [meters * size, degrees] as const),
          );
          const [route, polygon] = [{ line, radiusMeters }, { rings: [[...line, line[0]!]] }];
          // Around the first point, which is at the end of the line.
          const end = { ...line[0]!, longitude: longitudeNear(line[0]!.longitude, 0) };
          const circleMeters = 20_000 * size;
          const [south, north] = [end.latitude - 0.1 * size, end.latitude + 0.2 * size];
          const [west = 0, east = 0] = [-0.2, 0.1].map((step) =>
            longitudeNear(end.longitude + step * size, 0),
          );
          const bounds = { west, south, east, north };
          const isNear = (point: Coordinates): boolean =>
            distanceMeters(end, point) <= circleMeters && isInBounds(bounds, point);
          const near = [toCirclePart(end, circleMeters), toBoundsPart(bounds)];
          const cases = [[route], [polygon], [route, polygon]].flatMap((shapes) =>
            [false, true].map((mustBeNear) => ({ shapes, mustBeNear })),
          );
          for (const { shapes, mustBeNear } of cases) {
            const parts = [...(mustBeNear ? near : []), ...shapes.map(toPart)];
            const isInAll = (point: Coordinates): boolean =>
              shapes.every((shape) => isInShape(shape, point)) && (!mustBeNear || isNear(point));
            const cells = cellsInAll(parts, UNEVEN);
            const corners = surelyInAll(parts, cells).flatMap((cell) => cellToBoundary(cell));
            expect(corners.every(([latitude, longitude]) => isInAll(at(longitude!, latitude!)))).toBe(true);
            for (const [index, share, degrees] of samples) {
              // Beside a point of the line, at most at the edge of the corridor.
              const [from, to] = [line[index % line.length]!, line[(index + 1) % line.length]!];
              const on = at(
                from.longitude + (share / 1_000) * (to.longitude - from.longitude),
                from.latitude + (share / 1_000) * (to.latitude - from.latitude),
              );
              const point = pointAt(on, (radiusMeters * (index % 11)) / 10, degrees);
              expect(!isInAll(point) || cellsOf(point).some((cell) => cells.includes(cell))).toBe(true);
            }
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  test("are in large part inside it where it is wide", () => {
    const parts = [toPart(SQUARE), toCirclePart(at(106.5, 10.5), 30_000)];
    const cells = cellsInAll(parts, EVEN);
    const areaOf = (some: readonly string[]): number =>
      some.reduce((sum, cell) => sum + EVEN.placesIn(cell), 0);
    expect(areaOf(surelyInAll(parts, cells))).toBeGreaterThan(0.6 * areaOf(cells));
  });

  test("of two shapes that lie apart are none", () => {
    const route: Route = { line: [at(106.7, 10.77), at(106.71, 10.78)], radiusMeters: 100 };
    expect(cellsInAll([route, SQUARE].map(toPart), EVEN).length).toBeGreaterThan(0);
    expect(cellsInAll([route, FIJI].map(toPart), EVEN)).toStrictEqual([]);
  });

  test("are small where places are many, and few where they are few", () => {
    const route: Route = { line: [at(106.7, 10.77), at(107.71, 10.78)], radiusMeters: 100 };
    const town = cellsOf(at(106.8, 10.771));
    const placesIn = (cell: string): number => (town.includes(cell) ? 100 : 0);
    const cells = cellsInAll([toPart(route)], { ...EVEN, placesIn });
    expect(cells).toContain(town.at(-1));
    expect(cells.length).toBeLessThan(60);
    expect(cellsInAll([toPart(route)], EVEN).length).toBeLessThan(300);
  });
});

test("a line round the world has no end", () => {
  const points = [0, 120, 240, 360, 480, 600, 720].map((longitude) => at(longitude, 0));
  expect(extentOf(points).meters).toBe(Infinity);
});
