import type { Format } from "./format.ts";
import { readGeojson } from "./geojson.ts";
import { readNative } from "./native.ts";
import { readOverpass } from "./overpass.ts";

const NATIVE_MEMBERS = ["title", "data_id", "source_id", "location"];

/**
 * Every format the indexer reads. A new one is a line here and a reader in a file of its own.
 * The order counts: a file is of the first format that it looks like, so the more special one stands first.
 */
export const FORMATS: readonly Format[] = [
  {
    name: "overpass",
    option: "osm",
    description: 'Overpass JSON ({"version": …, "elements": […]})',
    looksLike: ({ document }) => document.has("elements") || document.has("osm3s"),
    read: readOverpass,
  },
  {
    name: "geojson",
    option: "osm",
    description: 'GeoJSON ({"type": "FeatureCollection", "features": […]})',
    looksLike: ({ document }) =>
      document.get("type") === "FeatureCollection" || (document.has("features") && !document.has("title")),
    read: readGeojson,
  },
  {
    name: "native",
    option: "native",
    description: "native JSON lines (docs/data-format.md)",
    looksLike: ({ lines }) => lines.some((line) => NATIVE_MEMBERS.some((name) => line.has(name))),
    couldBe: () => true,
    read: readNative,
  },
];

/** What `--format` may ask for. */
export const FORMAT_OPTIONS: readonly string[] = [...new Set(FORMATS.map(({ option }) => option))];
