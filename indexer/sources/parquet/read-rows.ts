import type { DuckDBDataChunk, DuckDBResult, DuckDBConnection } from "@duckdb/node-api";
import { CommandError } from "../../../src/cli/errors.ts";
import type { Input } from "../input.ts";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { BoundingBox } from "../source.ts";
import type { Coordinates } from "../../../src/place/coordinates.ts";
import { resolve } from "node:path";

/** One row: its number in the file, counted from 1, and the wanted fields as a text of JSON. */
export interface ParquetRow {
  readonly number: number;
  readonly json: string;
}

export interface RowQuery {
  /** Names of the wanted fields, each with the expression that makes it. */
  readonly fields: ReadonlyMap<string, string>;
  readonly conditions: readonly string[];
}

/**
 * The SELECT of some rows. Their fields come as one JSON text: DuckDB writes it, and V8 reads it, several times faster than
 * nested values are taken out one by one, and with less memory.
 */
export function buildSelect(from: string, { fields, conditions }: RowQuery): string {
  const packed = [...fields].map(([name, expression]) => `${toIdentifier(name)} := ${expression}`);
  return `SELECT file_row_number, to_json(struct_pack(${packed.join(", ")})) FROM ${from} ${buildWhere(conditions)}`;
}

/** Some 65,000 rows: a collection takes less than a tenth of a second, the rows between two of them take seconds. */
const CHUNKS_PER_COLLECTION = 32;

/**
 * The rows that such a SELECT of a file gives, one after the other.
 * @throws {CommandError} when the file cannot be read on.
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
      const where = number === 0 ? "" : ` on after row ${number}`;
      throw new CommandError(`${input.name} cannot be read${where}: ${toReason(error)}.`, { cause: error });
    }
  }
}

/** A chunk of 2,048 rows taken at once would outlive the young part of V8's heap and pile up in the old. */
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
 * What makes V8 collect its garbage now. DuckDB's chunks and texts lie outside V8's heap and are let go when their handles are
 * collected; since V8 sees the small handles only, hundreds of megabytes pile up before it thinks of it.
 */
function createCollectGarbage(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}

/** A text in DuckDB's SQL. */
const toLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A name in DuckDB's SQL. */
export const toIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** DuckDB takes a path for a pattern: the one that means this file alone, whatever asterisks and brackets are in its name. */
const toPattern = (path: string): string => path.replaceAll(/[[*?]/g, "[$&]");

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
 * The position of a point in Well-Known Binary (OGC 06-103r4), of either byte order; Z and M are left aside. `undefined` for
 * any other geometry, an empty point and broken bytes.
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
 * @throws {CommandError} for a file that is no Parquet, is cut off, or has no path.
 */
export async function openParquetFile({ name, path }: Input): Promise<ParquetFile> {
  if (path === undefined)
    throw new CommandError(`${name} is Parquet, which can only be read from an uncompressed file.`);
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
    throw new CommandError(`${name} cannot be read as Parquet: ${toReason(error)}.`, { cause: error });
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
