import type { ParquetLayout, MapRecord } from "../parquet/read-rows.ts";
import { parseJson } from "../json.ts";
import { createCsvReader } from "../readers.ts";
import { type SourceContext, joinAddress, splitLocality } from "../source.ts";
import { emptyDraft, readConfirmedOn, type PlaceDraft } from "../../clean/place-draft.ts";
import {
  asDate,
  asList,
  asObject,
  asText,
  noteUnknownFields,
  readElements,
  readField,
  toCountryCode,
  type RecordFields,
} from "../record-fields.ts";
import { refineByName } from "../osm/type-of-tags.ts";
import type { TypeCode } from "../../../src/place/document/type-codes.ts";
import { createTypeOfCategories } from "../category-types.ts";
import types from "./types.json" with { type: "json" };

const NUMBER = /^(?:DOUBLE|FLOAT|DECIMAL)/;

/** Foursquare OS Places: https://docs.foursquare.com/data-products/docs/places-os-data-schema */
export const FOURSQUARE_LAYOUT: ParquetLayout = {
  title: "Foursquare OS Places",
  required: { fsq_place_id: /^VARCHAR/, name: /^VARCHAR/, latitude: NUMBER, longitude: NUMBER },
  optional: [
    "address locality region postcode admin_region post_town po_box country date_closed tel website email",
    "facebook_id instagram twitter fsq_category_labels unresolved_flags",
  ].flatMap((names) => names.split(" ")),
  // As a JSON number it would lose digits.
  expressions: { facebook_id: "CAST(facebook_id AS VARCHAR)" },
  bounds: {
    west: "longitude",
    south: "latitude",
    east: "longitude",
    north: "latitude",
    needs: "latitude",
    slack: 0,
  },
  createMapper: createFoursquareMapper,
};

/** The top-level categories with which all of Foursquare's labels begin. */
const ROOTS = [
  "Arts and Entertainment",
  "Business and Professional Services",
  "Community and Government",
  "Dining and Drinking",
  "Event",
  "Health and Medicine",
  "Landmarks and Outdoors",
  "Retail",
  "Sports and Recreation",
  "Travel and Transportation",
];

/** Labels contain commas, so the next label is recognized by its beginning. */
const NEXT_LABEL = new RegExp(`,\\s*(?=["']?(?:${ROOTS.join("|")})(?: >|["']|$))`);

const QUOTES = /^["']|["']$/g;

/**
 * Parses a list of labels in a CSV cell. Tools write lists differently: JSON, DuckDB's `[a, b]`, Python's
 * `['a', 'b']`, the braces of PostgreSQL, or labels alone.
 */
export function parseLabels(cell: string): string[] {
  const json = asList(parseJson(cell));
  if (json) return json.filter((value) => typeof value === "string");
  return cell
    .trim()
    .replace(/^[[{]/, "")
    .replace(/[\]}]$/, "")
    .split(NEXT_LABEL)
    .map((label) => label.trim().replaceAll(QUOTES, ""))
    .filter((label) => label !== "");
}

/** Flags are single words. */
const parseFlags = (cell: string): string[] => cell.match(/[a-z_]+/g) ?? [];

const DECIMAL = /^\s*[+-]?\d{1,3}(?:\.\d{1,20})?\s*$/;

/** A coordinate; the text itself when it is invalid, for the report. */
const parseCoordinate = (cell: string): number | string => (DECIMAL.test(cell) ? Number(cell) : cell);

/** Reads Foursquare OS Places from a CSV with the names of the Parquet columns. */
export const readFoursquareCsv = createCsvReader((context) => {
  const map = createFoursquareMapper(context);
  return (cells, position) => map(toRecord(cells), undefined, position);
}, problemOfHeader);

const REQUIRED = Object.keys(FOURSQUARE_LAYOUT.required);

/** Whether the header of a CSV is Foursquare's. */
export const isFoursquareHeader = ({ columns }: { readonly columns: readonly string[] }): boolean =>
  columns.includes("fsq_place_id");

function problemOfHeader(columns: readonly string[]): string | undefined {
  const missing = REQUIRED.filter((name) => !columns.includes(name));
  return missing.length === 0
    ? undefined
    : `is not a CSV of Foursquare OS Places, because it lacks ${missing.join(", ")}. It has ${columns.join(", ")}.`;
}

const PARSERS: Readonly<Record<string, (cell: string) => unknown>> = {
  latitude: parseCoordinate,
  longitude: parseCoordinate,
  fsq_category_labels: parseLabels,
  unresolved_flags: parseFlags,
};

/** Leaves out empty cells, which are unknown values. DuckDB and others write them as NULL. */
function toRecord(cells: Readonly<Record<string, string>>): Record<string, unknown> {
  const entries = Object.entries(cells).filter(([, cell]) => cell.trim() !== "" && cell !== "NULL");
  return Object.fromEntries(entries.map(([name, cell]) => [name, PARSERS[name]?.(cell) ?? cell]));
}

/**
 * Flags of Foursquare's users for records that are not real places. Whether a place is closed depends on
 * `date_closed` instead.
 */
const NO_PLACE_FLAGS: ReadonlySet<string> = new Set([
  "delete",
  "doesnt_exist",
  "duplicate",
  "inappropriate",
  "privatevenue",
]);

/** The columns that are read, and known ones that are ignored. */
const KNOWN_COLUMNS = new Set(
  [
    "fsq_place_id name latitude longitude address locality region postcode admin_region post_town po_box country",
    "date_created date_refreshed date_closed tel website email facebook_id instagram twitter",
    "fsq_category_ids fsq_category_labels placemaker_url unresolved_flags geom bbox dt",
  ].flatMap((names) => names.split(" ")),
);

/** Creates the mapper of one input. A record is a row by column name, with parsed lists. */
function createFoursquareMapper({ note }: SourceContext): MapRecord {
  return (value, _coordinates, position) => {
    const record: RecordFields = { values: asObject(value) ?? {}, path: "", note };
    const labels = readElements(record, "fsq_category_labels", asText);
    const flag = readElements(record, "unresolved_flags", asText).find((name) => NO_PLACE_FLAGS.has(name));
    if (flag !== undefined) return { position, skipped: `flagged ${flag} at Foursquare` };
    if (isPrivateHome(labels)) return { position, skipped: "a private home" };
    const title = readField(record, "name", asText)?.trim() ?? "";
    if (title === "") return { position, rejected: { field: "name", reason: "missing" } };
    const { latitude, longitude } = record.values;
    if (typeof latitude !== "number" || typeof longitude !== "number")
      return { position, rejected: { field: "latitude", reason: "no coordinates", value: latitude } };
    noteUnknownFields(record, KNOWN_COLUMNS);
    const draft: PlaceDraft = {
      ...emptyDraft(),
      source: "foursquare",
      source_id: readField(record, "fsq_place_id", asText) ?? "",
      title,
      type: refineByName(readLabels(record, labels) ?? "PLACE", title),
      contacts: readContacts(record),
      location: { ...readAddress(record), latitude, longitude, timezone: "" },
      ...readConfirmedOn(asDate(record.values["date_refreshed"])),
      business_status: readField(record, "date_closed", asText) ? "closed_permanently" : "operational",
    };
    return { position, draft };
  };
}

/** Columns for which the document has no field. */
const LOST_COLUMNS = ["postcode", "admin_region", "post_town", "po_box"];

function readAddress(record: RecordFields): Pick<PlaceDraft["location"], "address" | "country_code"> {
  const part = (name: string): string => readField(record, name, asText)?.trim() ?? "";
  for (const name of LOST_COLUMNS) if (part(name) !== "") record.note(name, "no field for it, dropped");
  const street = part("address");
  const locality = part("locality");
  const region = part("region");
  return {
    address: {
      full: joinAddress([street, locality, region]),
      street,
      ...splitLocality(locality, region),
      country: "",
    },
    country_code: toCountryCode(part("country")),
  };
}

/**
 * `types.json` lists the parts of labels: "Coffee Shop" of "Dining and Drinking > … > Coffee Shop". A part
 * that it does not list has the type of the next one above it.
 */
const typeOfCategories = createTypeOfCategories("indexer/sources/foursquare/types.json", types);

/** Private homes with check-ins. They should not be found in searches. */
const PRIVATE_HOME = /> Home \(private\)$/;

const isPrivateHome = (labels: readonly string[]): boolean =>
  labels.some((label) => PRIVATE_HOME.test(label));

/**
 * Finds the type from the first label, from its end upwards. Other labels count where that is too general.
 * `undefined`, with a note, when none is known.
 */
function readLabels(record: RecordFields, labels: readonly string[]): TypeCode | undefined {
  const [own = [], ...others] = labels.map((label) => label.split(" > ").toReversed());
  const code = typeOfCategories(own, others.flat());
  if (code === undefined && own.length > 0)
    record.note("fsq_category_labels", "not in the category table, read as PLACE");
  return code;
}

const FACEBOOK = "https://www.facebook.com/";

/** Contacts for which the document has no field. */
const LOST_CONTACTS = ["email", "instagram", "twitter"];

/** Reads phone and website. A Facebook page counts as the website when there is no other. */
function readContacts(record: RecordFields): PlaceDraft["contacts"] {
  const part = (name: string): string => readField(record, name, asText)?.trim() ?? "";
  const website = part("website");
  const facebookId = part("facebook_id");
  const page = /^\d+$/.test(facebookId) ? FACEBOOK + facebookId : "";
  for (const name of LOST_CONTACTS) if (part(name) !== "") record.note(name, "no field for it, dropped");
  if (website !== "" && page !== "") record.note("facebook_id", "no field for it, dropped");
  return { phone: part("tel"), website: website || page };
}
