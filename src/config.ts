import { existsSync } from "node:fs";
import { resolve } from "node:path";
import * as v from "valibot";
import { readSecretFiles } from "./secret-files.ts";
import { SAMPLER_NAMES } from "./telemetry/tracing/sampler-names.ts";

/** Everything the two programs take from the environment. `.env.example` says what each variable means. */
export type Config = Readonly<v.InferOutput<typeof environmentSchema>> & { readonly PUBLIC_BASE_URL: string };

/** Thrown with one line for every variable that is wrong, so that a person mends them all at once. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** An environment file that names a variable without a value means the default. */
const withoutEmpty = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim() !== ""));

const wholeNumber = (min: number, max: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`),
    v.transform(Number),
    v.minValue(min, `must be ${min} or more`),
    v.maxValue(max, `must be ${max} or less`),
  );

const ratio = v.pipe(
  v.string(),
  v.regex(/^\d(?:\.\d{1,9})?$/, "must be a number from 0 to 1"),
  v.transform(Number),
  v.maxValue(1, "must be a number from 0 to 1"),
);

const url = (...protocols: string[]) =>
  v.pipe(
    v.string(),
    v.check(
      (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
      `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`,
    ),
    v.transform((value) => value.replace(/\/+$/, "")),
  );

const isOrigin = (value: string): boolean =>
  URL.canParse(value) && new URL(value).origin === value && !value.includes("*");

const commaList = v.pipe(
  v.string(),
  v.transform((value) =>
    value
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== ""),
  ),
);

/** Shorter keys can be guessed; 16 characters of base64 are 96 bits. */
const MIN_API_KEY_LENGTH = 16;

/** More in a row nobody has. */
const MAX_PROXIES = 10;
/** Only the origins: a picture of any path may be shown. */
const origins = v.pipe(
  commaList,
  v.everyItem(
    (text) => /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text,
    "must be origins such as https://photos.example, separated by commas",
  ),
);

/** Addresses of map tiles, as Leaflet reads them. */
const tileTemplate = v.pipe(
  v.string(),
  v.regex(
    /^https?:\/\/[\w.:{}-]+\/(?=.*\{z\})(?=.*\{x\})(?=.*\{y\})[^\s;,]*$/,
    "must be a URL with the placeholders {z}, {x} and {y}",
  ),
);

const environmentSchema = v.object({
  PORT: v.optional(wholeNumber(1, 65_535), "8080"),
  HOST: v.optional(v.string(), "127.0.0.1"),
  PUBLIC_BASE_URL: v.optional(url("http:", "https:")),
  EXTERNAL_MAPS_URL: v.optional(
    v.pipe(url("http:", "https:"), v.includes("{data_id}", "must hold the placeholder {data_id}")),
    "https://www.google.com/maps?ftid={data_id}",
  ),
  DRAIN_DELAY_MS: v.optional(wholeNumber(0, 300_000), "0"),
  KEEP_ALIVE_MS: v.optional(wholeNumber(1_000, 600_000), "65000"),
  MAX_CONNECTIONS: v.optional(wholeNumber(1, 1_000_000), "2000"),
  PLAYGROUND: v.optional(v.picklist(["on", "off"], "must be on or off"), "on"),
  TILES_URL: v.optional(tileTemplate),
  TILES_ATTRIBUTION: v.optional(v.string(), ""),
  PHOTO_ORIGINS: v.optional(origins, ""),
  DATA_DIR: v.optional(
    v.pipe(
      v.string(),
      v.transform((path) => resolve(path)),
    ),
    ".data",
  ),
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
  TRUST_PROXY: v.optional(wholeNumber(0, MAX_PROXIES), "0"),
  MEILISEARCH_URL: v.optional(url("http:", "https:")),
  MEILISEARCH_KEY: v.optional(v.string()),
  MEILISEARCH_KEY_FILE: v.optional(v.string()),
  REDIS_URL: v.optional(url("redis:", "rediss:")),
  REDIS_URL_FILE: v.optional(v.string()),
  CORS_ORIGINS: v.optional(
    v.pipe(
      commaList,
      v.check(
        (origins) => origins.every(isOrigin) || (origins.length === 1 && origins[0] === "*"),
        "must be origins such as https://app.example, separated by commas, or one *",
      ),
    ),
    "",
  ),
  HSTS_MAX_AGE_SECONDS: v.optional(wholeNumber(0, 999_999_999), "0"),
  RATE_LIMIT_PER_MINUTE: v.optional(wholeNumber(1, 1_000_000), "600"),
  RATE_LIMIT_PER_DAY: v.optional(wholeNumber(0, 999_999_999), "100000"),
  DEMO_PLACES: v.optional(wholeNumber(0, 999_999_999), "5000"),
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

/** The names of all variables, for the test that keeps `.env.example` complete. */
export const CONFIG_VARIABLES: readonly string[] = Object.keys(environmentSchema.entries);

const listeningAddress = (host: string, port: number): string =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}`;

/** Adds the variables of `.env` in the working directory, where there is one; what the environment has already wins. */
export function loadEnvironmentFile(): void {
  if (existsSync(".env")) process.loadEnvFile(".env");
}

/**
 * Reads and checks the environment once.
 * @throws {ConfigError} that names every variable that is wrong.
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const { values: variables, complaints } = readSecretFiles(withoutEmpty(env));
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
