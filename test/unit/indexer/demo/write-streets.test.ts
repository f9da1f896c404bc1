import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { createDemoPlaces } from "../../../../indexer/demo/demo-places.ts";
import { writeStreets } from "../../../../indexer/demo/demo-places.ts";

interface Street {
  readonly properties: { readonly name: string };
  readonly geometry: { readonly coordinates: [number, number][] };
}

async function streetsOf(places: number): Promise<Street[]> {
  const output = new PassThrough();
  writeStreets(places, output);
  output.end();
  return (await text(output))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Street);
}

describe("the streets of the demo", () => {
  test("those of more cities come with more places", async () => {
    const isNorth = ({ geometry }: Street): boolean => (geometry.coordinates[0]?.[1] ?? 0) > 20;
    expect((await streetsOf(5_000)).some(isNorth)).toBe(false);
    expect((await streetsOf(20_000)).some(isNorth)).toBe(true);
  });

  test("the places of the demo lie along them", async () => {
    const byName = Map.groupBy(await streetsOf(5_000), ({ properties }) => properties.name);
    const demo = createDemoPlaces({ places: 400, seed: 1, lean: true });
    let near = 0;
    let onStreets = 0;
    for (let number = 1; number <= 400; number += 1) {
      const { latitude, longitude, address } = demo.placeAt(number).location;
      const [, named] = [...byName].find(([name]) => address.street.endsWith(name)) ?? [];
      if (!named) continue;
      onStreets += 1;
      if (named.some((street) => metersTo(street, longitude, latitude) < 160)) near += 1;
    }
    expect(onStreets).toBeGreaterThan(300);
    // Places in lanes lie up to 140 m behind the street; landmarks and shopping centres have places of their own.
    expect(near / onStreets).toBeGreaterThan(0.8);
  });
});

/** The distance of a point to a course, on the plane. */
function metersTo({ geometry: { coordinates } }: Street, lng: number, lat: number): number {
  const scale = 111_000;
  const toMeters = ([x, y]: [number, number]): [number, number] => [
    (x - lng) * scale * Math.cos((lat * Math.PI) / 180),
    (y - lat) * scale,
  ];
  const points = coordinates.map(toMeters);
  return Math.min(
    ...points.slice(1).map(([x2, y2], index) => {
      const [x1 = 0, y1 = 0] = points[index] ?? [];
      const length = (x2 - x1) ** 2 + (y2 - y1) ** 2;
      const share = Math.max(0, Math.min(1, -(x1 * (x2 - x1) + y1 * (y2 - y1)) / length));
      return Math.hypot(x1 + share * (x2 - x1), y1 + share * (y2 - y1));
    }),
  );
}
