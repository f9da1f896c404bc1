import type { NoteField } from "../../place-draft.ts";

const REQUIRED_COLUMNS = ["title", "latitude", "longitude"];

/** One of them says which place a row is. */
const ID_COLUMNS = ["data_id", "place_id", "cid", "link"];

/** What a header lacks that every row needs; `undefined` for one that is right. */
export function problemOfGosomHeader(columns: readonly string[]): string | undefined {
  const missing = REQUIRED_COLUMNS.filter((column) => !columns.includes(column));
  if (!ID_COLUMNS.some((column) => columns.includes(column))) missing.push(`one of ${ID_COLUMNS.join(", ")}`);
  if (missing.length === 0) return undefined;
  return `lacks the columns of gosom/google-maps-scraper: ${missing.join(" and ")}.`;
}

/** The columns that hold JSON. `menu`, `owner` and the like do too, but nothing of them is kept. */
const JSON_COLUMNS: ReadonlySet<string> = new Set(
  "open_hours popular_times images complete_address about user_reviews user_reviews_extended".split(" "),
);

/** A row as a record of the JSON form: empty cells are left out, nested ones read. */
export function readGosomCells(
  row: Readonly<Record<string, string>>,
  note: NoteField,
): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [column, cell] of Object.entries(row)) {
    if (cell.trim() === "") continue;
    const value = JSON_COLUMNS.has(column) ? parseCell(cell) : cell;
    if (value === undefined) note(column, "not JSON, dropped");
    else record[column] = value;
  }
  return record;
}

function parseCell(cell: string): unknown {
  try {
    return JSON.parse(cell) as unknown;
  } catch {
    return undefined;
  }
}
