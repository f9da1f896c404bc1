import { CommandError } from "../../src/cli/errors.ts";
import type { AskedRecord } from "../../src/same-place/likelihood.ts";
import { isCoordinates, type Coordinates } from "../../src/place/geometry/coordinates.ts";
import { includeParts } from "../clean/address.ts";
import { readCsv } from "../sources/csv.ts";
import { buildHead } from "../sources/head.ts";
import type { Input, OpenedInput } from "../sources/input.ts";
import { asUtf8 } from "../sources/open-sources.ts";
import type { Adjustments } from "../sources/source.ts";
import { has, readHeader, type Header } from "../sources/table/columns.ts";
import { parseDegrees, parsePoint } from "../sources/table/point-cell.ts";
import { chooserOf } from "../sources/table/csv-table.ts";
import { isWorkbook, readWorkbookTables } from "../sources/table/xlsx-table.ts";

/** A row of a table of which the places are looked for. */
export interface AskedRow {
  /** The line or row of the file, counted from 1. */
  readonly number: number;
  /** In the order of the columns. */
  readonly cells: readonly string[];
  /** Absent where no cell says anything about a place. */
  readonly record?: AskedRecord;
}

/** A row that cannot be read, with the reason. */
export interface UnreadRow {
  readonly number: number;
  readonly problem: string;
}

/** A table, read row by row. */
export interface AskedTable {
  readonly columns: readonly string[];
  readonly rows: AsyncGenerator<AskedRow | UnreadRow>;
}

/**
 * Opens a CSV or an Excel workbook, whose columns have the names that an import knows.
 * @throws {CommandError} when it is neither, or no column says anything about places.
 */
export async function openAskedTable(opened: OpenedInput, adjust: Adjustments): Promise<AskedTable> {
  const { input, head } = asUtf8(opened, adjust);
  return isWorkbook(buildHead(head)) ? openWorkbook(input, adjust) : openCsv(input, adjust);
}

/** Any of these is enough to look for a place. */
const USEFUL_COLUMNS = ["title", "address", "street", "phone", "website", "coordinates"];

const isUseful = (header: Header): boolean =>
  has(header, ...USEFUL_COLUMNS) || (has(header, "latitude") && has(header, "longitude"));

function checkUseful(name: string, header: Header): Header {
  if (isUseful(header)) return header;
  const columns = header.all.filter((own) => own !== "").join(", ");
  throw new CommandError(
    [
      `${name} has no column to look for places by: a name, an address, a phone, a website, or latitude and longitude.`,
      `  Its columns: ${columns}`,
      "  Say which column it is, such as --map title=shop_name (docs/data-format.md#tables).",
    ].join("\n"),
  );
}

async function openCsv(input: Input, adjust: Adjustments): Promise<AskedTable> {
  let header: Header | undefined;
  const checkColumns = (columns: readonly string[]): void => {
    header = checkUseful(input.name, readHeader(columns, adjust));
  };
  const rows = readCsv(input, checkColumns, { chooseHeader: chooserOf(adjust, isUseful) });
  // The header is checked before the first row is read.
  const first = await rows.next();
  const known = header!;
  async function* read(): AsyncGenerator<AskedRow | UnreadRow> {
    for (let next = first; !next.done; next = await rows.next()) {
      const row = next.value;
      if ("values" in row) yield toAskedRow(row.number, row.values, known);
      else yield { number: row.number, problem: row.rejected.reason };
    }
  }
  return { columns: known.all, rows: read() };
}

async function openWorkbook(input: Input, adjust: Adjustments): Promise<AskedTable> {
  const [table, other] = await readWorkbookTables(input, adjust, isUseful);
  if (!table)
    throw new CommandError(`${input.name} has no sheet with a column to look for places by: ${WANTED}.`);
  if (other)
    throw new CommandError(
      `${input.name} has several sheets with places ("${table.name}", "${other.name}"): save one of them as CSV.`,
    );
  async function* read(): AsyncGenerator<AskedRow> {
    for (const { number, row } of table!.rows) yield toAskedRow(number, row, table!.header);
  }
  return { columns: table.header.all.filter((own) => own !== ""), rows: read() };
}

const WANTED = "a name, an address, a phone, a website, or latitude and longitude";

type Row = Readonly<Record<string, string>>;

function toAskedRow(number: number, row: Row, header: Header): AskedRow {
  const cells = header.all.filter((own) => own !== "").map((own) => row[own] ?? "");
  const record = toRecord(row, header);
  return { number, cells, ...(record && { record }) };
}

/** What the cells of a row say about its place; `undefined` when they say nothing. */
function toRecord(row: Row, { columns }: Header): AskedRecord | undefined {
  const byColumn = new Map([...columns].map(([own, { column }]) => [column, (row[own] ?? "").trim()]));
  const cell = (column: string): string => byColumn.get(column) ?? "";
  const [number, street] = [cell("house_number"), cell("street")];
  const whole = number === "" || street.startsWith(number) ? street : `${number} ${street}`.trim();
  const parts = { street: whole, ward: cell("ward"), district: cell("district"), city: cell("city") };
  const location = toLocation(cell);
  const record = {
    name: cell("title"),
    // A ward or a city alone is no address.
    address: cell("address") === "" && whole === "" ? "" : includeParts(cell("address"), parts),
    phone: cell("phone"),
    website: cell("website"),
    ...(location && { location }),
  };
  const isEmpty = [record.name, record.address, record.phone, record.website].every((text) => text === "");
  return isEmpty && !location ? undefined : record;
}

function toLocation(cell: (column: string) => string): Coordinates | undefined {
  const [latitude, longitude] = [parseDegrees(cell("latitude")), parseDegrees(cell("longitude"))];
  const point =
    latitude === undefined || longitude === undefined
      ? parsePoint(cell("coordinates"))
      : { latitude, longitude };
  return point && isCoordinates(point) ? point : undefined;
}
