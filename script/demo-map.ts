import { once } from "node:events";
import { readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import type { Feature, LineString, Position } from "geojson";
import { readGeojsonFeatures } from "../indexer/basemap/geojson-features.ts";
import { makeBasemap } from "../indexer/basemap/make-basemap.ts";
import { writeStreets } from "../indexer/demo/demo-places.ts";
import { isInBounds, type Bounds } from "../src/place/coordinates.ts";

/**
 * Draws the map of the demo, `indexer/demo/demo-map.pmtiles`: `node script/demo-map.ts saigon.geojson.gz`. The file is an extract of
 * OpenStreetMap as GeoJSON with tags as properties and a `bbox`; the map in the repository is made of central Ho Chi Minh City as of
 * 1 January 2018 (uyennhiphantu/hcm-map-analysis). Outside of it, it has the streets of the demo.
 */

const OUTPUT = fileURLToPath(new URL("../indexer/demo/demo-map.pmtiles", import.meta.url));

/** Enough for every city of the demo. */
const ALL_CITIES = 1_000_000;

interface Extract {
  readonly bbox: readonly [west: number, south: number, east: number, north: number];
  readonly features: readonly Feature[];
}

function readExtract(path: string): Extract {
  const bytes = readFileSync(path);
  const json = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  // People type the Icelandic letter for the Vietnamese one, which looks the same.
  return JSON.parse(json.replaceAll("Ð", "Đ")) as Extract;
}

async function readDemoStreets(): Promise<Feature[]> {
  const output = new PassThrough();
  const written = text(output);
  writeStreets(ALL_CITIES, output);
  output.end();
  return (await written)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Feature);
}

const isOutside = ({ geometry }: Feature, bounds: Bounds): boolean =>
  (geometry as LineString).coordinates.every(
    ([longitude = 0, latitude = 0]: Position) => !isInBounds(bounds, { latitude, longitude }),
  );

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error("Usage: node script/demo-map.ts EXTRACT.geojson.gz");
const { bbox, features } = readExtract(path);
const [west, south, east, north] = bbox;
const streets = (await readDemoStreets()).filter((one) => isOutside(one, { west, south, east, north }));
const stdin = new PassThrough();
const { signal } = new AbortController();
const made = makeBasemap(
  {
    attribution: "© OpenStreetMap contributors",
    read: (_scratch, onShare) => readGeojsonFeatures("-", { stdin, signal, onShare }),
  },
  { output: OUTPUT, signal, progress: { phase: "reading", share: 0, features: 0, tiles: 0 } },
);
for (const one of [...features, ...streets])
  if (!stdin.write(`${JSON.stringify(one)}\n`)) await once(stdin, "drain");
stdin.end();
await made;
