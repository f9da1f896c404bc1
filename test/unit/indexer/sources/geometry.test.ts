import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { centreOf } from "../../../../indexer/sources/geometry.ts";

const SQUARE = [
  [0, 0],
  [4, 0],
  [4, 2],
  [0, 2],
  [0, 0],
];

describe("centreOf", () => {
  test.each([
    ["null", null],
    ["a text", "POINT(1 2)"],
    ["a point without coordinates", { type: "Point", coordinates: [] }],
    ["a point of texts", { type: "Point", coordinates: ["1", "2"] }],
    ["an empty collection", { type: "GeometryCollection", geometries: [] }],
    ["a collection of nothing", { type: "GeometryCollection", geometries: [null] }],
  ])("%s has no centre", (_, geometry) => {
    expect(centreOf(geometry)).toBeUndefined();
  });

  test.each([
    ["Point", [105.8, 21, 12], { latitude: 21, longitude: 105.8 }],
    [
      "MultiPoint",
      [
        [0, 0],
        [4, 2],
      ],
      { latitude: 1, longitude: 2 },
    ],
    [
      "LineString",
      [
        [0, 0],
        [1, 2],
        [4, 0],
      ],
      { latitude: 1, longitude: 2 },
    ],
    ["Polygon", [SQUARE], { latitude: 1, longitude: 2 }],
    [
      "MultiPolygon",
      [
        [SQUARE],
        [
          [
            [4, 2],
            [6, 2],
            [6, 4],
            [4, 2],
          ],
        ],
      ],
      { latitude: 2, longitude: 3 },
    ],
  ])("the centre of a %s is the middle of its box", (type, coordinates, centre) => {
    expect(centreOf({ type, coordinates })).toEqual(centre);
  });

  test("a collection is taken together", () => {
    const geometries = [{ coordinates: [0, 0] }, { coordinates: SQUARE }];
    expect(centreOf({ type: "GeometryCollection", geometries })).toEqual({ latitude: 1, longitude: 2 });
  });

  test("an island on the 180th meridian keeps its middle on it", () => {
    const coordinates = [
      [
        [179, -16],
        [-178, -16],
        [-178, -18],
        [179, -16],
      ],
    ];
    expect(centreOf({ type: "Polygon", coordinates })).toEqual({ latitude: -17, longitude: -179.5 });
  });

  test("no coordinates of any form make it throw", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (coordinates) => {
        expect(() => centreOf({ coordinates })).not.toThrow();
      }),
    );
  });
});
