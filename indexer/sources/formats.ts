import type { Format } from "./source.ts";
import { isFoursquareHeader, readFoursquareCsv } from "./foursquare/foursquare.ts";
import { hasOnlyOutlines, readGeojson, readGeojsonSeq } from "./osm/geojson.ts";
import type { Head, JsonFields } from "./head.ts";
import { TOP_LIST } from "./json.ts";
import { createNativeListReader, readNative } from "./native/native.ts";
import { headerOfText, readTableCsv } from "./table/csv-table.ts";
import { isTableCollection, readGeojsonTable } from "./table/geojson-table.ts";
import { isWorkbook, problemOfWorkbook, readXlsx } from "./table/xlsx-table.ts";
import { isPlaceHeader, problemOfHeader } from "./table/columns.ts";
import { readOverpass } from "./osm/overpass.ts";
import {
  isOvertureCollection,
  isOvertureFeatures,
  readOverture,
  readOvertureFeatures,
} from "./overture/overture.ts";
import { ANY_PARQUET, FOURSQUARE_PARQUET, OVERTURE_PARQUET } from "./parquet/parquet.ts";
import { readOsmPbf } from "./osm/pbf.ts";
import { problemOfGosomHeader, readGosomCsv, readGosomLines, readGosomList } from "./google/gosom.ts";
import { readSerpapiAnswers, readSerpapiList } from "./google/serpapi.ts";
import { problemOfApifyHeader, readApifyCsv, readApifyLines, readApifyList } from "./google/apify.ts";
import {
  problemOfOutscraperHeader,
  readOutscraper,
  readOutscraperCsv,
  readOutscraperList,
} from "./google/outscraper.ts";
import { readPlacesApi, readPlacesApiList } from "./google/places-api.ts";
import {
  isWhosOnFirst,
  isWhosOnFirstFeatures,
  readWhosOnFirst,
  readWhosOnFirstFeatures,
} from "./whosonfirst/whosonfirst.ts";

/** Not `location`, which other formats have too. */
const NATIVE_FIELDS = ["title", "data_id", "source_id", "place_result"];

const hasNativeField = (fields: JsonFields, prefix = ""): boolean =>
  NATIVE_FIELDS.some((name) => fields.has(prefix + name));

function hasPlaceColumns({ text }: Head): boolean {
  const header = headerOfText(text);
  return header !== undefined && isPlaceHeader(header);
}

/** After its length, a file begins with the name of its first block. */
const PBF_START_BYTES = 32;

/** Fields that only these sources have, and that occur early enough in a record to be in every head. */
const SERPAPI_FIELDS = ["gps_coordinates", "local_results", "place_results", "search_metadata"];
const GOSOM_FIELDS = ["longtitude", "review_rating", "complete_address", "open_hours"];

const APIFY_FIELDS = "categoryName totalScore permanentlyClosed searchPageUrl popularTimesHistogram".split(
  " ",
);
const OUTSCRAPER_FIELDS = "google_id working_hours reviews_per_score location_link subtypes".split(" ");
const PLACES_API_FIELDS = "displayName.text userRatingCount googleMapsUri addressComponents[].longText".split(
  " ",
);

/** Whether a file of records has one of these fields, also within a response. */
const hasOneOf = (names: readonly string[], ...prefixes: readonly string[]): ((head: Head) => boolean) => {
  const fields = prefixes.flatMap((prefix) => names.map((name) => prefix + name));
  return ({ lines }) => lines.some((line) => fields.some((name) => line.has(name)));
};

/** A single column may come from anywhere. */
const ENOUGH_COLUMNS = 2;

const hasColumns =
  (names: readonly string[]) =>
  ({ columns }: Head): boolean =>
    names.filter((name) => columns.includes(name)).length >= ENOUGH_COLUMNS;

/** A table of places as people keep them in spreadsheets. */
export const TABLE: Format = {
  name: "csv",
  option: "native",
  description: "a CSV table with a name and coordinates or an address (docs/data-format.md#tables)",
  looksLike: hasPlaceColumns,
  couldBe: ({ columns }) => columns.length > 0,
  problemOf({ text }, adjust) {
    const header = headerOfText(text, adjust);
    return header && problemOfHeader(header, adjust);
  },
  read: readTableCsv,
};

/**
 * All formats that the indexer reads. A new format needs an entry here and a file with its reader. The order
 * matters: the first format that a file looks like is used, so more specific ones come first.
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
    description: "Parquet of Overture or Foursquare, recognised by its columns",
    ...ANY_PARQUET,
  },
  {
    name: "overture parquet",
    option: "overture",
    description: "Overture places as GeoParquet",
    ...OVERTURE_PARQUET,
  },
  {
    name: "overture",
    option: "overture",
    description: "Overture places as GeoJSON",
    looksLike: isOvertureCollection,
    read: readOverture,
  },
  {
    name: "overture features",
    option: "overture",
    description: "Overture places as GeoJSON features, one a line or over several",
    looksLike: isOvertureFeatures,
    read: readOvertureFeatures,
  },
  {
    name: "foursquare parquet",
    option: "foursquare",
    description: "Foursquare OS Places as Parquet",
    ...FOURSQUARE_PARQUET,
  },
  {
    name: "foursquare csv",
    option: "foursquare",
    description: "Foursquare OS Places as CSV",
    looksLike: isFoursquareHeader,
    read: readFoursquareCsv,
  },
  {
    name: "whosonfirst",
    option: "whosonfirst",
    description: "venues of Who's On First as a GeoJSON collection",
    looksLike: isWhosOnFirst,
    read: readWhosOnFirst,
  },
  {
    name: "whosonfirst features",
    option: "whosonfirst",
    description: "venues of Who's On First as GeoJSON features",
    looksLike: isWhosOnFirstFeatures,
    read: readWhosOnFirstFeatures,
  },
  {
    name: "geojson table",
    option: "native",
    description: "GeoJSON points whose properties are the columns of a table (docs/data-format.md#tables)",
    looksLike: isTableCollection,
    read: readGeojsonTable,
  },
  {
    name: "geojson",
    option: "osm",
    description: 'GeoJSON ({"type": "FeatureCollection", "features": […]})',
    looksLike: ({ document }) =>
      document.get("type") === "FeatureCollection" || (document.has("features") && !document.has("title")),
    isForeign: hasOnlyOutlines,
    read: readGeojson,
  },
  {
    name: "geojson features",
    option: "osm",
    description: "GeoJSON features, one a line or over several, or as a text sequence (RFC 8142)",
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
  {
    name: "serpapi list",
    option: "serpapi",
    description: "a JSON list of answers or places of SerpApi's google_maps",
    looksLike: ({ document }) => SERPAPI_FIELDS.some((name) => document.has(`[].${name}`)),
    read: readSerpapiList,
  },
  {
    name: "serpapi",
    option: "serpapi",
    description: "answers of SerpApi's google_maps, as they came or one a line",
    looksLike: ({ lines }) => lines.some((line) => SERPAPI_FIELDS.some((name) => line.has(name))),
    couldBe: ({ document }) => document.size > 0,
    read: readSerpapiAnswers,
  },
  {
    name: "google list",
    option: "google",
    description: "a JSON list of responses or places of the Google Places API (New)",
    looksLike: hasOneOf(PLACES_API_FIELDS, "[].", "[].places[]."),
    read: readPlacesApiList,
  },
  {
    name: "google",
    option: "google",
    description: "responses or places of the Google Places API (New), one after the other",
    looksLike: hasOneOf(PLACES_API_FIELDS, "", "places[]."),
    couldBe: ({ document }) => document.size > 0,
    read: readPlacesApi,
  },
  {
    name: "apify csv",
    option: "apify",
    description: "the CSV of Apify's Google Maps Scraper (compass/crawler-google-places)",
    looksLike: hasColumns([...APIFY_FIELDS, "location/lat"]),
    couldBe: ({ columns }) => columns.length > 0,
    problemOf: ({ columns }) => problemOfApifyHeader(columns),
    read: readApifyCsv,
  },
  {
    name: "apify list",
    option: "apify",
    description: "the JSON list of Apify's Google Maps Scraper",
    looksLike: hasOneOf(APIFY_FIELDS, "[]."),
    read: readApifyList,
  },
  {
    name: "apify lines",
    option: "apify",
    description: "the JSON lines of Apify's Google Maps Scraper",
    looksLike: hasOneOf(APIFY_FIELDS, ""),
    couldBe: ({ document }) => document.size > 0,
    read: readApifyLines,
  },
  {
    name: "outscraper csv",
    option: "outscraper",
    description: "the CSV of Outscraper's Google Maps export",
    looksLike: hasColumns(OUTSCRAPER_FIELDS),
    couldBe: ({ columns }) => columns.length > 0,
    problemOf: ({ columns }) => problemOfOutscraperHeader(columns),
    read: readOutscraperCsv,
  },
  {
    name: "outscraper list",
    option: "outscraper",
    description: "the JSON list of Outscraper's Google Maps export",
    looksLike: hasOneOf(OUTSCRAPER_FIELDS, "[].", "[][].", "[].data[].", "[].data[][]."),
    read: readOutscraperList,
  },
  {
    name: "outscraper",
    option: "outscraper",
    description: "responses or places of Outscraper, one after the other",
    looksLike: hasOneOf(OUTSCRAPER_FIELDS, "", "data[].", "data[][]."),
    couldBe: ({ document }) => document.size > 0,
    read: readOutscraper,
  },
  {
    name: "gosom csv",
    option: "gosom",
    description: "the CSV of gosom/google-maps-scraper",
    looksLike: ({ columns }) => GOSOM_FIELDS.some((name) => columns.includes(name)),
    couldBe: ({ columns }) => columns.length > 0,
    problemOf: ({ columns }) => problemOfGosomHeader(columns),
    read: readGosomCsv,
  },
  {
    name: "gosom list",
    option: "gosom",
    description: "the JSON list of gosom/google-maps-scraper",
    looksLike: ({ document }) => GOSOM_FIELDS.some((name) => document.has(`[].${name}`)),
    read: readGosomList,
  },
  {
    name: "gosom lines",
    option: "gosom",
    description: "the JSON lines of gosom/google-maps-scraper",
    looksLike: ({ lines }) => lines.some((line) => GOSOM_FIELDS.some((name) => line.has(name))),
    couldBe: ({ document }) => document.size > 0,
    read: readGosomLines,
  },
  {
    name: "native list",
    option: "native",
    description: "native records in one JSON list ([…], docs/data-format.md)",
    looksLike: ({ document }) => hasNativeField(document, "[]."),
    couldBe: ({ text }) => text.trimStart().startsWith("["),
    read: createNativeListReader(TOP_LIST),
  },
  {
    name: "native places",
    option: "native",
    description: 'native records in {"places": […]}',
    looksLike: ({ document }) => hasNativeField(document, "places[]."),
    read: createNativeListReader("places"),
  },
  {
    name: "search answer",
    option: "native",
    description: 'our own search answers ({"local_result": […]})',
    looksLike: ({ document }) => hasNativeField(document, "local_result[]."),
    read: createNativeListReader("local_result"),
  },
  {
    name: "native",
    option: "native",
    description: "native JSON lines (docs/data-format.md)",
    looksLike: ({ lines }) => lines.some((line) => hasNativeField(line)),
    couldBe: ({ columns }) => columns.length === 0,
    read: readNative,
  },
  {
    name: "xlsx",
    option: "native",
    description: "an Excel workbook (.xlsx) with such a table",
    looksLike: isWorkbook,
    problemWithin: (input, { adjust }) => problemOfWorkbook(input, adjust),
    read: readXlsx,
  },
  TABLE,
];

/** The values of `--format`. */
export const FORMAT_OPTIONS: readonly string[] = [...new Set(FORMATS.map(({ option }) => option))];

/**
 * Detects the format of an input by its beginning; `undefined` when it is unknown or the beginning is too
 * short.
 */
export function detectFormat(head: Head): Format | undefined {
  return FORMATS.find(({ looksLike }) => looksLike(head));
}

/**
 * Detects the format of an input for which `--format` is set: one of the option's formats if it looks like
 * one, else whatever it looks like. When it looks like no format and `mayGuess` is set, the option's format
 * that it could be.
 */
export function detectFormatOf(option: string, head: Head, mayGuess: boolean): Format | undefined {
  const formats = FORMATS.filter((format) => format.option === option);
  const found = formats.find(({ looksLike }) => looksLike(head)) ?? detectFormat(head);
  return found ?? (mayGuess ? formats.find(({ couldBe }) => couldBe?.(head)) : undefined);
}
