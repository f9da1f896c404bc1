import { describe, expect, it } from "vitest";
import { boundsAround, isInBounds } from "../../../src/place/coordinates.ts";

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
