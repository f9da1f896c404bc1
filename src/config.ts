import { existsSync } from "node:fs";
import { resolve } from "node:path";
import * as v from "valibot";

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

const url = (...protocols: string[]) =>
  v.pipe(
    v.string(),
    v.check(
      (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
      `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`,
    ),
    v.transform((value) => value.replace(/\/+$/, "")),
  );

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
  MEILISEARCH_URL: v.optional(url("http:", "https:")),
  MEILISEARCH_KEY: v.optional(v.string()),
  REDIS_URL: v.optional(url("redis:", "rediss:")),
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
  const parsed = v.safeParse(environmentSchema, withoutEmpty(env));
  if (!parsed.success) {
    const lines = parsed.issues.map((issue) => `  ${v.getDotPath(issue) ?? "?"} ${issue.message}`);
    throw new ConfigError(`These environment variables are wrong:\n${[...new Set(lines)].join("\n")}`);
  }
  const values = parsed.output;
  return Object.freeze({
    ...values,
    PUBLIC_BASE_URL: values.PUBLIC_BASE_URL ?? listeningAddress(values.HOST, values.PORT),
  });
}
