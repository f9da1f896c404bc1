import type { Format } from "./source.ts";
import { isFoursquareHeader, readFoursquareCsv } from "./foursquare/foursquare.ts";
import { readGeojson, readGeojsonFeature, isOneFeature } from "./geojson.ts";
import { GOOGLE_FORMATS } from "./google/formats.ts";
import type { Head, JsonMembers } from "./input.ts";
import { TOP_LIST } from "./json.ts";
import { createNativeListReader, readNative } from "./native/native.ts";
import { problemOfHeader, readNativeCsv, missingColumns } from "./native/native-csv.ts";
import { OSM_STREAM_FORMATS } from "./osm/formats.ts";
import { readOverpass } from "./osm/overpass.ts";
import {
  isOvertureCollection,
  isOvertureFeature,
  isOvertureLines,
  readOverture,
  readOvertureFeature,
  readOvertureLines,
} from "./overture/overture.ts";
import { isParquet, readFoursquareParquet, readOvertureParquet, readParquet } from "./parquet/parquet.ts";

const NATIVE_MEMBERS = ["title", "data_id", "source_id", "location", "place_result"];

const hasNativeMember = (members: JsonMembers, prefix = ""): boolean =>
  NATIVE_MEMBERS.some((name) => members.has(prefix + name));

/** Of the six names that a header must or should have; a CSV of something else may have a title as well. */
const isNativeHeader = ({ columns }: Head): boolean =>
  columns.length > 0 && missingColumns(columns).length <= 1;

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
    name: "parquet",
    option: "parquet",
    description: "Parquet of Overture or Foursquare, told apart by the columns",
    looksLike: isParquet,
    needsPath: true,
    takesWhere: true,
    read: readParquet,
  },
  {
    name: "overture parquet",
    option: "overture",
    description: "Overture places as GeoParquet",
    looksLike: isParquet,
    needsPath: true,
    takesWhere: true,
    read: readOvertureParquet,
  },
  {
    name: "overture",
    option: "overture",
    description: "Overture places as GeoJSON",
    looksLike: isOvertureCollection,
    read: readOverture,
  },
  {
    name: "overture feature",
    option: "overture",
    description: "one Overture place as a GeoJSON feature",
    looksLike: isOvertureFeature,
    read: readOvertureFeature,
  },
  {
    name: "overture lines",
    option: "overture",
    description: "Overture places as one GeoJSON feature a line",
    looksLike: isOvertureLines,
    read: readOvertureLines,
  },
  {
    name: "foursquare parquet",
    option: "foursquare",
    description: "Foursquare OS Places as Parquet",
    looksLike: isParquet,
    needsPath: true,
    takesWhere: true,
    read: readFoursquareParquet,
  },
  {
    name: "foursquare csv",
    option: "foursquare",
    description: "Foursquare OS Places as CSV",
    looksLike: isFoursquareHeader,
    read: readFoursquareCsv,
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
    name: "geojson feature",
    option: "osm",
    description: "one GeoJSON feature over several lines",
    looksLike: isOneFeature,
    read: readGeojsonFeature,
  },
  ...OSM_STREAM_FORMATS,
  ...GOOGLE_FORMATS,
  {
    name: "native list",
    option: "native",
    description: "native records in one JSON list ([…], docs/data-format.md)",
    looksLike: ({ document }) => hasNativeMember(document, "[]."),
    couldBe: ({ text }) => text.trimStart().startsWith("["),
    read: createNativeListReader(TOP_LIST),
  },
  {
    name: "native places",
    option: "native",
    description: 'native records in {"places": […]}',
    looksLike: ({ document }) => hasNativeMember(document, "places[]."),
    read: createNativeListReader("places"),
  },
  {
    name: "search answer",
    option: "native",
    description: 'our own search answers ({"local_result": […]})',
    looksLike: ({ document }) => hasNativeMember(document, "local_result[]."),
    read: createNativeListReader("local_result"),
  },
  {
    name: "native",
    option: "native",
    description: "native JSON lines (docs/data-format.md)",
    looksLike: ({ lines }) => lines.some((line) => hasNativeMember(line)),
    couldBe: ({ columns }) => columns.length === 0,
    read: readNative,
  },
  {
    name: "native csv",
    option: "native",
    description: "native CSV (title, latitude, longitude, source_id or data_id, …; docs/data-format.md)",
    looksLike: isNativeHeader,
    couldBe: ({ columns }) => columns.length > 0,
    problemOf: ({ columns }) => problemOfHeader(columns),
    read: readNativeCsv,
  },
];

/** What `--format` may ask for. */
export const FORMAT_OPTIONS: readonly string[] = [...new Set(FORMATS.map(({ option }) => option))];

/** What an input is, by its beginning; `undefined` when it is none of our formats or too short to tell. */
export function detectFormat(head: Head): Format | undefined {
  return FORMATS.find(({ looksLike }) => looksLike(head));
}

/**
 * What an input is when somebody says that it is of the option's formats: the one of them that it looks like, or else what it
 * looks like. When it looks like nothing and `mayGuess`, the one that it could be.
 */
export function detectFormatOf(option: string, head: Head, mayGuess: boolean): Format | undefined {
  const formats = FORMATS.filter((format) => format.option === option);
  const found = formats.find(({ looksLike }) => looksLike(head)) ?? detectFormat(head);
  return found ?? (mayGuess ? formats.find(({ couldBe }) => couldBe?.(head)) : undefined);
}
