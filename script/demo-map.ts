import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import type { Feature, LineString, Position } from "geojson";
import { readGeojsonFeatures } from "../indexer/basemap/geojson-features.ts";
import { makeBasemap } from "../indexer/basemap/make-basemap.ts";
import { cityNamed } from "../indexer/demo/cities.ts";
import { isInBounds, type Bounds } from "../src/place/geometry/coordinates.ts";
import { streetName, traceStreets } from "./demo-streets.ts";

/**
 * Makes the map of the demo, `indexer/demo/demo-map.pmtiles`, and the courses of the streets along which its places lie,
 * `indexer/demo/cities/ho-chi-minh-streets.json`: `node script/demo-map.ts saigon.geojson.gz`. The file is an extract of
 * OpenStreetMap as GeoJSON with tags as properties and a `bbox`; those in the repository are made of central Ho Chi Minh City as of
 * 1 January 2018 (uyennhiphantu/hcm-map-analysis). Outside of it, the map has the streets of the demo.
 */

const STREETS = fileURLToPath(new URL("../indexer/demo/cities/ho-chi-minh-streets.json", import.meta.url));
const DEMO_DATA = fileURLToPath(new URL("../indexer/demo/main.ts", import.meta.url));
const ATTRIBUTION = "© OpenStreetMap contributors";
const LICENCE = "ODbL 1.0, https://www.openstreetmap.org/copyright";

const OUTPUT = fileURLToPath(new URL("../indexer/demo/demo-map.pmtiles", import.meta.url));

/** Enough for every city of the demo. */
const ALL_CITIES = 1_000_000;
/** The streets are some 2 MB. */
const MOST_OUTPUT_BYTES = 100_000_000;

interface Extract {
  readonly bbox: readonly [west: number, south: number, east: number, north: number];
  readonly timestamp_osm_base: string;
  readonly features: readonly Feature[];
}

function readExtract(path: string): Extract {
  const bytes = readFileSync(path);
  const json = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  // People type the Icelandic letter for the Vietnamese one, which looks the same.
  const extract = JSON.parse(json.replaceAll("Ð", "Đ")) as Extract;
  const features = extract.features.map(({ properties, ...feature }) =>
    properties?.["highway"] === undefined
      ? { properties, ...feature }
      : { ...feature, properties: { ...properties, name: streetName(`${properties["name"] ?? ""}`) } },
  );
  return { ...extract, features };
}

/** One street a line: they are many, and a diff should show which have changed. */
function writeStreetFile({ features, bbox, timestamp_osm_base: timestamp }: Extract): void {
  const [west, south, east, north] = bbox;
  const source = `${ATTRIBUTION}, ${LICENCE}, as of ${timestamp.slice(0, 10)}; courses simplified by script/demo-map.ts`;
  const lines = traceStreets(features, cityNamed("Sài Gòn")).map((street) => `    ${JSON.stringify(street)}`);
  const head = `  "source": ${JSON.stringify(source)},\n  "bounds": ${JSON.stringify({ west, south, east, north })},`;
  writeFileSync(STREETS, `{\n${head}\n  "streets": [\n${lines.join(",\n")}\n  ]\n}\n`);
}

/** In a process of its own, which reads the new file of streets. */
const readDemoStreets = (): Feature[] =>
  execFileSync(process.execPath, [DEMO_DATA, "--streets", "--places", `${ALL_CITIES}`], {
    encoding: "utf8",
    maxBuffer: MOST_OUTPUT_BYTES,
  })
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Feature);

const isOutside = ({ geometry }: Feature, bounds: Bounds): boolean =>
  (geometry as LineString).coordinates.every(
    ([longitude = 0, latitude = 0]: Position) => !isInBounds(bounds, { latitude, longitude }),
  );

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error("Usage: node script/demo-map.ts EXTRACT.geojson.gz");
const extract = readExtract(path);
writeStreetFile(extract);
const { bbox, features } = extract;
const [west, south, east, north] = bbox;
const streets = readDemoStreets().filter((one) => isOutside(one, { west, south, east, north }));
const stdin = new PassThrough();
const { signal } = new AbortController();
const made = makeBasemap(
  {
    attribution: ATTRIBUTION,
    read: (_scratch, onShare) => readGeojsonFeatures("-", { stdin, signal, onShare }),
  },
  { output: OUTPUT, signal, progress: { phase: "reading", share: 0, features: 0, tiles: 0 } },
);
for (const one of [...features, ...streets])
  if (!stdin.write(`${JSON.stringify(one)}\n`)) await once(stdin, "drain");
stdin.end();
await made;
