import { splitCsvLine } from "./csv-record.ts";

/** How the columns of a CSV are called and told apart. */
export interface CsvHeader {
  readonly delimiter: string;
  /** As written, but for white space around them. */
  readonly columns: readonly string[];
}

const DELIMITERS = [",", ";", "\t"];

/** What JSON begins with. */
const JSON_START = /^\s*[[{]/;

/**
 * The first line of a text read as the header of a CSV, by the delimiter that gives the most columns; `undefined` when it
 * is JSON or has but one column.
 */
export function readCsvHeader(text: string): CsvHeader | undefined {
  if (JSON_START.test(text)) return undefined;
  const [line = ""] = text.replace(/^[\r\n]+/, "").split(/\r?\n/, 1);
  const headers = DELIMITERS.map((delimiter) => {
    const columns = splitCsvLine(line, delimiter).map((column) => column.trim());
    return { delimiter, columns };
  });
  const widest = headers.reduce((best, header) =>
    header.columns.length > best.columns.length ? header : best,
  );
  return widest.columns.length > 1 ? widest : undefined;
}
