import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { expect, test } from "vitest";
import { ConfigError } from "../../src/errors.ts";
import { CONFIG_VARIABLES, readConfig } from "../../src/config.ts";

const example = parseEnv(readFileSync(new URL("../../.env.example", import.meta.url), "utf8"));

function complaint(env: NodeJS.ProcessEnv): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
  }
  throw new Error("the configuration was accepted");
}

test.each([
  ["PORT", "65536"],
  ["PORT", "0"],
  ["PORT", "-1"],
  ["PORT", "80a"],
  ["PORT", "1e3"],
  ["PORT", "0x50"],
  ["PORT", "999999999999"],
  ["PUBLIC_BASE_URL", "places.example"],
  ["PUBLIC_BASE_URL", "ftp://places.example"],
  ["PUBLIC_BASE_URL", "javascript:alert(1)"],
  ["EXTERNAL_MAPS_URL", "https://maps.example/place"],
  ["API_KEYS", "short"],
  ["API_KEYS", "long-enough-for-a-key,short"],
  ["API_KEYS", "sixteen characters with spaces"],
  ["API_KEYS", "khóa-không-phải-ascii"],
  ["MEILISEARCH_URL", "127.0.0.1:7700"],
  ["REDIS_URL", "http://127.0.0.1:6379"],
  ["REDIS_URL", "redis-cluster://a,b/1"],
  ["MEILI_MAX_INDEXING_MEMORY", "much"],
  ["MEILI_MAX_INDEXING_MEMORY", "512"],
  ["MEILI_MAX_INDEXING_MEMORY", "-1GiB"],
  ["RATE_LIMIT_PER_MINUTE", "0"],
  ["RATE_LIMIT_PER_DAY", "-1"],
  ["RATE_LIMIT_PER_DAY", "1.5"],
  ["DEMO_PLACES", "many"],
  ["LOG_LEVEL", "loud"],
  ["DEFAULT_CENTER", "48.137"],
  ["DEFAULT_CENTER", "48,137;11,575"],
  ["DEFAULT_CENTER", "91,11"],
  ["DEFAULT_LANGUAGE", "fr"],
  ["TRUST_PROXY", "true"],
  ["TRUST_PROXY", "11"],
  ["CORS_ORIGINS", "app.example"],
  ["CORS_ORIGINS", "https://app.example/"],
  ["CORS_ORIGINS", "https://app.example/path"],
  ["CORS_ORIGINS", "https://*.example"],
  ["CORS_ORIGINS", "https://app.example:*/"],
  ["CORS_ORIGINS", "*,https://app.example"],
  ["CORS_ORIGINS", "null"],
  ["HSTS_MAX_AGE_SECONDS", "a year"],
  ["ATTRIBUTION", "two\nlines"],
  ["SLOW_REQUEST_MS", "0"],
  ["METRICS_PORT", "65536"],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
  ["OTEL_TRACES_SAMPLER", "sometimes"],
  ["OTEL_TRACES_SAMPLER_ARG", "1.1"],
  ["OTEL_TRACES_SAMPLER_ARG", "half"],
  ["PLAYGROUND", "maybe"],
  ["TILES_URL", "https://tiles.example/{z}/{x}.png"],
  ["TILES_URL", "https://tiles.example; script-src */{z}/{x}/{y}"],
  ["TILES_URL", "//tiles.example/{z}/{x}/{y}"],
  ["TILES_URL", "https://tiles.example/map.pmtiles"],
  ["TILES_URL", "map.mbtiles"],
  ["PHOTO_ORIGINS", "https://photos.example/path"],
  ["PHOTO_ORIGINS", "photos.example"],
  ["PHOTO_ORIGINS", "*"],
])("%s=%s is refused by name", (name, value) => {
  expect(complaint({ [name]: value })).toContain(`\n  ${name} must `);
});

test("everything that is wrong is said at once, a line each", () => {
  const message = complaint({ PORT: "x", LOG_LEVEL: "x", REDIS_URL: "x", HOST: "127.0.0.1" });
  expect(message.split("\n")).toHaveLength(4);
  expect(message).toMatch(/PORT.*\n.*REDIS_URL.*\n.*LOG_LEVEL/s);
});

test("a key that is refused is not repeated in the message", () => {
  expect(complaint({ API_KEYS: "my secret key of 24 chars" })).not.toContain("secret");
});

test("an empty environment gives the defaults", () => {
  expect(readConfig({})).toEqual({
    WORKERS: 1,
    PORT: 8080,
    HOST: "127.0.0.1",
    DRAIN_DELAY_MS: 0,
    KEEP_ALIVE_MS: 65_000,
    MAX_CONNECTIONS: 2_000,
    PUBLIC_BASE_URL: "http://127.0.0.1:8080",
    PLAYGROUND: "on",
    WRITE_API: "off",
    MCP: "on",
    TILES_ATTRIBUTION: "",
    PHOTO_ORIGINS: [],
    DATA_DIR: resolve(".data"),
    API_KEYS: [],
    CORS_ORIGINS: [],
    HSTS_MAX_AGE_SECONDS: 0,
    ATTRIBUTION: "",
    RATE_LIMIT_PER_MINUTE: 600,
    RATE_LIMIT_PER_DAY: 100_000,
    READY_NEEDS_REDIS: false,
    DEMO_PLACES: 5000,
    TRUST_PROXY: 0,
    DEFAULT_CENTER: { latitude: 10.801671, longitude: 106.61744 },
    DEFAULT_LANGUAGE: "vi",
    QUERY_LOG: "off",
    LOG_LEVEL: "info",
    SLOW_REQUEST_MS: 500,
    METRICS_HOST: "127.0.0.1",
    OTEL_SERVICE_NAME: "hereabouts",
    OTEL_TRACES_SAMPLER: "parentbased_always_on",
    OTEL_TRACES_SAMPLER_ARG: 1,
  });
});

test("several engines are named by their file alone", () => {
  const read = () => readConfig({ TOPOLOGY: "engines.json", MEILISEARCH_URL: "http://search:7700" });
  expect(read).toThrow("TOPOLOGY must not be set together with MEILISEARCH_URL");
  expect(readConfig({ TOPOLOGY: "engines.json" }).TOPOLOGY).toBe(resolve("engines.json"));
});

test("a variable that is empty or blank means its default", () => {
  expect(readConfig({ PORT: "", LOG_LEVEL: " ", MEILISEARCH_URL: "" })).toEqual(readConfig({}));
});

test.each([
  ["API_KEYS", " key-number-one-16, ,key-number-two-16,", ["key-number-one-16", "key-number-two-16"]],
  ["RATE_LIMIT_PER_DAY", "0", 0],
  ["CORS_ORIGINS", "*", ["*"]],
  ["CORS_ORIGINS", "http://localhost:*", ["http://localhost:*"]],
  [
    "CORS_ORIGINS",
    "https://a.example, http://localhost:3000",
    ["https://a.example", "http://localhost:3000"],
  ],
  [
    "TILES_URL",
    "https://{s}.tiles.example:8443/{z}/{x}/{y}@2x.png",
    "https://{s}.tiles.example:8443/{z}/{x}/{y}@2x.png",
  ],
  ["TILES_URL", "/var/lib/maps/việt-nam.pmtiles", "/var/lib/maps/việt-nam.pmtiles"],
  ["PHOTO_ORIGINS", "https://a.example, http://b.example:81", ["https://a.example", "http://b.example:81"]],
  ["DATA_DIR", "/var/lib/hereabouts/", "/var/lib/hereabouts"],
  ["MEILISEARCH_URL", "http://search:7700/", "http://search:7700"],
  ["OTEL_TRACES_SAMPLER_ARG", "0.25", 0.25],
  ["REDIS_URL", "rediss://:secret@cache:6380/2", "rediss://:secret@cache:6380/2"],
  ["REDIS_URL", "redis-cluster://:secret@a,b/", "redis-cluster://:secret@a,b"],
] as const)("%s=%s is read as %j", (name, value, expected) => {
  expect(readConfig({ [name]: value })[name]).toEqual(expected);
});

test.each([
  [{ HOST: "::1", PORT: "9000" }, "http://[::1]:9000"],
  [{ HOST: "places.internal" }, "http://places.internal:8080"],
  [{ PUBLIC_BASE_URL: "https://places.example//" }, "https://places.example"],
])("the links of %j begin with %s", (env, expected) => {
  expect(readConfig(env).PUBLIC_BASE_URL).toBe(expected);
});

test("the configuration cannot be changed", () => {
  expect(Object.isFrozen(readConfig({}))).toBe(true);
});

test(".env.example lists exactly the variables there are", () => {
  expect(Object.keys(example).toSorted()).toEqual(CONFIG_VARIABLES.toSorted());
});

test(".env.example shows the defaults", () => {
  expect(readConfig(example)).toEqual(readConfig({}));
});
