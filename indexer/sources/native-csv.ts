import { ImportError } from "../import-error.ts";
import { isRejection, type PlaceDraft, type Rejection } from "../place-draft.ts";
import { readCsv } from "./csv.ts";
import type { Input } from "./input.ts";
import { readCell } from "./native/csv-cells.ts";
import { CSV_COLUMNS, findColumn, missingColumns, type CsvColumn } from "./native/csv-columns.ts";
import { toNativeDraft } from "./native/native-place.ts";
import { parseOsmHours } from "./osm/opening-hours.ts";
import type { SourceContext, SourceItem } from "./source.ts";

/**
 * The native format as a CSV: one place a row, the columns of csv-columns.ts in any order.
 * @throws {ImportError} for a header without the columns that every place needs.
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
  if (problem !== undefined) throw new ImportError(`${file} ${problem}`);
}

/** What a header lacks that every place needs, what it has, and what it may have; `undefined` for one that is right. */
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

/** The record, but for hours in the syntax of OpenStreetMap, which it has no form for. */
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
      else setMember(record, column, value);
    }
  }
  if (days.length > 0) record["opening_hours"] ??= days;
  return { record, hours };
}

function setMember(record: Record<string, unknown>, { member }: CsvColumn, value: unknown): void {
  const names = member.split(".");
  const last = names.pop() ?? member;
  let parent = record;
  for (const name of names) parent = (parent[name] ??= {}) as Record<string, unknown>;
  parent[last] = value;
}
