import type * as DuckDb from "@duckdb/node-api";
import type { DuckDBDataChunk, DuckDBResult, DuckDBConnection } from "@duckdb/node-api";
import { createRequire } from "node:module";
import { CommandError } from "../../../src/cli/errors.ts";
import { fetchPackages } from "../../../src/cli/fetch-packages.ts";
import { giveWay } from "../../../src/cli/interruption.ts";
import type { Input } from "../input.ts";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { BoundingBox, Position, SourceContext, SourceItem } from "../source.ts";
import type { Coordinates } from "../../../src/place/geometry/coordinates.ts";
import { join, resolve } from "node:path";
import { onFirstUse } from "../../large-libraries.ts";

/** One row: its number in the file, counted from 1, and the requested fields as JSON. */
export interface ParquetRow {
  readonly number: number;
  readonly json: string;
}

export interface RowQuery {
  /** Names of the requested fields, each with its SQL expression. */
  readonly fields: ReadonlyMap<string, string>;
  readonly conditions: readonly string[];
}

/**
 * Builds a SELECT that returns the fields as one JSON text. Writing it in DuckDB and parsing it in V8 is
 * several times faster than reading nested values one by one, and takes less memory.
 */
export function buildSelect(from: string, { fields, conditions }: RowQuery): string {
  const packed = [...fields].map(([name, expression]) => `${toIdentifier(name)} := ${expression}`);
  return `SELECT file_row_number, to_json(struct_pack(${packed.join(", ")})) FROM ${from} ${buildWhere(conditions)}`;
}

/** Some 65,000 rows. A collection takes less than a tenth of a second; the rows between two take seconds. */
const CHUNKS_PER_COLLECTION = 32;

/**
 * Yields the rows of such a SELECT, one after the other.
 * @throws {CommandError} when reading the file fails.
 */
export async function* readRows(
  input: Input,
  { rowCount }: ParquetFile,
  result: DuckDBResult,
): AsyncGenerator<ParquetRow> {
  const { totalBytes = 0 } = input;
  const collectGarbage = createCollectGarbage();
  let number = 0;
  let chunks = 0;
  for (let chunk = await fetchChunk(); chunk; chunk = await fetchChunk()) {
    for (const row of rowsOf(chunk)) {
      number = row.number;
      yield row;
      const way = giveWay();
      if (way) await way;
    }
    chunk.reset();
    chunks += 1;
    if (chunks % CHUNKS_PER_COLLECTION === 0) collectGarbage();
    input.setBytesRead(Math.floor((number / Math.max(1, rowCount)) * totalBytes));
  }
  input.setBytesRead(totalBytes);

  async function fetchChunk(): Promise<DuckDBDataChunk | undefined> {
    try {
      const chunk = await result.fetchChunk();
      return chunk && chunk.rowCount > 0 ? chunk : undefined;
    } catch (error) {
      input.signal.throwIfAborted();
      const where = number === 0 ? "" : ` on after row ${number}`;
      throw new CommandError(`${input.name} cannot be read${where}: ${toReason(error)}.`, { cause: error });
    }
  }
}

/** A whole chunk of 2,048 rows would outlive V8's young generation and fill the old one. */
const ROWS_AT_ONCE = 64;

function* rowsOf(chunk: DuckDBDataChunk): Generator<ParquetRow> {
  for (let start = 0; start < chunk.rowCount; start += ROWS_AT_ONCE) {
    const count = Math.min(ROWS_AT_ONCE, chunk.rowCount - start);
    const numbers = chunk.getColumnVector(0).slice(start, count);
    const texts = chunk.getColumnVector(1).slice(start, count);
    for (let index = 0; index < count; index += 1) {
      yield { number: Number(numbers.getItem(index)) + 1, json: String(texts.getItem(index)) };
    }
  }
}

/**
 * Creates a function that makes V8 collect garbage. DuckDB's chunks and texts lie outside V8's heap and are
 * freed when their handles are collected. V8 sees only the small handles, so without this hundreds of
 * megabytes pile up.
 */
function createCollectGarbage(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}

/** Quotes a text for DuckDB's SQL. */
const toLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Quotes a name for DuckDB's SQL. */
export const toIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** DuckDB treats a path as a pattern. This escapes it, so that it matches this file alone. */
const toPattern = (path: string): string => path.replaceAll(/[[*?]/g, "[$&]");

/**
 * Expressions for the smallest and largest longitude and latitude of a row. For a point, both are the same.
 */
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

/** Builds a WHERE clause, or nothing. A condition may end in a comment, so each ends with a line break. */
const buildWhere = (conditions: readonly string[]): string =>
  conditions.length > 0 ? `WHERE ${conditions.map((condition) => `(${condition}\n)`).join(" AND ")}` : "";

const POINT = 1;

/** The extended form of PostGIS marks Z, M and a reference system with the upper bits of the type. */
const EXTENDED_FLAGS = 0xe000_0000;
const HAS_REFERENCE_SYSTEM = 0x2000_0000;

/** ISO adds 1000 to the type of a geometry with Z, 2000 with M, 3000 with both. */
const ISO_STEP = 1000;

const HEADER_BYTES = 5;
const REFERENCE_SYSTEM_BYTES = 4;
const POINT_BYTES = 16;

/**
 * Parses the position of a point in Well-Known Binary (OGC 06-103r4), in either byte order. Ignores Z and M.
 * `undefined` for any other geometry, an empty point and invalid bytes.
 */
export function parseWkbPoint(bytes: Uint8Array): Coordinates | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLittleEndian = view.getUint8(0) === 1;
  const type = view.getUint32(1, isLittleEndian);
  const start = HEADER_BYTES + (type & HAS_REFERENCE_SYSTEM ? REFERENCE_SYSTEM_BYTES : 0);
  if ((type & ~EXTENDED_FLAGS) % ISO_STEP !== POINT || bytes.length < start + POINT_BYTES) return undefined;
  const longitude = view.getFloat64(start, isLittleEndian);
  const latitude = view.getFloat64(start + POINT_BYTES / 2, isLittleEndian);
  return Number.isNaN(latitude) || Number.isNaN(longitude) ? undefined : { latitude, longitude };
}

/** A Parquet file, opened in a separate DuckDB. */
export type ParquetFile = Awaited<ReturnType<typeof openParquetFile>>;

/**
 * A single thread reads faster than the places are processed, and each thread needs more decompressed pages.
 * Nothing may be downloaded.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  threads: "1",
  autoinstall_known_extensions: "false",
  autoload_known_extensions: "false",
};

/**
 * Many times what reading a usual file takes. A file that needs more fails the import instead of exhausting
 * the machine.
 */
const MEMORY_LIMIT = "512MB";

/** Rows that wait to be read. The default is a megabyte. */
const STREAMING_BUFFER = "128KB";

/**
 * Opens a Parquet file. Loads DuckDB only here, so that other imports do not have to.
 * @throws {CommandError} for a file that is not Parquet, is cut off, or has no path.
 */
export async function openParquetFile({ name, path, signal }: Input) {
  if (path === undefined)
    throw new CommandError(`${name} is Parquet, which can only be read from an uncompressed file.`);
  const file = resolve(path);
  const connection = await connect(file);
  // A condition may let DuckDB search for minutes.
  const interrupt = (): void => connection.interrupt();
  signal.addEventListener("abort", interrupt);
  const close = (): void => {
    signal.removeEventListener("abort", interrupt);
    connection.closeSync();
  };
  try {
    const pattern = toLiteral(toPattern(file));
    const from = `read_parquet(${pattern}, file_row_number = true)`;
    const columns = await readTable(connection, `DESCRIBE SELECT * FROM read_parquet(${pattern})`);
    const [[rowCount] = []] = await readTable(
      connection,
      `SELECT num_rows FROM parquet_file_metadata(${pattern})`,
    );
    return {
      /** The columns by name, each with its DuckDB type. */
      columns: new Map(columns.map(([column = "", type = ""]) => [column, type])),
      rowCount: Number(rowCount ?? 0),
      /** The source for FROM in a query. It also has `file_row_number`, counted from 0. */
      from,
      /** @throws {Error} with DuckDB's message. */
      query: (sql: string) => queryOnce(connection, sql),
      close,
    };
  } catch (error) {
    close();
    throw new CommandError(`${name} cannot be read as Parquet: ${toReason(error)}.`, { cause: error });
  }
}

/** A small result, as texts. */
async function readTable(connection: DuckDBConnection, sql: string): Promise<string[][]> {
  const rows = await (await connection.run(sql)).getRowsJS();
  return rows.map((row) => row.map((value) => (typeof value === "object" ? "" : String(value))));
}

const DOWNLOAD = {
  name: "duckdb",
  title: "DuckDB (24 MB), which reads Parquet files",
  source: new URL("duckdb/", import.meta.url),
} as const;

/** The library is 71 MB, and only files in this format need it: it is downloaded for the first of them, where it is not installed. */
const duckDb = onFirstUse(async (): Promise<typeof DuckDb> => {
  try {
    return await import("@duckdb/node-api");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
  }
  const modules = await fetchPackages(DOWNLOAD).catch((error: unknown) => {
    const reason = toReason(error);
    throw new CommandError(`Parquet files need DuckDB, and npm could not download it: ${reason}.`, {
      cause: error,
    });
  });
  return createRequire(join(modules, "/"))("@duckdb/node-api") as typeof DuckDb;
});

/** Restricts a condition from --where to this file. */
async function connect(file: string): Promise<DuckDBConnection> {
  const { DuckDBInstance } = await duckDb();
  const instance = await DuckDBInstance.create(":memory:", { ...SETTINGS, memory_limit: MEMORY_LIMIT });
  const connection = await instance.connect();
  await connection.run(`SET streaming_buffer_size = ${toLiteral(STREAMING_BUFFER)}`);
  await connection.run(`SET allowed_paths = [${toLiteral(file)}, ${toLiteral(toPattern(file))}]`);
  await connection.run("SET enable_external_access = false");
  await connection.run("SET lock_configuration = true");
  return connection;
}

/** Runs a single statement: a condition may contain a semicolon, and the text after it would run as well. */
async function queryOnce(connection: DuckDBConnection, sql: string): Promise<DuckDBResult> {
  const { count } = await connection.extractStatements(sql);
  if (count !== 1) throw new Error("it is more than one statement");
  return connection.stream(sql);
}

/** DuckDB's message, without its copy of the query and its advice on settings. */
export function toReason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [text = ""] = message.split(/\n\n(?:LINE |Possible solutions)/, 1);
  return text.replaceAll(/\s+/g, " ").replace(/[.!]$/, "").trim();
}

/** Converts one record of a source to an item of the import. */
export type MapRecord = (
  record: unknown,
  coordinates: Coordinates | undefined,
  position: Position,
) => SourceItem;

/** The columns of a Parquet file that holds a source's places. */
export interface ParquetLayout {
  /** The name of the source, for messages. */
  readonly title: string;
  /** The required columns, each with the beginning of its DuckDB type. */
  readonly required: Readonly<Record<string, RegExp>>;
  /** Columns that are read when a file has them. */
  readonly optional: readonly string[];
  /** Columns that are converted before they are read. */
  readonly expressions?: Readonly<Record<string, string>>;
  /** The column with the point, in Well-Known Binary. */
  readonly geometry?: string;
  /** Columns with the location of a row, accurate to `slack` degrees. All columns in `needs` must exist. */
  readonly bounds: Bounds & { readonly needs: string; readonly slack: number };
  readonly createMapper: (context: SourceContext) => MapRecord;
}
