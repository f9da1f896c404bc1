import { describe, expect, test } from "vitest";
import { cityNamed, worldFor } from "../../../../indexer/demo/cities.ts";
import { buildCityMap, streetOfLine } from "../../../../indexer/demo/city-map.ts";
import { distanceMeters } from "../../../../src/place/geometry/coordinates.ts";

const cities = worldFor(10_000_000).cities.map(({ city }) => city);

describe("the world", () => {
  test.each([
    [1, 1],
    [19_999, 1],
    [20_000, 3],
    [999_999, 3],
    [1_000_000, 22],
  ])("of %i places has %i cities", (places, count) => {
    expect(worldFor(places).cities).toHaveLength(count);
  });

  test.each([20_000, 1_000_000])("of %i places has the most in Ho Chi Minh City", (places) => {
    const [first, ...others] = worldFor(places).cities;
    expect(first!.city.localName).toBe("Sài Gòn");
    for (const { share } of others) expect(share).toBeLessThan(first!.share);
  });
});

describe.each(cities.map((city) => [city.localName, city] as const))("%s", (_name, city) => {
  const map = buildCityMap(city);

  test("has its wards, streets, landmarks and shopping centres within its reach", () => {
    const points = [...map.stretches, ...city.wards, ...city.landmarks];
    const furthest = Math.max(...points.map((point) => distanceMeters(city.centre, point)));
    expect(furthest).toBeLessThan(city.radiusMeters);
  });

  test("names each ward once", () => {
    const names = city.wards.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test("has street sections with a length and a weight", () => {
    for (const { lengthMeters, weight } of map.stretches) {
      expect(lengthMeters).toBeGreaterThan(4);
      expect(lengthMeters).toBeLessThan(200);
      expect(weight).toBeGreaterThan(0);
    }
  });
});

test("the streets that OpenStreetMap knows are in wards of the city, and every side says how far its houses reach", () => {
  const { wards, streetMap } = cityNamed("Sài Gòn");
  const names = new Set(wards.map(({ name }) => name));
  for (const { name, ward, path, reach } of streetMap!.streets)
    expect({ name, ward, isKnown: names.has(ward), reaches: reach.length }).toEqual({
      name,
      ward,
      isKnown: true,
      reaches: path.length - 1,
    });
});

test("a point belongs to the ward around it", () => {
  const { wardAt } = buildCityMap(cityNamed("Sài Gòn"));
  expect(wardAt(10.7725, 106.698).label).toBe("Phường Bến Thành");
  expect(wardAt(10.9735, 106.494).label).toBe("Xã Củ Chi");
});

test.each([
  ["72A Lê Thánh Tôn", "Lê Thánh Tôn"],
  ["35-45 Lê Thánh Tôn", "Lê Thánh Tôn"],
  ["18/879 La Thành", "La Thành"],
  ["1 Đường số 17A", "Đường số 17A"],
  ["3 Tháng 2", "3 Tháng 2"],
  ["57 Đường 3 Tháng 2", "Đường 3 Tháng 2"],
  ["Lê Lợi", "Lê Lợi"],
])("the street of %s is %s", (line, street) => {
  expect(streetOfLine(line)).toBe(street);
});
