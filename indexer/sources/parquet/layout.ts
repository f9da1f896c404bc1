import type { Coordinates } from "../../../src/place/coordinates.ts";
import type { Position, SourceContext, SourceItem } from "../source.ts";
import type { Bounds } from "./sql.ts";

/** Turns one record of a source into what the import goes on with. */
export type MapRecord = (
  record: unknown,
  coordinates: Coordinates | undefined,
  position: Position,
) => SourceItem;

/** What the columns of a Parquet file have to be so that it is read as a source's places. */
export interface ParquetLayout {
  /** As a person knows it. */
  readonly title: string;
  /** The columns without which there are no places, each with what its type in DuckDB begins with. */
  readonly required: Readonly<Record<string, RegExp>>;
  /** Those that are read where a file has them. */
  readonly optional: readonly string[];
  /** Columns that are read in another form than their own. */
  readonly expressions?: Readonly<Record<string, string>>;
  /** The column of the point, in Well-Known Binary. */
  readonly geometry?: string;
  /** What tells where a row is, as exactly as `slack` degrees; all of `needs` must be there. */
  readonly bounds: Bounds & { readonly needs: string; readonly slack: number };
  readonly createMapper: (context: SourceContext) => MapRecord;
}

/** The required columns that a file lacks, or has in another form. */
export function missingColumns(columns: ReadonlyMap<string, string>, layout: ParquetLayout): string[] {
  return Object.entries(layout.required)
    .filter(([name, type]) => !type.test(columns.get(name) ?? ""))
    .map(([name]) => (columns.has(name) ? `${name} (here of type ${shorten(columns.get(name))})` : name));
}

/** A type of a nested column may fill a page. */
const MAX_TYPE_LENGTH = 40;

const shorten = (type = ""): string =>
  type.length > MAX_TYPE_LENGTH ? `${type.slice(0, MAX_TYPE_LENGTH)}…` : type;
