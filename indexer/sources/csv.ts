import { CommandError } from "../../src/cli/errors.ts";
import { giveWay } from "../../src/cli/interruption.ts";
import type { Rejection } from "../clean/place-draft.ts";
import type { Input } from "./input.ts";
import { readLines, type Line } from "./lines.ts";

/**
 * One record below the header, with the line on which it begins: its fields by column name, or why it cannot
 * be read.
 */
export type CsvRow = { readonly number: number; readonly text: string } & (
  | { readonly values: Readonly<Record<string, string>> }
  | { readonly rejected: Rejection }
);

/** Allows for long texts with line breaks. A longer record has a quote that was never closed. */
const MAX_RECORD_LENGTH = 8 * 1024 * 1024;

/** The header among the upper rows of a table. */
interface ChosenHeader {
  readonly columns: readonly string[];
  /** The index of the first row below it. */
  readonly end: number;
  /** Of the delimiters, that with the highest is the table's. */
  readonly rank: number;
}

/** Chooses the header. It may reject all rows by throwing, once the delimiter is known. */
export type ChooseHeader = (rows: readonly (readonly string[])[]) => ChosenHeader;

/** Formats of programs have their header in the first row. */
const firstRow: ChooseHeader = ([columns = []]) => ({ columns, end: 1, rank: columns.length });

/** What a reader of CSV may choose. */
export interface CsvOptions {
  readonly chooseHeader?: ChooseHeader;
  readonly maxRecordLength?: number;
}

/**
 * Reads the records of a UTF-8 CSV with a header, delimited by comma, semicolon or tab. An invalid record is
 * reported and skipped. `checkColumns` may reject the header by throwing.
 * @throws {CommandError} when there is no header, or when the last line is cut off.
 */
export async function* readCsv(
  input: Input,
  checkColumns: (columns: readonly string[]) => void,
  { chooseHeader = firstRow, maxRecordLength = MAX_RECORD_LENGTH }: CsvOptions = {},
): AsyncGenerator<CsvRow> {
  const lines = createLineQueue(readLines(input.chunks()));
  const header = await readHeader(lines, input.name, chooseHeader);
  checkColumns(header.columns);
  for (let line = await lines.next(); line; line = await lines.next()) {
    if (textOf(line).trim() === "") continue;
    const record = await readRecord(line, lines, header.delimiter, maxRecordLength);
    const row = toRow(record, header);
    if ("rejected" in row && "isComplete" in record.last && !record.last.isComplete)
      throw new CommandError(
        `${input.name} ends in the middle of line ${record.last.number}: is it complete?`,
      );
    yield row;
  }
}

const textOf = (line: Line): string => ("text" in line ? line.text : line.raw);

type LineQueue = ReturnType<typeof createLineQueue>;

/** Lines that can be put back, to be read again in another way. */
function createLineQueue(source: AsyncGenerator<Line>) {
  let returned: readonly Line[] = [];
  let at = 0;
  return {
    async next(): Promise<Line | undefined> {
      const way = giveWay();
      if (way) await way;
      if (at < returned.length) return returned[at++];
      returned = [];
      at = 0;
      const line = await source.next();
      return line.done ? undefined : line.value;
    },
    giveBack(lines: readonly Line[]): void {
      returned = [...lines, ...returned.slice(at)];
      at = 0;
    },
  };
}

async function readHeader(lines: LineQueue, file: string, choose: ChooseHeader): Promise<CsvHeader> {
  const upper: Line[] = [];
  while (upper.length < UPPER_LINES) {
    const line = await lines.next();
    if (!line) break;
    if (upper.length > 0 || textOf(line).trim() !== "") upper.push(line);
  }
  const header = chooseCsvHeader(upper.map(textOf), choose);
  if (!header) throw new CommandError(`${file} is not CSV: its first line has no columns.`);
  lines.giveBack(upper.slice(header.end));
  const twice = header.columns.find(
    (column, index) => column !== "" && header.columns.indexOf(column) < index,
  );
  if (twice !== undefined) throw new CommandError(`${file} has two columns named "${twice}".`);
  return header;
}

interface RawRecord {
  readonly number: number;
  readonly text: string;
  readonly fields: readonly string[] | Rejection;
  readonly last: Line;
}

const NEVER_CLOSED: Rejection = { field: "line", reason: "a quote begins a field that never ends" };

/**
 * Reads the record that begins on a line. A quote that is never closed would swallow all that follows. Then
 * only its line is rejected, and the lines after it are put back.
 */
async function readRecord(
  first: Line,
  queue: LineQueue,
  delimiter: string,
  maxRecordLength: number,
): Promise<RawRecord> {
  const record = createCsvRecord(delimiter);
  const lines = [first];
  let length = textOf(first).length;
  let isClosed = record.addLine(textOf(first));
  while (!isClosed && length <= maxRecordLength) {
    const line = await queue.next();
    if (!line) break;
    lines.push(line);
    length += textOf(line).length + 1;
    isClosed = record.addLine(textOf(line));
  }
  const { number } = first;
  if (!isClosed) {
    queue.giveBack(lines.slice(1));
    return { number, text: textOf(first), fields: NEVER_CLOSED, last: first };
  }
  const problem = lines.find((line) => "problem" in line);
  const fields = problem ? toRejection(problem) : record.fields();
  return { number, text: lines.map(textOf).join("\n"), fields, last: lines.at(-1) ?? first };
}

const toRejection = ({ problem, value }: Extract<Line, { problem: string }>): Rejection => ({
  field: "line",
  reason: problem,
  value,
});

function toRow({ number, text, fields }: RawRecord, { columns }: CsvHeader): CsvRow {
  if ("reason" in fields) return { number, text, rejected: fields };
  const isLong = fields.slice(columns.length).some((field) => field.trim() !== "");
  if (fields.length < columns.length || isLong) {
    const value = `${fields.length} instead of ${columns.length}`;
    return { number, text, rejected: { field: "line", reason: "not as many fields as columns", value } };
  }
  const values: Record<string, string> = { __proto__: null } as never;
  for (const [index, column] of columns.entries()) values[column] = fields[index] ?? "";
  return { number, text, values };
}

/** The columns of a CSV and their delimiter. */
export interface CsvHeader {
  readonly delimiter: string;
  /** As written, without surrounding white space. */
  readonly columns: readonly string[];
  /** The index of the first line below it. */
  readonly end: number;
}

const DELIMITERS = [",", ";", "\t"];

/** How JSON begins. */
const JSON_START = /^\s*[[{]/;

/** Titles stand above a header, and cells of it may have several lines. */
const UPPER_LINES = 30;

/** Reads the first line of a text as the header of a CSV; `undefined` when it is JSON or has only one column. */
export const readCsvHeader = (text: string): CsvHeader | undefined =>
  chooseCsvHeader(text.replace(/^[\r\n]+/, "").split(/\r?\n/, 1), firstRow);

/** Chooses the header of a text that may be CSV; `undefined` as for `readCsvHeader`. */
export const findCsvHeader = (text: string, choose: ChooseHeader): CsvHeader | undefined =>
  chooseCsvHeader(text.replace(/^[\r\n]+/, "").split(/\r?\n/, UPPER_LINES), choose);

/** Chooses the header with the delimiter that gives the best; `undefined` when it is JSON or has only one column. */
function chooseCsvHeader(lines: readonly string[], choose: ChooseHeader): CsvHeader | undefined {
  if (lines[0] === undefined || JSON_START.test(lines[0])) return undefined;
  const found = DELIMITERS.map((delimiter) => {
    const rows = splitRows(lines, delimiter);
    const { columns, end, rank } = choose(rows.map(({ fields }) => fields));
    return { delimiter, columns, end: rows[end - 1]?.end ?? 0, rank };
  });
  const best = found.reduce((one, other) => (other.rank > one.rank ? other : one));
  return best.columns.length > 1 ? best : undefined;
}

/** The rows of the upper lines, each with the index of the first line below it. */
function splitRows(lines: readonly string[], delimiter: string) {
  const rows: { fields: string[]; end: number }[] = [];
  let record = createCsvRecord(delimiter);
  for (const [index, line] of lines.entries()) {
    const isWhole = record.addLine(line);
    // A quote that is never closed is one of a text.
    if (!isWhole && index < lines.length - 1) continue;
    rows.push({ fields: record.fields().map((field) => field.trim()), end: index + 1 });
    record = createCsvRecord(delimiter);
  }
  return rows;
}

const QUOTE = '"';

/**
 * A CSV record that grows line by line until no quoted field is open. Splits it according to RFC 4180, and tolerates what spreadsheets and people write: blanks before a
 * quote, and quotes inside a field that does not begin with one. Text after a closing quote belongs to its
 * field.
 */
export function createCsvRecord(delimiter: string) {
  const fields: string[] = [];
  /** The text so far of a quoted field that is not closed yet. */
  let open: string | undefined;

  /**
   * Reads on in a quoted field from `start`. Returns the index of the delimiter after it, or the line's
   * length.
   */
  const readQuoted = (line: string, start: number): number => {
    for (let from = start; ;) {
      const quote = line.indexOf(QUOTE, from);
      open = (open ?? "") + line.slice(from, quote === -1 ? undefined : quote);
      if (quote === -1) return line.length;
      if (line[quote + 1] !== QUOTE) {
        const end = endOfField(line, quote + 1);
        fields.push(open + line.slice(quote + 1, end).trimEnd());
        open = undefined;
        return end;
      }
      open += QUOTE;
      from = quote + 2;
    }
  };

  const endOfField = (line: string, from: number): number => {
    const end = line.indexOf(delimiter, from);
    return end === -1 ? line.length : end;
  };

  const readPlain = (line: string, start: number): number => {
    const end = endOfField(line, start);
    fields.push(line.slice(start, end));
    return end;
  };

  return {
    /** Adds a line without its line end. Returns true when the record is complete. */
    addLine(line: string): boolean {
      let at = 0;
      if (open !== undefined) {
        open += "\n";
        at = readQuoted(line, 0) + 1;
        if (at > line.length) return open === undefined;
      }
      for (; at <= line.length; at += 1) {
        const start = skipBlanks(line, at);
        at = line[start] === QUOTE ? readQuoted(line, start + 1) : readPlain(line, at);
      }
      return open === undefined;
    },
    /** The fields so far. */
    fields: () => fields,
  };
}

function skipBlanks(line: string, from: number): number {
  let at = from;
  while (line[at] === " ") at += 1;
  return at;
}

/** The fields of a record on a single line. */
export function splitCsvLine(line: string, delimiter: string): string[] {
  const record = createCsvRecord(delimiter);
  record.addLine(line);
  return record.fields();
}
