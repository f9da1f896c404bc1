import type { SqlCall, SqlTarget } from "./senders.ts";
import type { AutocompleteRequest, BenchRequest, SearchRequest } from "./requests.ts";
import { listProcessTree } from "./process-usage.ts";
import type { RunningSystem } from "./system.ts";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import postgres from "postgres";
import type { Sql } from "postgres";
import type { BuildOptions, BuildResult } from "./builds.ts";
import { type NativePlace, readBatches } from "./dataset.ts";
import { chownSync, existsSync, readFileSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findExecutable } from "../../src/local-engines/meilisearch-process.ts";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { totalmem } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePorts } from "../../src/local-engines/own-engines.ts";

/** A point from two parameters of the statement. */
const pointOf = (longitude: string, latitude: string): string =>
  `st_setsrid(st_makepoint(${longitude}, ${latitude}), 4326)::geography`;

/**
 * The best of six queries for a name that were tried: similar words anywhere, the nearest of equals first.
 * Restricting it to 20 km is slower: the planner underestimates how many points a circle holds, and reads
 * them all.
 */
const similarTo = (column: string): string => `
  select place::text from places where fold($1) <% ${column}
  order by word_similarity(fold($1), ${column}) desc, point <-> ${pointOf("$2", "$3")} limit 20`;

const BY_NAME = similarTo("folded_names");
const BY_ADDRESS = similarTo("folded_address");

/** The database knows no category words. It gets the code, and only has to find the nearest places. */
const BY_TYPE = `
  select place::text from places where type = $1 order by point <-> ${pointOf("$2", "$3")} limit 20`;

const BY_PREFIX = `
  select place::text from places where folded_title like fold($1) || '%'
  order by point <-> ${pointOf("$2", "$3")} limit 4`;

const NEAREST = `select place::text from places order by point <-> ${pointOf("$1", "$2")} limit 20`;

const BY_ID = "select place::text from places where id = $1";

/** PostgreSQL with PostGIS, pg_trgm and unaccent on the cluster of the folder. */
export async function startPostgis(folder: string): Promise<RunningSystem> {
  const { target, pid, stop } = await startPostgres(folder);
  return { stop, system: { name: "postgis", target, toCall, enginePids: () => listProcessTree(pid) } };
}

function toCall(request: BenchRequest): SqlCall {
  if (request.operation === "detail") return { via: "sql", text: BY_ID, values: [request.dataId] };
  const { latitude, longitude } = request.centre;
  if (request.operation === "nearby") return { via: "sql", text: NEAREST, values: [longitude, latitude] };
  const { statement, value } = request.operation === "search" ? searchFor(request) : prefixOf(request);
  return { via: "sql", text: statement, values: [value, longitude, latitude] };
}

interface Question {
  readonly statement: string;
  readonly value: string;
}

function searchFor({ kind, text, type }: SearchRequest): Question {
  if (kind === "category" && type !== undefined) return { statement: BY_TYPE, value: type };
  return { statement: kind === "address" ? BY_ADDRESS : BY_NAME, value: text };
}

/** Escapes LIKE's wildcards: people do not type them, but some names contain them. */
const prefixOf = ({ text }: AutocompleteRequest): Question => ({
  statement: BY_PREFIX,
  value: text.replaceAll(/[\\%_]/g, "\\$&"),
});

/** Raise this when the table or its indexes change, so that older ones are not reused. */
export const POSTGIS_FORM = 1;

const BATCH_SIZE = 1_000;

const EXTENSIONS = ["postgis", "pg_trgm", "unaccent", "btree_gist"];

/**
 * Stored columns save every query the folding and the point, which an index on an expression would compute
 * again.
 */
const TABLE = `
create function fold(text) returns text language sql immutable strict parallel safe
  as $$ select lower(public.unaccent('public.unaccent', $1)) $$;
create table places (
  id text not null,
  title text not null,
  names text not null,
  address text not null,
  type text not null,
  longitude float8 not null,
  latitude float8 not null,
  place jsonb not null,
  folded_title text generated always as (fold(title)) stored,
  folded_names text generated always as (fold(names)) stored,
  folded_address text generated always as (fold(address)) stored,
  point geography(point, 4326)
    generated always as (st_setsrid(st_makepoint(longitude, latitude), 4326)::geography) stored
);`;

const INDEXES = `
alter table places add primary key (id);
create index on places using gin (folded_names gin_trgm_ops);
create index on places using gin (folded_address gin_trgm_ops);
create index on places using btree (folded_title text_pattern_ops);
create index on places using gist (point);
create index on places using gist (type, point);
vacuum (analyze) places;`;

/**
 * Builds a typical PostGIS table: trigrams of folded names, and points in a GiST index. The folder becomes a
 * separate cluster.
 * @throws {PostgisMissing} when PostgreSQL or one of the extensions is not installed.
 */
export async function buildPostgisTable({ file, folder, signal }: BuildOptions): Promise<BuildResult> {
  const server = await startPostgres(folder);
  const sql = connectTo(server.target);
  try {
    const startedAt = performance.now();
    await checkExtensions(sql);
    await sql.unsafe(EXTENSIONS.map((name) => `create extension ${name};`).join("\n") + TABLE).simple();
    const rows = await sql`
      copy places (id, title, names, address, type, longitude, latitude, place) from stdin`.writable();
    await pipeline(Readable.from(toCopyLines(readBatches(file, { size: BATCH_SIZE, signal }))), rows);
    for (const statement of INDEXES.split(";").filter((text) => text.trim() !== ""))
      await sql.unsafe(statement);
    const seconds = (performance.now() - startedAt) / 1_000;
    const [size] = await sql`select pg_total_relation_size('places')::float8 as bytes`;
    return { seconds, bytes: Number(size?.["bytes"]) };
  } finally {
    await sql.end();
    await server.stop();
  }
}

async function checkExtensions(sql: Sql): Promise<void> {
  const known = await sql`select name from pg_available_extensions where name in ${sql(EXTENSIONS)}`;
  const missing = EXTENSIONS.filter((name) => !known.some((row) => row["name"] === name));
  if (missing.length > 0) throw new PostgisMissing(`PostgreSQL lacks ${missing.join(" and ")}`);
}

async function* toCopyLines(batches: AsyncIterable<NativePlace[]>): AsyncGenerator<string> {
  for await (const batch of batches) yield batch.map(toCopyLine).join("");
}

function toCopyLine(place: NativePlace): string {
  const { data_id, title, alternate_names = [], type, location } = place;
  const { longitude, latitude, address } = location;
  const names = [title, ...alternate_names].join(" ");
  const columns = [data_id, title, names, address.full, type, longitude, latitude, JSON.stringify(place)];
  return `${columns.map((column) => escapeCopyText(String(column))).join("\t")}\n`;
}

/** The text format of COPY: backslashes, tabs and ends of lines are written with a backslash. */
function escapeCopyText(text: string): string {
  return text
    .replaceAll("\\", "\\\\")
    .replaceAll("\t", "\\t")
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r");
}

/** Where Debian keeps each version's programs; only the client is on the PATH there. */
const DEBIAN_FOLDER = "/usr/lib/postgresql";

/** The user that Debian's package makes for the server. */
const SERVER_USER = "postgres";

/** The folder of `initdb` and `postgres`, the newest version first; undefined when no server is installed. */
function findPostgresFolder(): string | undefined {
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER) : [];
  const onPath = findExecutable("postgres");
  const folders = [
    ...versions
      .toSorted((a, b) => Number(b) - Number(a))
      .map((version) => join(DEBIAN_FOLDER, version, "bin")),
    ...(onPath === undefined ? [] : [dirname(realpathSync(onPath))]),
  ];
  return folders.find((folder) => ["initdb", "postgres"].every((name) => existsSync(join(folder, name))));
}

/** The user that a process runs as. */
interface ProcessUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * PostgreSQL refuses to run as root; then it runs as its package's user. Undefined for all other users, who
 * run it themselves.
 * @throws {Error} when root has no such user.
 */
function findServerUser(): ProcessUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const entry = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .find(([name]) => name === SERVER_USER);
  if (entry === undefined)
    throw new Error(`There is no user "${SERVER_USER}", and PostgreSQL does not run as root.`);
  return { uid: Number(entry[2]), gid: Number(entry[3]) };
}

interface PostgresServer {
  readonly target: SqlTarget;
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

/** PostgreSQL or a part of it is not installed; the bench continues without it. */
export class PostgisMissing extends Error {
  override readonly name = "PostgisMissing";
}

const USER = "bench";
const READY_WITHIN_MS = 30_000;
const READY_POLL_MS = 100;
const MEGABYTE = 1024 * 1024;

/** A quarter of the memory is the manual's advice; no table of the bench needs more than this. */
const MAX_SHARED_BUFFERS_MB = 4_096;

/** The settings that guides recommend for a machine with a fast disk that serves reads. */
function buildSettings(port: number, folder: string): string[] {
  const memoryMb = Math.floor(totalmem() / MEGABYTE);
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: folder,
    shared_buffers: `${Math.min(Math.floor(memoryMb / 4), MAX_SHARED_BUFFERS_MB)}MB`,
    effective_cache_size: `${Math.floor(memoryMb / 2)}MB`,
    work_mem: "32MB",
    maintenance_work_mem: "512MB",
    random_page_cost: 1.1,
    effective_io_concurrency: 200,
    max_wal_size: "4GB",
    // Compiling a query takes longer than these queries do.
    jit: "off",
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/**
 * Starts a separate cluster in the folder, on a free loopback port. Creates it if there is none yet.
 * @throws {PostgisMissing} when PostgreSQL is not installed; {Error} when it does not start.
 */
async function startPostgres(folder: string): Promise<PostgresServer> {
  const programs = findPostgresFolder();
  if (programs === undefined) throw new PostgisMissing("no PostgreSQL server is installed");
  const cluster = join(folder, "cluster");
  const password = ensureCluster({ programs, folder, cluster });
  const [port] = await findFreePorts();
  const server = spawn(join(programs, "postgres"), ["-D", cluster, ...buildSettings(port, folder)], {
    stdio: ["ignore", "ignore", "ignore"],
    cwd: folder,
    ...findServerUser(),
  });
  const target: SqlTarget = { via: "sql", port, user: USER, password };
  const stop = (): Promise<void> => stopServer(server);
  try {
    await waitUntilReady(target, server);
    return { target, pid: server.pid ?? 0, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Cluster {
  readonly programs: string;
  readonly folder: string;
  readonly cluster: string;
}

/** Creates the cluster if needed, and returns its user's password. */
function ensureCluster({ programs, folder, cluster }: Cluster): string {
  const passwordFile = join(folder, "password");
  const user = findServerUser();
  const run = (program: string, args: readonly string[]) =>
    spawnSync(join(programs, program), args, { cwd: folder, encoding: "utf8", ...user });
  if (existsSync(join(cluster, "PG_VERSION"))) {
    // Left by a bench that was killed.
    if (existsSync(join(cluster, "postmaster.pid"))) run("pg_ctl", ["-D", cluster, "stop", "-m", "fast"]);
    return readFileSync(passwordFile, "utf8");
  }
  writeFileSync(passwordFile, randomBytes(24).toString("hex"), { mode: 0o600 });
  if (user) for (const path of [folder, passwordFile]) chownSync(path, user.uid, user.gid);
  const how = ["--auth=scram-sha-256", `--pwfile=${passwordFile}`, "--encoding=UTF8", "--locale=C.UTF-8"];
  const made = run("initdb", ["-D", cluster, "-U", USER, "--no-sync", ...how]);
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`);
  return readFileSync(passwordFile, "utf8");
}

/** A connection for one-time statements; the load uses others. */
const connectTo = ({ port, user, password }: SqlTarget) =>
  postgres({ host: "127.0.0.1", port, user, password, database: "postgres", max: 1, onnotice: () => {} });

async function waitUntilReady(target: SqlTarget, server: ChildProcess): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const sql = connectTo(target);
    try {
      await sql`select 1`;
      return;
    } catch (error) {
      if (server.exitCode !== null || performance.now() > deadline) throw error;
    } finally {
      await sql.end();
    }
    await sleep(READY_POLL_MS);
  }
}

/** SIGINT is PostgreSQL's fast shutdown: it does not wait for clients to leave. */
async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, "exit");
  server.kill("SIGINT");
  await ended;
}
