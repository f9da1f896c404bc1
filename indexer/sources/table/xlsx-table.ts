import type { CellValue, Sheet } from "read-excel-file/node";
import { CommandError, toErrorText } from "../../../src/cli/errors.ts";
import { formatCount } from "../../../src/cli/format.ts";
import type { Head } from "../head.ts";
import type { Input } from "../input.ts";
import { toItem } from "../readers.ts";
import type { SourceContext, SourceItem } from "../source.ts";
import {
  findHeader,
  isPlaceHeader,
  MAX_ROWS_ABOVE,
  problemOfHeader,
  type Header,
  type HeaderOptions,
} from "./columns.ts";
import { toRowDraft } from "./row-draft.ts";

/** Workbooks are packed, and their parts have names that stand before them. */
export const isWorkbook = ({ bytes }: Head): boolean =>
  bytes.subarray(0, 4).equals(Buffer.from("PK\u0003\u0004")) &&
  (bytes.includes("xl/") || bytes.includes("[Content_Types].xml"));

/** A workbook is read whole: as objects it takes some twenty times its size. Excel itself ends at a million rows. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Reads places from the sheets of an Excel workbook. The header is the first row with a name and a position
 * (`findHeader`). Sheets without such a row are passed over.
 * @throws {CommandError} for a broken workbook, one that is too large, and one without such a sheet.
 */
export async function* readXlsx(input: Input, context: SourceContext): AsyncGenerator<SourceItem> {
  const { adjust } = context;
  const sheets = await readSheets(input);
  const tables = sheets.flatMap((sheet) => findTable(sheet, adjust) ?? []);
  if (tables.length === 0) throw new CommandError(`${input.name} ${problemOfSheets(sheets, adjust)}`);
  for (const table of tables) {
    const { name, header } = table;
    const file = tables.length > 1 ? `${input.name} (${name})` : input.name;
    for (const { number, row } of rowsOf(table)) {
      const position = { file, part: "row", number } as const;
      yield { ...toItem(toRowDraft(row, header, context), position), record: row };
    }
  }
}

/** A row of a sheet by its headers, counted as Excel does. */
interface NumberedRow {
  readonly number: number;
  readonly row: Readonly<Record<string, string>>;
}

/** The rows with any cell. */
function* rowsOf({ header, rows, firstNumber }: Table): Generator<NumberedRow> {
  for (const [index, record] of rows.entries()) {
    const row: Record<string, string> = { __proto__: null } as never;
    for (const [column, own] of header.all.entries()) row[own] = toText(record[column] ?? null);
    if (Object.values(row).some((cell) => cell !== "")) yield { number: firstNumber + index, row };
  }
}

/**
 * The tables of a workbook whose header is as wanted, one a sheet at most.
 * @throws {CommandError} for a broken workbook, and one that is too large.
 */
export async function readWorkbookTables(
  input: Input,
  adjust: HeaderOptions,
  isWanted: (header: Header) => boolean,
): Promise<{ readonly name: string; readonly header: Header; readonly rows: Iterable<NumberedRow> }[]> {
  const sheets = await readSheets(input);
  const tables = sheets.flatMap((sheet) => findTable(sheet, adjust, isWanted) ?? []);
  return tables.map((table) => ({ name: table.name, header: table.header, rows: rowsOf(table) }));
}

/** Says why a workbook has no places. Only a file on disk can be read twice. */
export async function problemOfWorkbook(input: Input, adjust: HeaderOptions): Promise<string | undefined> {
  if (input.path === undefined) return undefined;
  const { openInput } = await import("../input.ts");
  const { Readable } = await import("node:stream");
  const { input: again } = await openInput(input.path, input.signal, Readable.from([]), input.name);
  const sheets = await readSheets(again).catch((error: unknown) =>
    toErrorText(error).replace(`${input.name} `, ""),
  );
  if (typeof sheets === "string") return sheets;
  return sheets.some((sheet) => findTable(sheet, adjust)) ? undefined : problemOfSheets(sheets, adjust);
}

async function readSheets(input: Input): Promise<readonly Sheet[]> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of input.chunks()) {
    length += chunk.length;
    if (length > MAX_BYTES)
      throw new CommandError(
        `${input.name} is larger than ${formatCount(MAX_BYTES)} bytes: save its sheet as CSV.`,
      );
    chunks.push(chunk);
  }
  // Loaded only for workbooks.
  const { default: readWorkbook } = await import("read-excel-file/node");
  try {
    return await readWorkbook(Buffer.concat(chunks));
  } catch (error) {
    throw new CommandError(`${input.name} is a broken or cut off workbook: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

interface Table {
  readonly name: string;
  readonly header: Header;
  readonly rows: Sheet["data"];
  /** The number of the first row below the header, counted as Excel does. */
  readonly firstNumber: number;
}

function findTable(
  { sheet: name, data }: Sheet,
  adjust: HeaderOptions | undefined,
  isWanted: (header: Header) => boolean = isPlaceHeader,
): Table | undefined {
  const { header, end } = findHeader(upperRows(data), adjust, isWanted);
  return isWanted(header) ? { name, header, rows: data.slice(end), firstNumber: end + 1 } : undefined;
}

/** Those that may have the header. */
const upperRows = (data: Sheet["data"]): string[][] =>
  data.slice(0, MAX_ROWS_ABOVE + 1).map((row) => Array.from(row, (cell) => toText(cell)));

function problemOfSheets(sheets: readonly Sheet[], adjust: HeaderOptions | undefined): string {
  const widest = sheets
    .filter(({ data }) => data.length > 0)
    .map(({ data }) => findHeader(upperRows(data), adjust).header)
    .toSorted((one, other) => other.columns.size - one.columns.size)[0];
  return widest ? (problemOfHeader(widest, adjust) ?? "") : "has no rows.";
}

/** Numbers as they are written, dates without a time as dates, times of a day as times. */
function toText(cell: CellValue | null): string {
  if (cell === null) return "";
  if (cell instanceof Date) {
    const [date = "", time = ""] = cell.toISOString().split("T");
    if (date <= FIRST_DAY) return time.slice(0, "07:00".length);
    return time.startsWith("00:00:00") ? date : `${date} ${time.slice(0, "07:00".length)}`;
  }
  return String(cell).trim();
}

/** A time without a date is one of the day before Excel's first. */
const FIRST_DAY = "1899-12-31";
