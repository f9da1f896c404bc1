import type { NoteField } from "../../clean/place-draft.ts";
import { parseJson } from "../json.ts";
import { toItem, type CreateMapper } from "../readers.ts";
import { asObject, type RecordFields } from "../record-fields.ts";
import { toGoogleDraft, type GoogleRecord } from "./google-draft.ts";

/** Creates a mapper of places of Google Maps in one of their forms. */
export const createGoogleMapper =
  (toRecord: (record: RecordFields) => GoogleRecord): CreateMapper =>
  ({ note }) =>
  (value, position) => {
    const values = asObject(value);
    if (!values) return { position, rejected: { field: "record", reason: "not a JSON object" } };
    return toItem(toGoogleDraft(toRecord({ values, path: "", note }), note), position);
  };

/** Creates a mapper of the rows of a table, whose filled cells `toFields` converts to the fields of a record. */
export const createRowMapper =
  (
    toRecord: (record: RecordFields) => GoogleRecord,
    toFields: (cells: ReadonlyMap<string, string>, note: NoteField) => Record<string, unknown>,
  ): CreateMapper<Readonly<Record<string, string>>> =>
  (context) => {
    const map = createGoogleMapper(toRecord)(context);
    return (row, position) => {
      const cells = new Map(Object.entries(row).filter(([, cell]) => cell.trim() !== ""));
      return map(toFields(cells, context.note), position);
    };
  };

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
