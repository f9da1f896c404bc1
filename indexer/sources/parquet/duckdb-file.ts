import type { DuckDBConnection, DuckDBResult } from "@duckdb/node-api";
import { resolve } from "node:path";
import { ImportError } from "../../import-error.ts";
import type { Input } from "../input.ts";
import { toLiteral, toPattern } from "./sql.ts";

/** A Parquet file that is open in a DuckDB of its own. */
export interface ParquetFile {
  /** The columns by their names, each with its type in DuckDB's words. */
  readonly columns: ReadonlyMap<string, string>;
  readonly rowCount: number;
  /** For the FROM of a query; it also has `file_row_number`, counted from 0. */
  readonly from: string;
  /** @throws {Error} with DuckDB's message. */
  query(sql: string): Promise<DuckDBResult>;
  close(): void;
}

/**
 * One thread is faster than the places can be taken, and each needs its own decompressed pages. Nothing may be fetched from
 * the web on the way.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  threads: "1",
  autoinstall_known_extensions: "false",
  autoload_known_extensions: "false",
};

/** So much the reading of a usual file takes many times over; a file that wants more ends the import, not the machine. */
const MEMORY_LIMIT = "512MB";

/** Rows that wait for us to take them; the default is a megabyte. */
const STREAMING_BUFFER = "128KB";

/**
 * Opens a Parquet file. DuckDB is loaded here, so that other imports do not pay for it.
 * @throws {ImportError} for a file that is no Parquet, is cut off, or has no path.
 */
export async function openParquetFile({ name, path }: Input): Promise<ParquetFile> {
  if (path === undefined) throw new ImportError(`${name} is Parquet, which is read from a plain file only.`);
  const file = resolve(path);
  const connection = await connect(file);
  try {
    const pattern = toLiteral(toPattern(file));
    const from = `read_parquet(${pattern}, file_row_number = true)`;
    const columns = await readTable(connection, `DESCRIBE SELECT * FROM read_parquet(${pattern})`);
    const [[rowCount] = []] = await readTable(
      connection,
      `SELECT num_rows FROM parquet_file_metadata(${pattern})`,
    );
    return {
      columns: new Map(columns.map(([column = "", type = ""]) => [column, type])),
      rowCount: Number(rowCount ?? 0),
      from,
      query: (sql) => queryOnce(connection, sql),
      close: () => connection.closeSync(),
    };
  } catch (error) {
    connection.closeSync();
    throw new ImportError(`${name} cannot be read as Parquet: ${toReason(error)}.`, { cause: error });
  }
}

/** A small result, as texts. */
async function readTable(connection: DuckDBConnection, sql: string): Promise<string[][]> {
  const rows = await (await connection.run(sql)).getRowsJS();
  return rows.map((row) => row.map((value) => (typeof value === "object" ? "" : String(value))));
}

/** What a person writes behind --where reaches this file and nothing else. */
async function connect(file: string): Promise<DuckDBConnection> {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:", { ...SETTINGS, memory_limit: MEMORY_LIMIT });
  const connection = await instance.connect();
  await connection.run(`SET streaming_buffer_size = ${toLiteral(STREAMING_BUFFER)}`);
  await connection.run(`SET allowed_paths = [${toLiteral(file)}, ${toLiteral(toPattern(file))}]`);
  await connection.run("SET enable_external_access = false");
  await connection.run("SET lock_configuration = true");
  return connection;
}

/** A condition that somebody wrote may hold a semicolon; what follows it would be run as well. */
async function queryOnce(connection: DuckDBConnection, sql: string): Promise<DuckDBResult> {
  const { count } = await connection.extractStatements(sql);
  if (count !== 1) throw new Error("it is more than one statement");
  return connection.stream(sql);
}

/** What DuckDB says, without its copy of the query and its advice on settings. */
export function toReason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [text = ""] = message.split(/\n\n(?:LINE |Possible solutions)/, 1);
  return text
    .replaceAll(/\s*\n\s*/g, " ")
    .replace(/[.!]$/, "")
    .trim();
}
