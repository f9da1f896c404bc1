import type { SqlCall } from "../load/target.ts";
import type { AutocompleteRequest, BenchRequest, SearchRequest } from "../queries/bench-request.ts";
import { listProcessTree } from "../measure/process-usage.ts";
import { startPostgres } from "./postgres-server.ts";
import type { RunningSystem } from "./system.ts";

/** A point from two parameters of the statement. */
const pointOf = (longitude: string, latitude: string): string =>
  `st_setsrid(st_makepoint(${longitude}, ${latitude}), 4326)::geography`;

/**
 * The best of six ways to ask for a name that were tried: similar words anywhere, the nearest of equals first. Asking for those
 * within 20 km only is slower: the planner underrates how many points a circle holds, and reads them all.
 */
const similarTo = (column: string): string => `
  select place::text from places where fold($1) <% ${column}
  order by word_similarity(fold($1), ${column}) desc, point <-> ${pointOf("$2", "$3")} limit 20`;

const BY_NAME = similarTo("folded_names");
const BY_ADDRESS = similarTo("folded_address");

/** The database knows no category words: it is handed the code, and only has to find the nearest. */
const BY_TYPE = `
  select place::text from places where type = $1 order by point <-> ${pointOf("$2", "$3")} limit 20`;

const BY_PREFIX = `
  select place::text from places where folded_title like fold($1) || '%'
  order by point <-> ${pointOf("$2", "$3")} limit 4`;

const BY_ID = "select place::text from places where id = $1";

/** PostgreSQL with PostGIS, pg_trgm and unaccent on the cluster of the folder. */
export async function startPostgis(folder: string): Promise<RunningSystem> {
  const { target, pid, stop } = await startPostgres(folder);
  return { stop, system: { name: "postgis", target, toCall, enginePids: () => listProcessTree(pid) } };
}

function toCall(request: BenchRequest): SqlCall {
  if (request.operation === "detail") return { via: "sql", text: BY_ID, values: [request.dataId] };
  const { latitude, longitude } = request.centre;
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

/** The signs that LIKE takes for others are typed by nobody, but some names hold them. */
const prefixOf = ({ text }: AutocompleteRequest): Question => ({
  statement: BY_PREFIX,
  value: text.replaceAll(/[\\%_]/g, "\\$&"),
});
