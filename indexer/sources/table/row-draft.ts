import { sortFeatures } from "../../../src/place/document/feature-codes.ts";
import { fieldsInUse } from "../../../src/place/document/own-fields.ts";
import type { Features } from "../../../src/place/document/place-document.ts";
import { CommandError } from "../../../src/cli/errors.ts";
import { includeParts } from "../../clean/address.ts";
import { isRejection, type PlaceDraft, type Rejection } from "../../clean/place-draft.ts";
import { toNativeDraft, toNativeHours } from "../native/native-place.ts";
import { parseOsmHours } from "../osm/opening-hours.ts";
import { parseJson } from "../json.ts";
import { madeId, type SourceContext } from "../source.ts";
import type { CellForm, Column, Header } from "./columns.ts";
import { parseHoursCell } from "./hours-cell.ts";
import { describeNearest, kindOfCell } from "./kind-cell.ts";
import { splitParts } from "../../clean/strings.ts";
import { parsePriceText, type Prices } from "../../clean/price-text.ts";
import { isLink, parseDegrees, parsePoint } from "./point-cell.ts";

/** The cells of a row by their headers. */
export type Row = Readonly<Record<string, string>>;

/**
 * Converts a row of a table to a draft, or says why it cannot. A row without coordinates keeps NaN for them.
 * Its id is that of its columns, else one that is made from its name and position.
 */
export function toRowDraft(row: Row, header: Header, context: SourceContext): PlaceDraft | Rejection {
  const { record, hours } = toRecord(row, header, context);
  const unread = rejectDegrees(record);
  if (unread) return unread;
  const { location, isPlaced } = placeOf(record, context);
  const given = idOf(row, header) || record["source_id"];
  const hasId = Boolean(given || record["data_id"]);
  // An id is made of the name and the place, which are checked first.
  const draft = toNativeDraft({ ...record, location, source_id: hasId ? given : UNNAMED }, context.note);
  if (isRejection(draft)) return draft;
  const placed = isPlaced ? draft : { ...draft, location: { ...draft.location, ...NOWHERE } };
  return { ...placed, ...(!hasId && { source_id: madeId(placed) }), ...readHours(hours, context) };
}

/** Stands for an id until one is made. */
const UNNAMED = "-";

const NOWHERE = { latitude: Number.NaN, longitude: Number.NaN };

type Record_ = Record<string, unknown>;

/** Identities and what only whole rows can say. */
const NOT_PATCHED: ReadonlySet<string> = new Set([
  "data_id",
  "source",
  "source_id",
  "house_number",
  "district",
  "closing_time",
]);

/**
 * Converts some cells to a merge patch of a native record; an empty cell removes its field.
 * @throws {CommandError} for a column that cannot be changed by itself.
 */
export function toRowPatch(row: Row, header: Header, context: SourceContext): Record<string, unknown> {
  for (const [own, { column, form }] of header.columns)
    if (NOT_PATCHED.has(column) || form === "day" || form === "feature")
      throw new CommandError(`"${own}" cannot be changed by itself.`);
  const { record, hours } = toRecord(row, header, context);
  for (const [own, column] of header.columns) if (row[own]?.trim() === "") setField(record, column, null);
  const read = readHours(hours, context).opening_hours;
  return { ...record, ...(read && toNativeHours(read)) };
}

/** Several `--id` columns together are one id. */
const idOf = (row: Row, { idHeaders }: Header): string =>
  idHeaders.some((header) => row[header]?.trim())
    ? idHeaders.map((header) => row[header]?.trim() ?? "").join(" / ")
    : "";

/** Converts a row to a native record. The text of the opening hours is separate, since the record has no form for it. */
function toRecord(row: Row, { columns, unread }: Header, { note }: SourceContext) {
  const record: Record_ = {};
  const days: { day: string; hours: string }[] = [];
  const features: string[] = [];
  let hours = "";
  let closes = "";
  for (const [header, column] of columns) {
    const text = (row[header] ?? "").trim();
    if (column.form === "day") days.push({ day: column.column, hours: text });
    else if (text === "") continue;
    else if (column.column === "closing_time") closes = text;
    else if (column.form === "kind") record["type"] = readKind(text, note);
    else if (column.form === "feature") {
      if (YES.test(text)) features.push(column.field);
      else if (!NO.test(text)) note(header, "neither yes nor no, ignored", text);
    } else {
      const value =
        column.form === "own"
          ? readOwnCell(column, text)
          : column.form === "price"
            ? readPrice(column, text)
            : READERS[column.form](text);
      if (column.form === "hours" && typeof value === "string") hours = value;
      else setField(record, column, value);
    }
  }
  for (const { header, advice } of unread) {
    const text = (row[header] ?? "").trim();
    if (text !== "") note(header, `unknown column, ignored${advice === "" ? "" : ` (${advice})`}`, text);
  }
  if (days.length > 0) record["opening_hours"] ??= days;
  if (features.length > 0)
    record["features"] = withFeatures(record["features"] as Features | undefined, features);
  return { record, hours: closes === "" ? hours : `${hours}–${closes}` };
}

function setField(record: Record_, { field }: Column, value: unknown): void {
  const names = field.split(".");
  const last = names.pop() ?? field;
  let parent = record;
  for (const name of names) {
    const inner = (parent[name] ??= {});
    // A text that should have been JSON is reported, as it is.
    if (typeof inner !== "object") return;
    parent = inner as Record_;
  }
  parent[last] =
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? { ...(parent[last] as object), ...value }
      : value;
}

/** The features of a list, and those that have columns. */
function withFeatures(listed: Features | undefined, codes: readonly string[]): Features {
  const said = Object.values(listed ?? {}).flat() as string[];
  return sortFeatures([...new Set([...said, ...codes])]);
}

/** Says of latitude or longitude what is wrong with it, and how to write it. */
function rejectDegrees(record: Record_): Rejection | undefined {
  const location = record["location"] as Record_ | undefined;
  for (const name of ["latitude", "longitude"]) {
    const value = location?.[name];
    if (typeof value !== "string") continue;
    const reason = LOST_POINT.test(value)
      ? "its decimal point is lost: format the column as text and write it as 10.773374"
      : `not degrees such as 10.7769 or 10°46'37"N`;
    return { field: `location.${name}`, reason, value };
  }
  return undefined;
}

/** What a spreadsheet makes of 10.773374 where points separate thousands: `10.773.374`, `10773374`. */
const LOST_POINT = /^-?(?:\d{1,3}([.,\s])\d{3}(?:\1\d{3})+|\d{6,})$/;

/** The location with its address in our parts, and whether it has both coordinates. */
function placeOf(record: Record_, { note }: SourceContext): { location: object; isPlaced: boolean } {
  const { address, point, ...location } = (record["location"] ?? {}) as Record_;
  if (typeof point === "string")
    note(
      "coordinates",
      isLink(point)
        ? "no coordinates in this link: open it, and copy the address of the page that opens"
        : "no coordinates in it",
      point,
    );
  const isPlaced = location["latitude"] !== undefined || location["longitude"] !== undefined;
  const {
    house_number: number = "",
    district = "",
    ...parts
  } = (address ?? {}) as Readonly<Record<string, string>>;
  const { street = "", ward = "", city = "", full = "" } = parts;
  const whole = number === "" || street.startsWith(number) ? street : `${number} ${street}`.trim();
  // A district is no field of its own; it is searched and shown as a part of the line.
  const line =
    district === "" ? full : includeParts(full, { street: whole, ward, district: withLevel(district), city });
  return {
    location: {
      ...(isPlaced ? {} : { latitude: 0, longitude: 0 }),
      ...location,
      ...(address !== undefined && { address: { ...parts, street: whole, full: line } }),
    },
    isPlaced,
  };
}

/** "1" in a column of districts is "Quận 1". */
const withLevel = (district: string): string => (/^\d{1,2}$/.test(district) ? `Quận ${district}` : district);

/** An unknown kind is noted with the codes that it may mean. */
function readKind(text: string, note: SourceContext["note"]): string {
  const kind = kindOfCell(text);
  if (kind) return kind;
  note(`type "${text}"`, "not a kind, read as PLACE", describeNearest(text) || undefined);
  return "PLACE";
}

/** Hours as people write them or in OpenStreetMap's syntax. */
function readHours(text: string, { note, today }: SourceContext): Partial<Pick<PlaceDraft, "opening_hours">> {
  if (text === "") return {};
  const hours = parseHoursCell(text);
  if (hours) return { opening_hours: hours };
  const parsed = parseOsmHours(text, today);
  if (parsed.loss) note("opening_hours", parsed.loss, text);
  return { opening_hours: parsed.hours };
}

/**
 * Reads a cell as a field of the native record. An invalid cell stays a text, so that reading the record
 * reports it.
 */
const READERS: Readonly<
  Record<Exclude<CellForm, "kind" | "day" | "own" | "feature" | "price">, (text: string) => unknown>
> = {
  text: (text) => text,
  number: readDecimal,
  whole: (text) => (THOUSANDS.test(text) ? Number(text.replaceAll(/[.,\s]/g, "")) : readDecimal(text)),
  degrees: (text) => (LOST_POINT.test(text) ? text : (parseDegrees(text) ?? text)),
  point: (text) => parsePoint(text) ?? { point: text },
  list: (text) => splitParts(text, "|"),
  features: (text) => sortFeatures(splitParts(text, "|")),
  hours: (text) => (text.startsWith("[") ? readJson(text) : text),
  json: readJson,
};

const YES = /^(?:true|yes|y|x|có|1|✓|✔|v)$/i;
const NO = /^(?:false|no|n|không|ko|0|-)$/i;
const DAY_FIRST_DATE = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/;

/** A cell of a field of one's own: as its type was declared, else as it looks. */
function readOwnCell({ field }: Column, text: string): unknown {
  const type = fieldsInUse().get(field.replace(/^custom\./, ""))?.type;
  const isBoolean = YES.test(text) || NO.test(text);
  switch (type) {
    case "text":
      return text;
    case "list":
      return splitParts(text, /[|;]/);
    case "date": {
      const [, day = "", month = "", year] = DAY_FIRST_DATE.exec(text) ?? [];
      return year === undefined ? text : `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
    }
    case "number":
      return readDecimal(text);
    case "boolean":
      return isBoolean ? YES.test(text) : text;
    case undefined:
      if (/^(?:true|false)$/i.test(text)) return YES.test(text);
      return text.includes("|") ? splitParts(text, "|") : readDecimal(text);
  }
}

/**
 * `50.000`, `1,250,000` and `1 250 000` have no decimals: here, prices and counts use these separators for
 * thousands.
 */
const THOUSANDS = /^\d{1,3}(?:([.,\s])\d{3})(?:\1\d{3})*$/;

/** Half the world's spreadsheets use a comma as the decimal sign, also in Vietnam. */
const DECIMAL_COMMA = /^[+-]?\d+,\d+$/;

/** A price or a range, in VND where no currency is named; of a column for one end, that end. */
function readPrice({ field }: Column, text: string): unknown {
  const number = READERS.whole(text);
  const prices: Prices | undefined =
    typeof number === "number"
      ? { min: number, max: number }
      : (parsePriceText(text) ?? parsePriceText(`${text} đ`));
  if (!prices) return field === "pricing" ? { min: text } : text;
  return field === "pricing" ? prices : field === "pricing.min" ? prices.min : prices.max;
}

/** A number with a point or a comma; the text itself where it is none. */
function readDecimal(text: string): number | string {
  const number = Number(DECIMAL_COMMA.test(text) ? text.replace(",", ".") : text);
  return Number.isFinite(number) ? number : text;
}

function readJson(text: string): unknown {
  const value = parseJson(text);
  return value === undefined ? text : value;
}
