import { fullAddress } from "../../src/place/document/full-address.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { toNativeRecord } from "../sources/native/native-place.ts";
import { asObject } from "../sources/record-fields.ts";
import { COLUMNS, type Column } from "../sources/table/columns.ts";
import { districtOf } from "./export-filter.ts";

export const EXPORT_FORMATS = ["native", "csv", "geojson"] as const;

/** How places are written. */
export interface ExportForm {
  readonly format: (typeof EXPORT_FORMATS)[number];
  /** With the kind, ward, city and one-line address that the import or the API adds. */
  readonly complete: boolean;
}

/** A file: what stands at its beginning, between two places, and at its end. */
interface Writer {
  readonly begin: string;
  readonly between: string;
  readonly end: string;
  readonly toText: (place: PlaceDocument, complete: boolean) => string;
}

/** Excel reads UTF-8 only after this mark. */
const BYTE_ORDER_MARK = "\uFEFF";

/** In the order of the documentation, without those that are parts of others. */
const DERIVED = new Set(["coordinates", "house_number", "price", "closing_time", "opening_hours"]);
const WRITTEN = COLUMNS.filter(({ column }) => !DERIVED.has(column));

const WRITERS: Readonly<Record<ExportForm["format"], Writer>> = {
  native: {
    begin: "",
    between: "",
    end: "",
    toText: (place, complete) => `${JSON.stringify(toRecord(place, complete))}\n`,
  },
  csv: {
    begin: `${BYTE_ORDER_MARK}${WRITTEN.map(({ column }) => column).join(",")}\n`,
    between: "",
    end: "",
    toText: (place, complete) => `${toCells(place, complete).map(quoteCell).join(",")}\n`,
  },
  geojson: {
    begin: '{"type":"FeatureCollection","features":[\n',
    between: ",\n",
    end: "\n]}\n",
    toText: toFeature,
  },
};

/** The texts of a file with these places, one for each page. */
export async function* writePlaces(
  pages: AsyncIterable<readonly PlaceDocument[]>,
  { format, complete }: ExportForm,
): AsyncGenerator<string> {
  const { begin, between, end, toText } = WRITERS[format];
  if (begin !== "") yield begin;
  let isFirst = true;
  for await (const places of pages) {
    const texts = places.map((place) => toText(place, complete));
    if (texts.length > 0) yield (isFirst ? "" : between) + texts.join(between);
    isFirst &&= texts.length === 0;
  }
  if (end !== "") yield end;
}

function toRecord(place: PlaceDocument, complete: boolean): object {
  const record = toNativeRecord(place);
  if (!complete) return record;
  const { location } = place;
  const address = { ...location.address, full: fullAddress(location.address) };
  return { ...record, type: place.type, location: { ...location, address } };
}

/** The cells of a row, as an import reads them. */
function toCells(place: PlaceDocument, complete: boolean): string[] {
  const record = toRecord(place, complete);
  const days = new Map(
    asDays((record as { opening_hours?: unknown }).opening_hours).map((hours, day) => [day, hours]),
  );
  let day = 0;
  return WRITTEN.map((column) => {
    if (column.form === "day") return days.get(day++) ?? "";
    if (column.column === "district") return complete ? districtOf(place) : "";
    return toCell(column, valueAt(record, column.field));
  });
}

const asDays = (week: unknown): string[] =>
  Array.isArray(week) ? week.map((day: { hours: string }) => day.hours) : [];

const valueAt = (record: object, field: string): unknown => {
  let value: unknown = record;
  for (const name of field.split(".")) value = asObject(value)?.[name];
  return value;
};

const OF_GEOMETRY = new Set(["latitude", "longitude"]);

function toCell({ column, form }: Column, value: unknown): string {
  // Unknown ratings, counts and prices are 0.
  if (value === undefined || value === null || (value === 0 && !OF_GEOMETRY.has(column))) return "";
  if (form === "list") return (value as readonly string[]).join(" | ");
  if (form === "features")
    return Object.values(value as Record<string, readonly string[]>)
      .flat()
      .join(" | ");
  if (form === "json") return (value as readonly unknown[]).length === 0 ? "" : JSON.stringify(value);
  return String(value as string | number);
}

const NEEDS_QUOTES = /[",;\t\n\r]|^\s|\s$/;

/** A cell as it stands in a CSV. */
export const quoteCell = (cell: string): string =>
  NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

function toFeature(place: PlaceDocument, complete: boolean): string {
  const cells = toCells(place, complete);
  const properties = WRITTEN.flatMap(({ column, form }, index) => {
    const cell = cells[index] ?? "";
    if (cell === "" || OF_GEOMETRY.has(column)) return [];
    return [[column, form === "number" || form === "whole" ? Number(cell) : cell]];
  });
  const { latitude, longitude } = place.location;
  const geometry = { type: "Point", coordinates: [longitude, latitude] };
  return JSON.stringify({ type: "Feature", geometry, properties: Object.fromEntries(properties) as object });
}
