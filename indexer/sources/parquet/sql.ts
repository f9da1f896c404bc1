import type { BoundingBox } from "../source-filter.ts";

/** A text in DuckDB's SQL. */
export const toLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A name in DuckDB's SQL. */
export const toIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** DuckDB takes a path for a pattern: the one that means this file alone, whatever asterisks and brackets are in its name. */
export const toPattern = (path: string): string => path.replaceAll(/[[*?]/g, "[$&]");

/** Expressions for the least and greatest longitude and latitude of a row: both the same where it has a point only. */
export interface Bounds {
  readonly west: string;
  readonly south: string;
  readonly east: string;
  readonly north: string;
}

/** True for the rows that touch the box. */
export function buildBoxCondition(box: BoundingBox, bounds: Bounds): string {
  const isEastOf = `${bounds.east} >= ${box.west}`;
  const isWestOf = `${bounds.west} <= ${box.east}`;
  const fits = box.west <= box.east ? `${isEastOf} AND ${isWestOf}` : `(${isEastOf} OR ${isWestOf})`;
  return `${bounds.north} >= ${box.south} AND ${bounds.south} <= ${box.north} AND ${fits}`;
}

/** The conditions of a WHERE, or nothing. A condition may end in a comment, so each ends its line. */
export const buildWhere = (conditions: readonly string[]): string =>
  conditions.length > 0 ? `WHERE ${conditions.map((condition) => `(${condition}\n)`).join(" AND ")}` : "";
