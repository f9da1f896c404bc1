import type { DuckDBResult } from "@duckdb/node-api";
import { CommandError } from "../../../src/cli/errors.ts";
import { FOURSQUARE_LAYOUT } from "../foursquare/foursquare.ts";
import type { Input } from "../input.ts";
import { OVERTURE_LAYOUT } from "../overture/overture.ts";
import {
  openParquetFile,
  toReason,
  type ParquetFile,
  buildSelect,
  readRows,
  type ParquetRow,
  type RowQuery,
  buildBoxCondition,
  toIdentifier,
  parseWkbPoint,
  type ParquetLayout,
} from "./read-rows.ts";
import type { Format, SourceFilter, SourceContext, SourceItem } from "../source.ts";

const MAGIC = "PAR1";

/** Whether a file begins like a Parquet file. */
const isParquet = ({ bytes }: { readonly bytes: Buffer }): boolean =>
  bytes.toString("latin1", 0, MAGIC.length) === MAGIC;

/** A format of Parquet files: those with one of some layouts. */
type ParquetFormat = Pick<Format, "looksLike" | "needsPath" | "takesWhere" | "problemWithin" | "read">;

const createFormat = (layouts: readonly ParquetLayout[]): ParquetFormat => ({
  looksLike: isParquet,
  needsPath: true,
  takesWhere: true,
  problemWithin: (input, { filter }) => problemOf(input, layouts, filter),
  read: (input, context) => readByLayout(input, context, layouts),
});

/** Places of Overture or Foursquare in Parquet. The columns show which it is. */
export const ANY_PARQUET = createFormat([OVERTURE_LAYOUT, FOURSQUARE_LAYOUT]);
export const OVERTURE_PARQUET = createFormat([OVERTURE_LAYOUT]);
export const FOURSQUARE_PARQUET = createFormat([FOURSQUARE_LAYOUT]);

/** @throws {CommandError} for a file that cannot be read, and for an invalid condition. */
async function problemOf(
  input: Input,
  layouts: readonly ParquetLayout[],
  filter: SourceFilter,
): Promise<string | undefined> {
  const file = await openParquetFile(input);
  try {
    const layout = findLayout(file.columns, layouts);
    if (!layout) return describeMisfit(file.columns, layouts);
    if (filter.where !== undefined) await startQuery(input.name, file, layout, filter);
    return undefined;
  } finally {
    file.close();
  }
}

const findLayout = (
  columns: ReadonlyMap<string, string>,
  layouts: readonly ParquetLayout[],
): ParquetLayout | undefined => layouts.find((layout) => missingColumns(columns, layout).length === 0);

/**
 * @throws {CommandError} for a file that cannot be read or has other columns, and for an invalid condition.
 */
async function* readByLayout(
  input: Input,
  context: SourceContext,
  layouts: readonly ParquetLayout[],
): AsyncGenerator<SourceItem> {
  const file = await openParquetFile(input);
  try {
    const layout = findLayout(file.columns, layouts);
    if (!layout) throw new CommandError(`${input.name} ${describeMisfit(file.columns, layouts)}`);
    const rows = await startQuery(input.name, file, layout, context.filter ?? {});
    const toItem = createToItem(input.name, layout, context);
    for await (const row of readRows(input, file, rows)) yield toItem(row);
  } finally {
    file.close();
  }
}

async function startQuery(
  name: string,
  file: ParquetFile,
  layout: ParquetLayout,
  filter: SourceFilter,
): Promise<DuckDBResult> {
  try {
    return await file.query(buildSelect(file.from, buildQuery(file, layout, filter)));
  } catch (error) {
    const what = filter.where === undefined ? name : `${name} with --where "${filter.where}"`;
    throw new CommandError(`Cannot read ${what}: ${toReason(error)}.`, { cause: error });
  }
}

function buildQuery(file: ParquetFile, layout: ParquetLayout, { bbox, where }: SourceFilter): RowQuery {
  const { needs, slack, ...bounds } = layout.bounds;
  const names = [...Object.keys(layout.required), ...layout.optional].filter((name) =>
    file.columns.has(name),
  );
  const conditions = where === undefined ? [] : [where];
  if (bbox && file.columns.has(needs)) {
    const { west, south, east, north } = bbox;
    const wider = { west: west - slack, south: south - slack, east: east + slack, north: north + slack };
    conditions.push(buildBoxCondition(wider, bounds));
  }
  return {
    fields: new Map(names.map((name) => [name, toExpression(name, file, layout)])),
    conditions,
  };
}

/**
 * Reads a geometry as the hexadecimal digits of its Well-Known Binary, whether DuckDB sees a geometry or
 * bytes.
 */
function toExpression(name: string, { columns }: ParquetFile, layout: ParquetLayout): string {
  const column = toIdentifier(name);
  if (name !== layout.geometry) return layout.expressions?.[name] ?? column;
  return columns.get(name)?.startsWith("GEOMETRY") ? `hex(ST_AsWKB(${column}))` : `hex(${column})`;
}

function createToItem(
  file: string,
  layout: ParquetLayout,
  context: SourceContext,
): (row: ParquetRow) => SourceItem {
  const map = layout.createMapper(context);
  return ({ number, json }) => {
    const position = { file, part: "row", number } as const;
    try {
      const values = JSON.parse(json) as Record<string, unknown>;
      const digits = values[layout.geometry ?? ""];
      const point = typeof digits === "string" ? parseWkbPoint(Buffer.from(digits, "hex")) : undefined;
      return { ...map(values, point, position), record: json };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      // JSON has no form for these numbers, but DuckDB writes them anyway.
      return {
        position,
        record: json,
        rejected: { field: "row", reason: "holds NaN or an infinite number" },
      };
    }
  };
}

/** Limits the list of columns in a message: a table may have hundreds. */
const MAX_COLUMNS = 40;

function describeMisfit(columns: ReadonlyMap<string, string>, layouts: readonly ParquetLayout[]): string {
  const misfits = layouts.map(
    (layout) => `not ${layout.title}, because it lacks ${missingColumns(columns, layout).join(", ")}`,
  );
  const found = [...columns.keys()].slice(0, MAX_COLUMNS).join(", ");
  const more = columns.size > MAX_COLUMNS ? ` and ${columns.size - MAX_COLUMNS} more` : "";
  return `is Parquet with other columns: ${misfits.join("; ")}. It has ${found}${more}.`;
}

/** The required columns that a file lacks, or has with another type. */
function missingColumns(columns: ReadonlyMap<string, string>, layout: ParquetLayout): string[] {
  return Object.entries(layout.required)
    .filter(([name, type]) => !type.test(columns.get(name) ?? ""))
    .map(([name]) => (columns.has(name) ? `${name} (here of type ${shorten(columns.get(name))})` : name));
}

/** The type of a nested column may fill a page. */
const MAX_TYPE_LENGTH = 40;

const shorten = (type = ""): string =>
  type.length > MAX_TYPE_LENGTH ? `${type.slice(0, MAX_TYPE_LENGTH)}…` : type;
