import { ImportError } from "../import-error.ts";
import { readCsv } from "./csv.ts";
import { parseCoordinate, parseFlags, parseLabels } from "./foursquare/csv-cells.ts";
import { createFoursquareMapper } from "./foursquare/foursquare-mapper.ts";
import { FOURSQUARE_LAYOUT } from "./foursquare/parquet-layout.ts";
import type { Input } from "./input.ts";
import type { SourceContext, SourceItem } from "./source.ts";

/**
 * Foursquare OS Places as a CSV, with the names of its Parquet columns.
 * @throws {ImportError} for a header without those that every place needs.
 */
export async function* readFoursquareCsv(input: Input, context: SourceContext): AsyncGenerator<SourceItem> {
  const map = createFoursquareMapper(context);
  for await (const row of readCsv(input, (columns) => checkColumns(input.name, columns))) {
    const { number, text: record } = row;
    const position = { file: input.name, part: "line", number } as const;
    if ("rejected" in row) yield { position, record, rejected: row.rejected };
    else yield { ...map(toRecord(row.values), undefined, position), record };
  }
}

const REQUIRED = Object.keys(FOURSQUARE_LAYOUT.required);

/** Whether the header of a CSV is Foursquare's. */
export const isFoursquareHeader = ({ columns }: { readonly columns: readonly string[] }): boolean =>
  columns.includes("fsq_place_id");

function checkColumns(file: string, columns: readonly string[]): void {
  const missing = REQUIRED.filter((name) => !columns.includes(name));
  if (missing.length > 0)
    throw new ImportError(
      `${file} is no CSV of Foursquare OS Places, for want of ${missing.join(", ")}. It has ${columns.join(", ")}.`,
    );
}

const PARSERS: Readonly<Record<string, (cell: string) => unknown>> = {
  latitude: parseCoordinate,
  longitude: parseCoordinate,
  fsq_category_labels: parseLabels,
  unresolved_flags: parseFlags,
};

/** An empty cell is an unknown value. DuckDB and others write NULL for it. */
function toRecord(cells: Readonly<Record<string, string>>): Record<string, unknown> {
  const entries = Object.entries(cells).filter(([, cell]) => cell.trim() !== "" && cell !== "NULL");
  return Object.fromEntries(entries.map(([name, cell]) => [name, PARSERS[name]?.(cell) ?? cell]));
}
