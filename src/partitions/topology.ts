import { readFileSync } from "node:fs";
import * as v from "valibot";
import { ConfigError } from "../errors.ts";
import type { EngineAddress } from "../meilisearch/connection.ts";

/** The default prefix of the names of our indexes. */
export const DEFAULT_INDEX_PREFIX = "places";

/** Where an index is: the engines that share it (TOPOLOGY), and into how many partitions and replicas an import divides it. */
export interface Topology {
  /** Each with its own name and its own URL. */
  readonly engines: readonly NamedEngine[];
  readonly partitions: number;
  /** How many engines hold each partition. */
  readonly replicas: number;
  /** Prefix of the name of every index. */
  readonly prefix: string;
}

/** An engine of several. The partition map has its name, so its URL may change. */
export interface NamedEngine extends EngineAddress {
  readonly name: string;
}

/** The name of an engine that no topology names, and of the first that a server starts itself. */
const FIRST_ENGINE = "engine-1";

/** An index that one engine holds. */
export const oneEngine = ({ url, key }: EngineAddress, prefix = DEFAULT_INDEX_PREFIX): Topology => ({
  engines: [{ name: FIRST_ENGINE, url, key }],
  partitions: 1,
  replicas: 1,
  prefix,
});

export const MAX_ENGINES = 256;

/** Each partition is an index with files of its own, and a server keeps the cells of all of them in memory. */
export const MAX_PARTITIONS = 1_024;

const engineUrl = v.pipe(
  v.string(),
  v.check(
    (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
    "must be a URL that begins with http:// or https://",
  ),
  v.transform((text) => text.replace(/(?<!\/)\/+$/, "")),
);

/** For logs, metrics and the partition map. */
const engineName = v.pipe(v.string(), v.regex(/^[\w.-]{1,64}$/, "must be letters, digits, dots and dashes"));

const topologySchema = v.pipe(
  v.strictObject({
    engines: v.pipe(
      v.array(v.strictObject({ name: v.optional(engineName), url: engineUrl, key: v.optional(v.string()) })),
      v.minLength(1, "must name at least one engine"),
      v.maxLength(MAX_ENGINES),
      v.check(
        (engines) => new Set(engines.map(({ url }) => url)).size === engines.length,
        "names an engine twice",
      ),
      v.transform((engines) =>
        engines.map(({ name, ...engine }) => ({ name: name ?? engine.url, ...engine })),
      ),
      v.check(
        (engines) => new Set(engines.map(({ name }) => name)).size === engines.length,
        "gives two engines the same name",
      ),
    ),
    partitions: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_PARTITIONS))),
    replicas: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 1),
  }),
  v.check(
    ({ engines, replicas }) => replicas <= engines.length,
    "replicas must not exceed the number of engines: an engine holds a partition once",
  ),
);

/** A topology file is missing or wrong. The message names the file and what to fix. */
class TopologyError extends ConfigError {}

/**
 * Reads a topology file.
 * @param defaultKey for engines without a key of their own (MEILISEARCH_KEY).
 * @throws {TopologyError}
 */
export function readTopology(path: string, defaultKey: string | undefined): Topology {
  let values: unknown;
  try {
    values = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new TopologyError(`Cannot read the topology file ${path}: ${(error as Error).message}`);
  }
  const { success, output, issues } = v.safeParse(topologySchema, values);
  if (!success) {
    const problems = issues.map((issue) => `${v.getDotPath(issue) ?? "the file"}: ${issue.message}`);
    throw new TopologyError(`The topology file ${path} is wrong:\n${problems.join("\n")}`);
  }
  const { engines, replicas, partitions = engines.length } = output;
  return {
    engines: engines.map(({ name, url, key = defaultKey }) => ({ name, url, key })),
    partitions,
    replicas,
    prefix: DEFAULT_INDEX_PREFIX,
  };
}

/**
 * The engines of a partition. Partitions that follow each other are neighbours on the map and share their engines, so that a search
 * across a border is one request. All engines hold equally many partitions, or one more.
 */
export function enginesOfPartition(
  { engines, replicas, partitions }: Pick<Topology, "engines" | "replicas" | "partitions">,
  partition: number,
): NamedEngine[] {
  const first = Math.floor((partition * engines.length) / partitions);
  return Array.from({ length: replicas }, (_, replica) => engines[(first + replica) % engines.length]!);
}

/** Settings of the environment. */
interface GivenEngines {
  readonly TOPOLOGY?: string | undefined;
  readonly MEILISEARCH_URL?: string | undefined;
  readonly MEILISEARCH_KEY?: string | undefined;
}

/** The engine or the engines that the settings name; `undefined` when they name none. @throws {TopologyError} */
export function readGivenIndex({
  TOPOLOGY: path,
  MEILISEARCH_URL: url,
  MEILISEARCH_KEY: key,
}: GivenEngines): Topology | undefined {
  if (path !== undefined) return readTopology(path, key);
  return url === undefined ? undefined : oneEngine({ url, key });
}
