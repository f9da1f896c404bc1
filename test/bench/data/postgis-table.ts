import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { connectTo, PostgisMissing, startPostgres } from "../systems/postgres-server.ts";
import type { Sql } from "postgres";
import type { BuildOptions, BuildResult } from "./build-result.ts";
import { readBatches, type NativePlace } from "./native-line.ts";

/** Raise it when the table or its indexes change, so that one built before is not reused. */
export const POSTGIS_FORM = 1;

const BATCH_SIZE = 1_000;

const EXTENSIONS = ["postgis", "pg_trgm", "unaccent", "btree_gist"];

/** Stored columns spare every query the folding and the point, which an index on an expression would compute again. */
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
 * A table as users of PostGIS make it: trigrams of folded names, points in a GiST. The folder becomes that of its own cluster.
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
