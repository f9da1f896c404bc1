import { describe, expect, test } from "vitest";
import { ProblemError } from "../../../src/errors.ts";
import { autocompleteParameters, nearbyParameters, searchParameters } from "../../../src/http/parameters.ts";
import { toRefinements } from "../../../src/http/refinement-parameters.ts";
import { parseQuery } from "../../../src/http/query-string.ts";
import { encodePolyline, type Points } from "../../support/polyline.ts";

const NOW = Temporal.Instant.from("2026-11-20T12:00:00Z");
const parse = (values: Record<string, string>) =>
  parseQuery(searchParameters, new URLSearchParams({ q: "x", ...values }).toString());
const refine = (values: Record<string, string>) => toRefinements(parse(values), NOW);

/** What is wrong with the parameters, as callers read it. */
function messageOf(values: Record<string, string>): string | undefined {
  try {
    parse(values);
    return undefined;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return error.errors.map(({ code, message }) => `${code}: ${message}`).join(" ");
  }
}

const geoJson = (...coordinates: readonly Points[]): string =>
  JSON.stringify({ type: "Polygon", coordinates });
const TRIANGLE: Points = [
  [106.69, 10.77],
  [106.71, 10.77],
  [106.7, 10.79],
  [106.69, 10.77],
];
const circle = (points: number): Points => {
  const ring = Array.from({ length: points }, (_, index): readonly [number, number] => {
    const angle = (2 * Math.PI * index) / points;
    return [106.7 + 0.1 * Math.cos(angle), 10.8 + 0.1 * Math.sin(angle)];
  });
  return [...ring, ring[0]!];
};

describe("polygon", () => {
  test("that cannot be understood is malformed", () => {
    const wrong = "malformed: polygon must be a GeoJSON polygon or an encoded polyline.";
    for (const text of ["", '{"', '{"type":"Point","coordinates":[1,2]}', geoJson(), geoJson([])])
      expect(messageOf({ polygon: text })).toBe(wrong);
    expect(messageOf({ polygon: '{"type":"Polygon","coordinates":[[["1",2]]]}' })).toBe(wrong);
    expect(messageOf({ polygon: "a b" })).toBe(
      "malformed: polygon must be an encoded polyline with five decimals.",
    );
    expect(messageOf({ polygon: "~~~~~~~~~~~" })).toBe(
      "malformed: polygon must be an encoded polyline with five decimals.",
    );
    expect(messageOf({ polygon: "oov`A" })).toBe(
      "malformed: polygon ends too early: it is an encoded polyline that was cut.",
    );
  });

  test("with an open ring is refused", () => {
    expect(messageOf({ polygon: geoJson(TRIANGLE.slice(0, 3)) })).toBe(
      "malformed: polygon has an open ring: its last point must be its first.",
    );
  });

  test("that crosses itself is refused, also where a hole crosses the outer ring", () => {
    const bow: Points = [
      [106, 10],
      [107, 11],
      [107, 10],
      [106, 11],
      [106, 10],
    ];
    expect(messageOf({ polygon: geoJson(bow) })).toBe("malformed: polygon crosses itself.");
    expect(messageOf({ polygon: encodePolyline(bow) })).toBe("malformed: polygon crosses itself.");
    const hole: Points = [
      [106.7, 10.78],
      [106.8, 10.78],
      [106.7, 10.781],
      [106.7, 10.78],
    ];
    expect(messageOf({ polygon: geoJson(TRIANGLE, hole) })).toBe("malformed: polygon crosses itself.");
  });

  test("without an area is refused", () => {
    const flat: Points = [
      [106, 10],
      [106.5, 10.5],
      [107, 11],
      [106, 10],
    ];
    expect(messageOf({ polygon: geoJson(flat) })).toMatch(/has a ring without an area/);
    expect(messageOf({ polygon: encodePolyline([[106, 10]]) })).toMatch(/has a ring without an area/);
  });

  test("has 200 points at most, all rings together", () => {
    expect(messageOf({ polygon: geoJson(circle(200)) })).toBeUndefined();
    expect(messageOf({ polygon: encodePolyline(circle(200)) })).toBeUndefined();
    const most = "malformed: polygon may have 200 points at most.";
    expect(messageOf({ polygon: geoJson(circle(201)) })).toBe(most);
    expect(messageOf({ polygon: encodePolyline(circle(300)) })).toBe(most);
    expect(messageOf({ polygon: geoJson(circle(198), TRIANGLE) })).toBe(most);
  });

  test("that is too large, or near a pole, is refused", () => {
    const large: Points = [
      [100, 10],
      [108, 10],
      [104, 16],
      [100, 10],
    ];
    expect(messageOf({ polygon: geoJson(large) })).toBe(
      "malformed: polygon may be 300 km from corner to corner at most.",
    );
    const north: Points = [
      [10, 80],
      [11, 80.1],
      [10, 80.1],
      [10, 80],
    ];
    expect(messageOf({ polygon: geoJson(north) })).toMatch(/must lie between 80° south and north/);
    expect(messageOf({ polygon: geoJson(TRIANGLE.map(([x, y]) => [x + 360, y])) })).toMatch(
      /longitudes from -180 to 180/,
    );
  });

  test("means the same as GeoJSON, as a feature, and as an encoded line that may leave its end open", () => {
    const wanted = refine({ polygon: geoJson(TRIANGLE) });
    expect(wanted.polygon?.rings).toHaveLength(1);
    const feature = JSON.stringify({
      type: "Feature",
      properties: {},
      geometry: JSON.parse(geoJson(TRIANGLE)) as unknown,
    });
    expect(refine({ polygon: feature })).toStrictEqual(wanted);
    expect(refine({ polygon: encodePolyline(TRIANGLE) })).toStrictEqual(wanted);
    expect(refine({ polygon: encodePolyline(TRIANGLE.slice(0, 3)) })).toStrictEqual(wanted);
  });

  test("goes on across the antimeridian", () => {
    const fiji: Points = [
      [179.5, -18],
      [-179.5, -18],
      [180, -17],
      [179.5, -18],
    ];
    const [ring] = refine({ polygon: geoJson(fiji) }).polygon!.rings;
    expect(ring!.map(({ longitude }) => longitude)).toStrictEqual([179.5, 180.5, 180, 179.5]);
  });
});

describe("route", () => {
  test("is an encoded polyline of two points and more", () => {
    expect(messageOf({ route: encodePolyline([[106, 10]]) })).toBe(
      "malformed: route must have two points at least.",
    );
    expect(messageOf({ route: geoJson(TRIANGLE) })).toMatch(/must be an encoded polyline/);
    expect(
      messageOf({ route: encodePolyline(Array.from({ length: 501 }, (_, i) => [106 + i / 1e4, 10])) }),
    ).toBe("malformed: route may have 500 points at most.");
    expect(
      messageOf({
        route: encodePolyline([
          [106, 10],
          [106, 13],
        ]),
      }),
    ).toMatch(/may be 300 km/);
  });

  test("may cross itself, and has a corridor of a kilometre unless another is asked for", () => {
    const bow: Points = [
      [106, 10],
      [107, 11],
      [107, 10],
      [106, 11],
    ];
    expect(refine({ route: encodePolyline(bow) }).route?.radiusMeters).toBe(1_000);
    expect(refine({ route: encodePolyline(bow), route_radius: "50" }).route?.radiusMeters).toBe(50);
    expect(messageOf({ route: encodePolyline(bow), route_radius: "5001" })).toMatch(/^out_of_range/);
  });

  test("is needed for its radius and for the order by detour", () => {
    expect(messageOf({ route_radius: "50" })).toBe(
      "conflicting: route_radius must be given together with route.",
    );
    expect(messageOf({ sort: "detour" })).toBe("conflicting: sort must be given together with route.");
    expect(() => parseQuery(nearbyParameters, "lat=1&lng=1&sort=detour")).toThrow(ProblemError);
    expect(() => parseQuery(autocompleteParameters, "q=x&route_radius=5")).toThrow(ProblemError);
  });
});
