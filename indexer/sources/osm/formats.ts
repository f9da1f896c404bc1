import type { Format } from "../source.ts";
import { readGeojsonSeq } from "../geojson.ts";
import { readOsmPbf } from "./pbf.ts";

/** Behind its length a file begins with the name of its first block. */
const PBF_START_BYTES = 32;

/** What is written of OpenStreetMap besides Overpass JSON and GeoJSON collections. */
export const OSM_STREAM_FORMATS: readonly Format[] = [
  {
    name: "geojson lines",
    option: "osm",
    description: "GeoJSON features one a line, or as a text sequence (RFC 8142)",
    looksLike: ({ document, lines }) =>
      document.get("type") === "Feature" || lines.some((line) => line.get("type") === "Feature"),
    read: readGeojsonSeq,
  },
  {
    name: "osm.pbf",
    option: "osm",
    description: "an .osm.pbf extract",
    looksLike: ({ bytes }) => bytes.subarray(0, PBF_START_BYTES).includes("OSMHeader"),
    needsPath: true,
    read: readOsmPbf,
  },
];
