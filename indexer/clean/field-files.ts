import * as v from "valibot";
import { MAX_FIELDS, ownFieldSchema, type OwnField } from "../../src/place/document/own-fields.ts";
import { readTableFiles, type TableRow } from "./team-tables.ts";

const COLUMNS = ["name", "type", "filter", "searched"];

/**
 * Reads the files of `--fields`: a table with a field in each row.
 * @throws {CommandError} that names the file, the line and the column.
 */
export function readFieldFiles(paths: readonly string[]) {
  const { rows, files } = readTableFiles(paths, COLUMNS, ["name", "type"]);
  const fields = new Map<string, OwnField>();
  for (const row of rows) {
    const field = toField(row);
    if (fields.has(field.name)) throw row.wrong("name", `${field.name} is there already`);
    if (fields.size === MAX_FIELDS) throw row.wrong("name", `there are more than ${MAX_FIELDS} fields`);
    fields.set(field.name, field);
  }
  return { fields: [...fields.values()], files };
}

const YES = /^(?:yes|true|x|1|có)$/i;
const NO = /^(?:no|false|0|không|)$/i;

function toField(row: TableRow): OwnField {
  const flag = (column: string): boolean => {
    const text = row.cell(column);
    if (!YES.test(text) && !NO.test(text)) throw row.wrong(column, `"${text}" is neither yes nor no`);
    return YES.test(text);
  };
  const field = {
    name: row.cell("name").replace(/^custom\./, ""),
    type: row.cell("type").toLowerCase(),
    filter: flag("filter"),
    searched: flag("searched"),
  };
  const checked = v.safeParse(ownFieldSchema, field);
  if (!checked.success) {
    const [issue] = checked.issues;
    const column = v.getDotPath(issue) ?? "name";
    const reason = column === "type" ? "is none of text, list, number, boolean, date" : issue.message;
    throw row.wrong(column, `"${String(issue.input)}" ${reason}`);
  }
  const { type, searched } = checked.output;
  if (searched && type !== "text" && type !== "list")
    throw row.wrong("searched", `a ${type} is not searched`);
  return checked.output;
}
