import * as v from "valibot";
import { parseRedisUrl } from "./redis/redis-url.ts";
import { isOrigin } from "./keys/key-record.ts";
import { existsSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseEnv } from "node:util";
import { isCoordinates, type Coordinates } from "./place/geometry/coordinates.ts";
import { LANGUAGES } from "./place/document/localized-texts.ts";
import { ConfigError } from "./errors.ts";
import { MAX_PARTITIONS } from "./partitions/topology.ts";
import { SAMPLER_NAMES } from "./telemetry/telemetry.ts";
import { DEFAULT_CENTRE, REQUEST_DEFAULTS, type RequestDefaults } from "./place/request-defaults.ts";

/* The formats of values. */

/** A whole number within bounds. */
const wholeNumber = (min: number, max: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`),
    v.transform(Number),
    v.minValue(min, `must be ${min} or more`),
    v.maxValue(max, `must be ${max} or less`),
  );

/** `0.25` */
const ratio = v.pipe(
  v.string(),
  v.regex(/^\d(?:\.\d{1,9})?$/, "must be a number from 0 to 1"),
  v.transform(Number),
  v.maxValue(1, "must be a number from 0 to 1"),
);

/** Removes slashes at the end. */
const isUrl = (value: string, protocols: readonly string[]): boolean =>
  URL.canParse(value) && protocols.includes(new URL(value).protocol);

const withoutLastSlash = v.transform((value: string) => value.replace(/(?<!\/)\/+$/, ""));

const url = (...protocols: string[]) =>
  v.pipe(
    v.string(),
    v.check(
      (value) => isUrl(value, protocols),
      `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`,
    ),
    withoutLastSlash,
  );

const redisUrl = v.pipe(
  v.string(),
  v.check(
    (value) => parseRedisUrl(value) !== undefined,
    "must be a URL that begins with redis:// or rediss://, redis-sentinel://host1:26379,host2:26379/0#name, " +
      "or redis-cluster://host1:6379,host2:6379",
  ),
  withoutLastSlash,
);

/** `512MiB`, as Meilisearch reads it. */
const byteSize = v.pipe(
  v.string(),
  v.regex(/^\d{1,12}(?:\.\d{1,3})? ?(?:[KMGT]i?)?B$/i, "must be a size such as 512MiB"),
);

/** Splits a list, trims its parts and drops empty ones. */
const commaList = v.pipe(
  v.string(),
  v.transform((value) =>
    value
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== ""),
  ),
);

const ORIGINS = "must be origins such as https://app.example, separated by commas";

const origins = v.pipe(commaList, v.everyItem(isOrigin, ORIGINS));

/** An origin, or one of any port: `http://localhost:*`. */
const isOriginOfAnyPort = (text: string): boolean => isOrigin(text.replace(/:\*$/, ":1"));

/** A list of origins, or a single `*` for all. */
const originsOrAll = v.pipe(
  commaList,
  v.check(
    (texts) => texts.every(isOriginOfAnyPort) || (texts.length === 1 && texts[0] === "*"),
    `${ORIGINS}, or one *`,
  ),
);

/** A URL template of map tiles, as in Leaflet. */
const TILE_TEMPLATE = /^https?:\/\/[\w.:{}-]+\/(?=.*\{z\})(?=.*\{x\})(?=.*\{y\})[^\s;,]*$/;

/** Whether `TILES_URL` names a file of this machine, and not a server of tiles. */
export const isTilesFile = (tiles: string): boolean => /\.pmtiles$/i.test(tiles) && !/^\w+:\/\//.test(tiles);

const mapTiles = v.pipe(
  v.string(),
  v.check(
    (value) => TILE_TEMPLATE.test(value) || isTilesFile(value),
    "must be a URL with the placeholders {z}, {x} and {y}, or the path of a .pmtiles file on this machine",
  ),
);

/** `10.801671,106.61744` */
const coordinates = v.pipe(
  v.string(),
  v.regex(
    /^ *-?\d{1,3}(?:\.\d+)? *, *-?\d{1,3}(?:\.\d+)? *$/,
    "must be a latitude and a longitude in decimal degrees, such as 10.8,106.6",
  ),
  v.transform((text): Coordinates => {
    const [latitude = 0, longitude = 0] = text.split(",").map(Number);
    return { latitude, longitude };
  }),
  v.check(isCoordinates, "must be a latitude from -90 to 90 and a longitude from -180 to 180"),
);

/** All settings from the environment. `.env.example` explains each variable. */
export type Config = Readonly<v.InferOutput<typeof environmentSchema>> & { readonly PUBLIC_BASE_URL: string };

/** An empty variable means the default. */
const withoutEmpty = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim() !== ""));

/** Shorter keys can be guessed; 16 characters of base64 are 96 bits. */
const MIN_API_KEY_LENGTH = 16;

/** More than any real chain of proxies. */
const MAX_PROXIES = 10;

/** On one machine more engines only share its cores. Each takes some 100 MB. */
const MAX_OWN_ENGINES = 16;

/** More than the cores of most machines. Each takes some 200 MB. */
const MAX_WORKERS = 64;

const environmentSchema = v.object({
  // Address and name of the server
  PORT: v.optional(wholeNumber(1, 65_535), "8080"),
  HOST: v.optional(v.string(), "127.0.0.1"),
  PUBLIC_BASE_URL: v.optional(url("http:", "https:")),
  EXTERNAL_MAPS_URL: v.optional(
    v.pipe(url("http:", "https:"), v.includes("{data_id}", "must hold the placeholder {data_id}")),
  ),

  // What requests leave open
  DEFAULT_CENTER: v.optional(coordinates, `${DEFAULT_CENTRE.latitude},${DEFAULT_CENTRE.longitude}`),
  DEFAULT_LANGUAGE: v.optional(
    v.picklist(LANGUAGES, `must be one of ${LANGUAGES.join(", ")}`),
    REQUEST_DEFAULTS.language,
  ),

  // Processes and connections
  WORKERS: v.optional(wholeNumber(1, MAX_WORKERS), "1"),
  KEEP_ALIVE_MS: v.optional(wholeNumber(1_000, 600_000), "65000"),
  MAX_CONNECTIONS: v.optional(wholeNumber(1, 1_000_000), "2000"),
  DRAIN_DELAY_MS: v.optional(wholeNumber(0, 300_000), "0"),
  TRUST_PROXY: v.optional(wholeNumber(0, MAX_PROXIES), "0"),

  // Engines
  MEILISEARCH_URL: v.optional(url("http:", "https:")),
  MEILISEARCH_KEY: v.optional(v.string()),
  MEILISEARCH_KEY_FILE: v.optional(v.string()),
  TOPOLOGY: v.optional(
    v.pipe(
      v.string(),
      v.transform((path) => resolve(path)),
    ),
  ),
  ENGINES: v.optional(wholeNumber(1, MAX_OWN_ENGINES)),
  PARTITIONS: v.optional(wholeNumber(1, MAX_PARTITIONS)),
  REPLICAS: v.optional(wholeNumber(1, MAX_OWN_ENGINES)),
  MEILI_MAX_INDEXING_MEMORY: v.optional(byteSize),
  REDIS_URL: v.optional(redisUrl),
  REDIS_URL_FILE: v.optional(v.string()),
  READY_NEEDS_REDIS: v.optional(
    v.pipe(
      v.picklist(["true", "false"], "must be true or false"),
      v.transform((value) => value === "true"),
    ),
    "false",
  ),
  DATA_DIR: v.optional(
    v.pipe(
      v.string(),
      v.transform((path) => resolve(path)),
    ),
    ".data",
  ),
  DEMO_PLACES: v.optional(wholeNumber(0, 999_999_999), "5000"),

  // Callers
  API_KEYS: v.optional(
    v.pipe(
      commaList,
      v.everyItem(
        (key) => key.length >= MIN_API_KEY_LENGTH && /^[\x21-\x7e]+$/.test(key),
        `must be keys of ${MIN_API_KEY_LENGTH} or more visible ASCII characters, separated by commas`,
      ),
    ),
    "",
  ),
  API_KEYS_FILE: v.optional(v.string()),
  RATE_LIMIT_PER_MINUTE: v.optional(wholeNumber(1, 1_000_000), "600"),
  RATE_LIMIT_PER_DAY: v.optional(wholeNumber(0, 999_999_999), "100000"),

  // Browsers
  CORS_ORIGINS: v.optional(originsOrAll, ""),
  ATTRIBUTION: v.optional(
    v.pipe(v.string(), v.regex(/^[ -~]{0,300}$/, "must be one line of up to 300 ASCII characters")),
    "",
  ),
  HSTS_MAX_AGE_SECONDS: v.optional(wholeNumber(0, 999_999_999), "0"),

  // The map page
  PLAYGROUND: v.optional(v.picklist(["on", "off"], "must be on or off"), "on"),
  TILES_URL: v.optional(mapTiles),
  TILES_ATTRIBUTION: v.optional(v.string(), ""),
  PHOTO_ORIGINS: v.optional(origins, ""),

  // Writing
  WRITE_API: v.optional(v.picklist(["on", "off"], "must be on or off"), "off"),

  // Programs that use language models
  MCP: v.optional(v.picklist(["on", "off"], "must be on or off"), "on"),

  // Logs, metrics and traces
  QUERY_LOG: v.optional(v.picklist(["on", "off"], "must be on or off"), "off"),
  LOG_LEVEL: v.optional(
    v.picklist(
      ["fatal", "error", "warn", "info", "debug", "trace", "silent"],
      "must be one of fatal, error, warn, info, debug, trace, silent",
    ),
    "info",
  ),
  SLOW_REQUEST_MS: v.optional(wholeNumber(1, 600_000), "500"),
  METRICS_PORT: v.optional(wholeNumber(1, 65_535)),
  METRICS_HOST: v.optional(v.string(), "127.0.0.1"),
  OTEL_EXPORTER_OTLP_ENDPOINT: v.optional(url("http:", "https:")),
  OTEL_SERVICE_NAME: v.optional(v.string(), "hereabouts"),
  OTEL_TRACES_SAMPLER: v.optional(
    v.picklist(SAMPLER_NAMES, `must be one of ${SAMPLER_NAMES.join(", ")}`),
    "parentbased_always_on",
  ),
  OTEL_TRACES_SAMPLER_ARG: v.optional(ratio, "1"),
});

/** The names of all variables. A test checks that `.env.example` has them. */
export const CONFIG_VARIABLES: readonly string[] = Object.keys(environmentSchema.entries);

/** The defaults that the operator chose; those of the contract for what is absent. */
export const toRequestDefaults = ({
  DEFAULT_CENTER: centre = REQUEST_DEFAULTS.centre,
  DEFAULT_LANGUAGE: language = REQUEST_DEFAULTS.language,
}: Partial<Pick<Config, "DEFAULT_CENTER" | "DEFAULT_LANGUAGE">>): RequestDefaults => ({ centre, language });

const listeningAddress = (host: string, port: number): string =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}`;

/** Adds the variables of `.env` in the working directory, if there is one. The environment takes precedence. */
export function loadEnvironmentFile(env: NodeJS.ProcessEnv): void {
  if (!existsSync(".env")) return;
  for (const [name, value] of Object.entries(parseEnv(readFileSync(".env", "utf8")))) env[name] ??= value;
}

/**
 * Reads and checks the environment once.
 * @throws {ConfigError} that names every variable that is wrong.
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const { values: variables, complaints } = readSecretFiles(withoutEmpty(env));
  if (variables["TOPOLOGY"] !== undefined && variables["MEILISEARCH_URL"] !== undefined)
    complaints.push("TOPOLOGY must not be set together with MEILISEARCH_URL: its file names all engines");
  const parsed = v.safeParse(environmentSchema, variables);
  if (!parsed.success || complaints.length > 0) {
    const issues = parsed.issues ?? [];
    const wrong = issues.map((issue) => `${v.getDotPath(issue) ?? "?"} ${issue.message}`);
    const lines = [...complaints, ...wrong].map((line) => `  ${line}`);
    throw new ConfigError(`These environment variables are wrong:\n${[...new Set(lines)].join("\n")}`);
  }
  const values = parsed.output;
  return Object.freeze({
    ...values,
    PUBLIC_BASE_URL: values.PUBLIC_BASE_URL ?? listeningAddress(values.HOST, values.PORT),
  });
}

/** Variables with secrets. Each may also come from a file, named by the variable with the suffix `_FILE`, as is usual for containers. */
const SECRET_VARIABLES = ["API_KEYS", "MEILISEARCH_KEY", "REDIS_URL"] as const;

interface SecretsRead {
  readonly values: NodeJS.ProcessEnv;
  /** One line for each invalid file. No line contains a secret. */
  readonly complaints: string[];
}

/** The environment with the trimmed secrets from files. */
function readSecretFiles(env: NodeJS.ProcessEnv): SecretsRead {
  const values = { ...env };
  const complaints: string[] = [];
  for (const name of SECRET_VARIABLES) {
    const path = env[`${name}_FILE`];
    if (path === undefined) continue;
    if (env[name] !== undefined) complaints.push(`${name} must not be set together with ${name}_FILE`);
    const text = readSecret(path);
    if ("problem" in text) complaints.push(`${name}_FILE ${text.problem}`);
    else values[name] = text.secret;
  }
  return { values, complaints };
}

function readSecret(path: string): { secret: string } | { problem: string } {
  try {
    const secret = readFileSync(path, "utf8").trim();
    return secret === "" ? { problem: `must name a file that is not empty, and ${path} is` } : { secret };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { problem: `must name a file that can be read, and ${path} cannot (${code})` };
  }
}

/** The file may be written after the server has started, since its writer waits some seconds for the engine. */
const WAIT_MS = 30_000;

const POLL_MS = 200;

interface WaitOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  /** Called once, with the missing files. */
  readonly onWait: (paths: readonly string[]) => void;
}

/** Waits while a secret file is missing or empty. Returns quietly at the timeout: reading the file reports the problem. */
export async function waitForSecretFiles(
  env: NodeJS.ProcessEnv,
  { signal, timeoutMs = WAIT_MS, onWait }: WaitOptions,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  const findMissing = (): string[] => namedFiles(env).filter((path) => !isWritten(path));
  const missing = findMissing();
  if (missing.length > 0) onWait(missing);
  while (findMissing().length > 0 && performance.now() < deadline && !signal.aborted) await sleep(POLL_MS);
}

const namedFiles = (env: NodeJS.ProcessEnv): string[] =>
  SECRET_VARIABLES.flatMap((name) => env[`${name}_FILE`]?.trim() || []);

const isWritten = (path: string): boolean => existsSync(path) && statSync(path).size > 0;
