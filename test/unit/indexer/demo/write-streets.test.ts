import { describe, expect, test } from "vitest";
import { cityNamed } from "../../../../indexer/demo/cities.ts";
import { createDemoPlaces, linesOfStreets } from "../../../../indexer/demo/demo-places.ts";
import { isInBounds } from "../../../../src/place/geometry/coordinates.ts";

interface Street {
  readonly properties: { readonly name: string };
  readonly geometry: { readonly coordinates: [number, number][] };
}

const streetsOf = (places: number): Street[] =>
  [...linesOfStreets(places)].map((line) => JSON.parse(line) as Street);

describe("the streets of the demo", () => {
  test("those of more cities come with more places", () => {
    const isNorth = ({ geometry }: Street): boolean => (geometry.coordinates[0]?.[1] ?? 0) > 20;
    expect(streetsOf(5_000).some(isNorth)).toBe(false);
    expect(streetsOf(20_000).some(isNorth)).toBe(true);
  });

  test("in central Ho Chi Minh City, places lie beside the real street of their address", () => {
    const { bounds, streets } = cityNamed("Sài Gòn").streetMap!;
    const lines = streets.map(({ name, path, setback = 0 }) => ({
      name,
      setback,
      geometry: { coordinates: path.map(([latitude, longitude]): [number, number] => [longitude, latitude]) },
    }));
    const demo = createDemoPlaces({ places: 2_000, seed: 1, lean: true });
    const fronts = Array.from({ length: 2_000 }, (_, index) => demo.placeAt(index + 1)).filter(
      // Lanes, floors of shopping centres and landmarks lie further from their street.
      ({ source_id: id, location }) =>
        Number(id) % 7 !== 0 && isInBounds(bounds, location) && /^\d+ \D+$/.test(location.address.street),
    );
    const astray = fronts.filter(({ location: { latitude, longitude, address } }) => {
      const named = lines.filter(({ name }) => address.street.endsWith(` ${name}`));
      return !named.some((line) => metersTo(line, longitude, latitude) < line.setback + 16);
    });
    expect(fronts.length).toBeGreaterThan(500);
    expect(astray.map(({ location }) => location.address.street)).toEqual([]);
  });

  test("the places of the demo lie along them", () => {
    const byName = Map.groupBy(streetsOf(5_000), ({ properties }) => properties.name);
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
function metersTo({ geometry: { coordinates } }: Pick<Street, "geometry">, lng: number, lat: number): number {
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
