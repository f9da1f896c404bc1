import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, expect, test } from "vitest";
import { readGeojsonFeatures } from "../../../../indexer/basemap/geojson-features.ts";
import type { MapFeature } from "../../../../indexer/basemap/map-feature.ts";
import { CommandError } from "../../../../src/cli/errors.ts";

const folder = mkdtempSync(join(tmpdir(), "geojson-"));
afterAll(() => rmSync(folder, { recursive: true }));

const { signal } = new AbortController();

async function read(text: string, path = "-"): Promise<MapFeature[]> {
  if (path !== "-") writeFileSync(path, text);
  const options = { stdin: Readable.from([Buffer.from(text)]), signal, onShare: () => {} };
  return (await Array.fromAsync(readGeojsonFeatures(path, options))).flat();
}

const feature = (properties: object, type: string, coordinates: unknown): object => ({
  type: "Feature",
  properties,
  geometry: { type, coordinates },
});

const SQUARE = [
  [106.69, 10.77],
  [106.7, 10.77],
  [106.7, 10.78],
  [106.69, 10.77],
];

const STREET = feature({ highway: "primary", name: "Lê Lợi" }, "LineString", SQUARE.slice(0, 2));

/** Layer, shape and kind. */
const described = (features: readonly MapFeature[]): string[] =>
  features.map(({ layer, shape, tags }) => `${layer} ${shape} ${tags["kind"]}`);

test("a broken feature ends the reading with its line", async () => {
  const text = `${JSON.stringify(STREET)}\n{"type":"Feature","geometry"\n${JSON.stringify(STREET)}\n`;
  const error: unknown = await read(text).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CommandError);
  expect((error as CommandError).message).toMatch(/^stdin is broken at line 2: /);
});

test("a file that is cut off is not drawn by half", async () => {
  const text = JSON.stringify({ type: "FeatureCollection", features: [STREET, STREET] });
  await expect(read(text.slice(0, -30))).rejects.toThrow(/broken or cut off/);
});

test("features without a shape, without tags that are drawn, or with another shape are left out", async () => {
  const others = [
    { type: "Feature", properties: { highway: "primary" }, geometry: null },
    feature({ amenity: "cafe" }, "Point", [106.69, 10.77]),
    feature({ place: "suburb" }, "Point", [106.69, 10.77]),
    feature({ building: "yes" }, "LineString", SQUARE.slice(0, 3)),
    feature({ highway: "primary" }, "LineString", [[106.69, 10.77]]),
    7,
  ];
  expect(await read(others.map((other) => `${JSON.stringify(other)}\n`).join(""))).toEqual([]);
});

test("all shapes are drawn, from a collection in a file and from lines", async () => {
  const features = [
    STREET,
    feature({ place: "suburb", name: "Bến Thành" }, "Point", [106.69, 10.77]),
    feature({ waterway: "river" }, "MultiLineString", [SQUARE.slice(0, 2), SQUARE.slice(1, 3)]),
    feature({ natural: "water" }, "Polygon", [SQUARE]),
    feature({ building: "yes" }, "MultiPolygon", [[SQUARE], [SQUARE]]),
  ];
  const drawn = [
    "roads LineString major_road",
    "places Point neighbourhood",
    "water LineString river",
    "water LineString river",
    "water Polygon water",
    "buildings Polygon building",
    "buildings Polygon building",
  ];
  const collection = JSON.stringify({ type: "FeatureCollection", features });
  expect(described(await read(collection, join(folder, "all.geojson")))).toEqual(drawn);
  const lines = features.map((one) => `${JSON.stringify(one)}\n`).join("");
  expect(described(await read(lines))).toEqual(drawn);
  expect((await read(lines))[0]?.lines).toEqual([
    Int32Array.of(1_066_900_000, 107_700_000, 1_067_000_000, 107_700_000),
  ]);
});
