import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { FileMark } from "../../src/meilisearch/manifest.ts";
import { CommandError } from "../../src/cli/errors.ts";
import { splitParts } from "./strings.ts";
import { readCsvHeader, splitCsvLine } from "../sources/csv.ts";

/** A row, with cells by their column's name. */
export interface TableRow {
  /** `kinds.csv:3` */
  readonly at: string;
  /** Trimmed, in composed Unicode; empty where there is none. */
  cell(column: string): string;
  /** The parts of a cell between semicolons. */
  list(column: string): string[];
  /** An error about a cell. */
  wrong(column: string, reason: string): CommandError;
}

const BYTE_ORDER_MARK = /^\uFEFF/;

/** @throws {CommandError} that names the file. */
export function readTextFile(path: string): string {
  try {
    return readFileSync(path, "utf8").replace(BYTE_ORDER_MARK, "");
  } catch (error) {
    throw new CommandError(`${path} could not be read: ${(error as Error).message}`);
  }
}

/** `Label_VI` is `label vi`, and so is `label (vi)`. */
const toColumn = (header: string): string =>
  header
    .toLowerCase()
    .replaceAll(/[_\s().-]+/g, " ")
    .trim();

/**
 * Reads small tables that a data team writes beside its places: CSV files with a header, of some of these columns; lines that begin
 * with # are comments.
 * @throws {CommandError} that names the file and, for a wrong header, the columns that there are.
 */
export function readTableFiles(
  paths: readonly string[],
  columns: readonly string[],
  required: readonly string[],
): { readonly rows: readonly TableRow[]; readonly files: readonly FileMark[] } {
  const tables = paths.map((path) => {
    const text = readTextFile(path);
    return { rows: readRows(path, text, columns, required), mark: { name: path, head: hash("sha1", text) } };
  });
  return { rows: tables.flatMap(({ rows }) => rows), files: tables.map(({ mark }) => mark) };
}

function readRows(
  path: string,
  text: string,
  columns: readonly string[],
  required: readonly string[],
): TableRow[] {
  const lines = text.split(/\r?\n/);
  const isFilled = (line: string): boolean => line.trim() !== "" && !line.startsWith("#");
  const first = lines.findIndex(isFilled);
  const header = readCsvHeader(lines[first] ?? "");
  const names = header?.columns.map(toColumn) ?? [];
  const unknown = names.find((name) => name !== "" && !columns.includes(name));
  const missing = required.find((name) => !names.includes(name));
  if (!header || unknown !== undefined || missing !== undefined) {
    const what = unknown === undefined ? `there is no column "${missing}"` : `"${unknown}" is no column`;
    throw new CommandError(`${path}:${first + 1}: ${what}. The columns are ${columns.join(", ")}.`);
  }
  return lines.flatMap((line, at) =>
    at > first && isFilled(line)
      ? [toRow(`${path}:${at + 1}`, names, splitCsvLine(line, header.delimiter))]
      : [],
  );
}

function toRow(at: string, names: readonly string[], fields: readonly string[]): TableRow {
  const cell = (column: string): string => (fields[names.indexOf(column)] ?? "").trim().normalize("NFC");
  return {
    at,
    cell,
    list: (column) => splitParts(cell(column), ";"),
    wrong: (column, reason) => new CommandError(`${at}: ${column}: ${reason}.`),
  };
}
