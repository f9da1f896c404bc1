import { CommandError } from "../../../src/cli/errors.ts";
import { isRejection, type NoteField } from "../../clean/place-draft.ts";
import { readCsv } from "../csv.ts";
import { readJsonList, TOP_LIST } from "../json.ts";
import { readJsonLines } from "../json-lines.ts";
import { readLines } from "../lines.ts";
import { asObject, type RecordFields } from "../record-fields.ts";
import type { Position, ReadSource, SourceItem } from "../source.ts";
import { toGoogleDraft, type GoogleRecord } from "./google-draft.ts";

/** One way in which places of Google Maps are stored. */
export interface GoogleForm {
  /** Converts one place. */
  readonly toRecord: (record: RecordFields) => GoogleRecord;
  /** The places of a value that may be a whole response. When undefined, each value is one place. */
  readonly placesIn?: (value: unknown) => unknown[];
}

/** Creates a reader of a JSON list. */
export function createListReader(form: GoogleForm): ReadSource {
  return async function* readList(input, { note }) {
    const count = createCounter(input.name);
    for await (const value of readJsonList(input, TOP_LIST)) {
      for (const place of placesOf(form, value)) yield toItem(form, place, { position: count(), note });
    }
  };
}

/** Creates a reader of JSON values one after the other. A bad one is rejected and skipped. */
export function createRecordsReader(form: GoogleForm): ReadSource {
  return async function* readRecords(input, { note }) {
    const count = createCounter(input.name);
    for await (const line of readJsonLines(readLines(input.chunks()), input.name)) {
      const ownPosition = { file: input.name, part: "line", number: line.number } as const;
      const nextPosition = (): Position => (form.placesIn ? count() : ownPosition);
      if ("rejected" in line) yield { position: nextPosition(), record: line.text, rejected: line.rejected };
      else
        for (const place of placesOf(form, line.value))
          yield toItem(form, place, { position: nextPosition(), note });
    }
  };
}

const placesOf = (form: GoogleForm, value: unknown): unknown[] => form.placesIn?.(value) ?? [value];

/** Counts places, since a response holds several. */
function createCounter(file: string): () => Position {
  let number = 0;
  return () => ({ file, part: "element", number: (number += 1) });
}

/** The same form as a table. */
interface TableForm extends GoogleForm {
  /** Describes what a header lacks; `undefined` for a valid one. */
  readonly problemOf: (columns: readonly string[]) => string | undefined;
  /** Converts the filled cells of a row to the fields of a record. */
  readonly toFields: (cells: ReadonlyMap<string, string>, note: NoteField) => Record<string, unknown>;
}

/** Creates a reader of a CSV. */
export function createTableReader(form: TableForm): ReadSource {
  return async function* readTable(input, { note }) {
    const checkColumns = (columns: readonly string[]): void => {
      const problem = form.problemOf(columns);
      if (problem !== undefined) throw new CommandError(`${input.name} ${problem}`);
    };
    for await (const row of readCsv(input, checkColumns)) {
      const position = { file: input.name, part: "line", number: row.number } as const;
      if ("rejected" in row) yield { position, record: row.text, rejected: row.rejected };
      else {
        const cells = new Map(Object.entries(row.values).filter(([, cell]) => cell.trim() !== ""));
        yield { ...toItem(form, form.toFields(cells, note), { position, note }), record: row.text };
      }
    }
  };
}

interface ItemContext {
  readonly position: Position;
  readonly note: NoteField;
}

function toItem(form: GoogleForm, record: unknown, { position, note }: ItemContext): SourceItem {
  const values = asObject(record);
  if (!values) return { position, record, rejected: { field: "record", reason: "not a JSON object" } };
  const draft = toGoogleDraft(form.toRecord({ values, path: "", note }), note);
  return isRejection(draft) ? { position, record, rejected: draft } : { position, record, draft };
}

/** Describes the columns that a table lacks: all of `required`, and one of `ids`; `undefined` for none. */
export function describeMissingColumns(
  source: string,
  columns: readonly string[],
  { required, ids }: { readonly required: readonly string[]; readonly ids: readonly string[] },
): string | undefined {
  const missing = required.filter((column) => !columns.includes(column));
  if (!ids.some((column) => columns.includes(column))) missing.push(`one of ${ids.join(", ")}`);
  return missing.length === 0 ? undefined : `lacks the columns of ${source}: ${missing.join(" and ")}.`;
}

/** Converts cells to fields, and parses those of the named columns as JSON. */
export function parseJsonCells(
  cells: ReadonlyMap<string, string>,
  jsonColumns: ReadonlySet<string>,
  note: NoteField,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [column, cell] of cells) {
    const value = jsonColumns.has(column) ? parseJson(cell) : cell;
    if (value === undefined) note(column, "not JSON, dropped");
    else fields[column] = value;
  }
  return fields;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
