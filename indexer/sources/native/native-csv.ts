import { CommandError } from "../../../src/cli/errors.ts";
import { isRejection, type PlaceDraft, type Rejection } from "../../clean/place-draft.ts";
import { toNativeDraft } from "./native-place.ts";
import { readCsv } from "../csv.ts";
import type { Input } from "../input.ts";
import { parseOsmHours } from "../osm/opening-hours.ts";
import type { SourceContext, SourceItem } from "../source.ts";
import { emptyFeatures, featureSection } from "../../../src/place/feature-codes.ts";
import type { Features } from "../../../src/place/place-document.ts";

/**
 * Reads the native format from a CSV: one place a row, the columns of `CSV_COLUMNS` in any order.
 * @throws {CommandError} for a header without the required columns.
 */
export async function* readNativeCsv(input: Input, context: SourceContext): AsyncGenerator<SourceItem> {
  const checkColumns = (columns: readonly string[]): void => checkHeader(input.name, columns);
  for await (const row of readCsv(input, checkColumns)) {
    const { number, text: record } = row;
    const position = { file: input.name, part: "line", number } as const;
    const draft = "values" in row ? toDraft(row.values, context) : row.rejected;
    yield isRejection(draft) ? { position, record, rejected: draft } : { position, record, draft };
  }
}

function checkHeader(file: string, columns: readonly string[]): void {
  const problem = problemOfHeader(columns);
  if (problem !== undefined) throw new CommandError(`${file} ${problem}`);
}

/**
 * Describes the required columns that a header lacks, those it has, and those it may have; `undefined` for a
 * valid header.
 */
export function problemOfHeader(columns: readonly string[]): string | undefined {
  const missing = missingColumns(columns);
  if (missing.length === 0) return undefined;
  const unknown = columns.filter((column) => !findColumn(column));
  return [
    `lacks the column${missing.length > 1 ? "s" : ""} ${missing.join(", ")}.`,
    `  Its header has: ${columns.join(", ")}`,
    ...(unknown.length > 0 ? [`  unknown of these: ${unknown.join(", ")}`] : []),
    `  A native CSV may have: ${CSV_COLUMNS.map(({ column }) => column).join(", ")} (docs/data-format.md)`,
  ].join("\n");
}

type Row = Readonly<Record<string, string>>;

function toDraft(row: Row, context: SourceContext): PlaceDraft | Rejection {
  const { record, hours } = toRecord(row, context);
  const draft = toNativeDraft(record, context.note);
  if (hours === "" || isRejection(draft)) return draft;
  const parsed = parseOsmHours(hours, context.today);
  if (parsed.loss) context.note("opening_hours", parsed.loss, hours);
  return { ...draft, opening_hours: parsed.hours };
}

/**
 * Converts a row to a record. Hours in OpenStreetMap syntax are separate, since the record has no form for
 * them.
 */
function toRecord(row: Row, { note }: SourceContext): { record: object; hours: string } {
  const record: Record<string, unknown> = {};
  const days: { day: string; hours: string }[] = [];
  let hours = "";
  for (const [name, cell] of Object.entries(row)) {
    const column = findColumn(name);
    const text = cell.trim();
    if (column?.form === "day") days.push({ day: column.column, hours: text });
    if (text === "" || column?.form === "day") continue;
    if (!column) note(name, "unknown column, ignored", text);
    else {
      const value = readCell(column.form, text);
      if (column.form === "hours" && typeof value === "string") hours = value;
      else setField(record, column, value);
    }
  }
  if (days.length > 0) record["opening_hours"] ??= days;
  return { record, hours };
}

function setField(record: Record<string, unknown>, { field }: CsvColumn, value: unknown): void {
  const names = field.split(".");
  const last = names.pop() ?? field;
  let parent = record;
  for (const name of names) parent = (parent[name] ??= {}) as Record<string, unknown>;
  parent[last] = value;
}

/**
 * Converts a cell to a field of the native record. An invalid cell stays a text, so that reading the record
 * reports it.
 */
function readCell(form: CellForm, text: string): unknown {
  return READERS[form](text);
}

const READERS: Readonly<Record<CellForm, (text: string) => unknown>> = {
  text: (text) => text,
  day: (text) => text,
  number: readDecimal,
  whole: (text) => (THOUSANDS.test(text) ? Number(text.replaceAll(/[.,\s]/g, "")) : readDecimal(text)),
  list: splitList,
  features: (text) => sortFeatures(splitList(text)),
  hours: (text) => (text.startsWith("[") ? readJson(text) : text),
  json: readJson,
};

/**
 * `50.000`, `1,250,000` and `1 250 000` have no decimals: here, prices and counts use these separators for
 * thousands.
 */
const THOUSANDS = /^\d{1,3}(?:([.,\s])\d{3})(?:\1\d{3})*$/;

/** Half the world's spreadsheets use a comma as the decimal sign, also in Vietnam. */
const DECIMAL_COMMA = /^[+-]?\d+,\d+$/;

function readDecimal(text: string): number | string {
  const number = Number(DECIMAL_COMMA.test(text) ? text.replace(",", ".") : text);
  return Number.isFinite(number) ? number : text;
}

function splitList(text: string): string[] {
  return text
    .split("|")
    .map((element) => element.trim())
    .filter((element) => element !== "");
}

function sortFeatures(codes: readonly string[]): Features {
  const features = emptyFeatures();
  for (const code of codes) features[featureSection(code)].push(code);
  return features;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * The form of a cell: a text; a number with a point or a comma; a whole number, with or without separated
 * thousands; a list separated by |; feature codes, separated likewise; opening hours in OpenStreetMap syntax
 * or JSON; the hours of one day, as `07:00–11:30, 13:00–22:00`; the field's JSON.
 */
type CellForm = "text" | "number" | "whole" | "list" | "features" | "hours" | "day" | "json";

export interface CsvColumn {
  readonly column: string;
  /** The field of the native record. Its name is also accepted as the column's name. */
  readonly field: string;
  readonly form: CellForm;
}

/** The columns of a native CSV (docs/data-format.md). A new column needs an entry here and one there. */
export const CSV_COLUMNS: readonly CsvColumn[] = [
  { column: "data_id", field: "data_id", form: "text" },
  { column: "source", field: "source", form: "text" },
  { column: "source_id", field: "source_id", form: "text" },
  { column: "place_id", field: "place_id", form: "text" },
  { column: "title", field: "title", form: "text" },
  { column: "alternate_names", field: "alternate_names", form: "list" },
  { column: "type", field: "type", form: "text" },
  { column: "latitude", field: "location.latitude", form: "number" },
  { column: "longitude", field: "location.longitude", form: "number" },
  { column: "address", field: "location.address.full", form: "text" },
  { column: "street", field: "location.address.street", form: "text" },
  { column: "ward", field: "location.address.ward", form: "text" },
  { column: "city", field: "location.address.city", form: "text" },
  { column: "country", field: "location.address.country", form: "text" },
  { column: "country_code", field: "location.country_code", form: "text" },
  { column: "timezone", field: "location.timezone", form: "text" },
  { column: "phone", field: "contacts.phone", form: "text" },
  { column: "website", field: "contacts.website", form: "text" },
  { column: "rating", field: "rating", form: "number" },
  { column: "reviews", field: "reviews", form: "whole" },
  { column: "price_min", field: "pricing.min", form: "whole" },
  { column: "price_max", field: "pricing.max", form: "whole" },
  { column: "confirmed_on", field: "confirmed_on", form: "text" },
  { column: "business_status", field: "business_status", form: "text" },
  { column: "opening_hours", field: "opening_hours", form: "hours" },
  { column: "monday", field: "opening_hours.monday", form: "day" },
  { column: "tuesday", field: "opening_hours.tuesday", form: "day" },
  { column: "wednesday", field: "opening_hours.wednesday", form: "day" },
  { column: "thursday", field: "opening_hours.thursday", form: "day" },
  { column: "friday", field: "opening_hours.friday", form: "day" },
  { column: "saturday", field: "opening_hours.saturday", form: "day" },
  { column: "sunday", field: "opening_hours.sunday", form: "day" },
  { column: "special_days", field: "special_days", form: "json" },
  { column: "features", field: "features", form: "features" },
  { column: "description", field: "description", form: "text" },
  { column: "popular_times", field: "popular_times", form: "json" },
  { column: "review_list", field: "review_list", form: "json" },
  { column: "photos", field: "photos", form: "json" },
];

/** A place requires all of these; of the last two, one is enough. */
const REQUIRED = [["title"], ["latitude"], ["longitude"], ["source_id", "data_id"]];

const COLUMN_OF_NAME: ReadonlyMap<string, CsvColumn> = new Map(
  CSV_COLUMNS.flatMap((column) => [
    [column.column, column],
    [column.field, column],
  ]),
);

/** Finds the column for a name in a header, ignoring case. Blanks may replace underscores. */
function findColumn(name: string): CsvColumn | undefined {
  return COLUMN_OF_NAME.get(name) ?? COLUMN_OF_NAME.get(name.trim().toLowerCase().replaceAll(" ", "_"));
}

/** The columns that a header lacks, as the message names them. */
export function missingColumns(names: readonly string[]): string[] {
  const found = new Set(names.map((name) => findColumn(name)?.column));
  return REQUIRED.filter((columns) => !columns.some((column) => found.has(column))).map((columns) =>
    columns.join(" or "),
  );
}
