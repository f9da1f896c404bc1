import type { QueryNotes } from "../../src/telemetry/query-notes.ts";
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { inject } from "vitest";
import { createApp } from "../../src/http/app.ts";
import type { PublishedAsset } from "../../src/assets/assets.ts";
import type { ServerLimits } from "../../src/http/server.ts";
import type { CallerLimits, Scope } from "../../src/keys/key-record.ts";
import { createCallers, createConfiguredKeys, createKeyDirectory } from "../../src/keys/callers.ts";
import type { Lifecycle } from "../../src/http/middleware/lifecycle.ts";
import { createLimiter } from "../../src/http/middleware/rate-limit.ts";
import type { Logger } from "../../src/telemetry/logger.ts";
import type { PlaceIndex } from "../../src/meilisearch/place-index.ts";
import {
  closeRedisConnection,
  createRedisConnection,
  waitForRedis,
  type RedisConnection,
} from "../../src/redis/connection.ts";
import { createKeyStore } from "../../src/redis/key-store.ts";
import { createWriteQueue } from "../../src/redis/write-queue.ts";
import { createRedisGuard, type RedisGuard } from "../../src/redis/redis-guard.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { REQUEST_DEFAULTS, type RequestDefaults } from "../../src/place/request-defaults.ts";
import type { AnswerMcp } from "../../src/http/routes/mcp.ts";
import type { Playground } from "../../src/http/routes/playground.ts";
import { useOwn } from "../../src/meilisearch/stored-vocabulary.ts";
import { createPlaceSearch } from "../../src/search/search-places.ts";
import type { PlaceSearch } from "../../src/search/search-request.ts";
import { noTelemetry, type Telemetry } from "../../src/telemetry/telemetry.ts";
import { checkContract, type Answer } from "./contract.ts";
import { createLogBook, type LogBook } from "./log-lines.ts";
import { serve } from "./serve.ts";
import { createTestIndex } from "./test-index.ts";

/** A different address from the socket's, as behind a proxy. */
const PUBLIC_BASE_URL = "https://places.example";

const PATIENT_MS = 5_000;
const CONNECTING_MS = 20_000;

interface TestAppOptions {
  readonly index: PlaceIndex;
  /** By default the real search over the index. */
  readonly search?: PlaceSearch;
  /** `none` for a server without Redis; by default the Redis of the test run. */
  readonly redisUrl?: string;
  /**
   * Long by default, so that a busy machine does not look like a dead Redis. Tests of a dead one set the
   * server's value.
   */
  readonly redisTimeoutMs?: number;
  /** Other accepted keys, with the same limits. */
  readonly otherKeys?: readonly string[];
  readonly perMinute?: number;
  readonly perDay?: number;
  readonly now?: () => Temporal.Instant;
  /** A monotonic clock in milliseconds, by which the app trusts the record of a key for a few seconds. */
  readonly clock?: () => number;
  /** The number of proxies that the app trusts. */
  readonly proxies?: number;
  readonly readyNeedsRedis?: boolean;
  readonly corsOrigins?: readonly string[];
  readonly hstsMaxAgeSeconds?: number;
  readonly attribution?: string;
  /** What requests leave open; by default what the contract says. */
  readonly defaults?: RequestDefaults;
  readonly telemetry?: Telemetry;
  readonly lifecycle?: Lifecycle;
  readonly serverLimits?: Partial<ServerLimits>;
  readonly docs?: readonly PublishedAsset[];
  /** The map, created with the app's key; none by default. */
  readonly playground?: (key: string) => Playground;
  /** The index whose writes are accepted, by the prefix of its name; by default there is no write API. */
  readonly writesTo?: string;
  /** The scopes of the key; by default those of the setting. */
  readonly scopes?: readonly Scope[];
  /** Whether `/api/status` tells of the log of queries. */
  readonly logsQueries?: boolean;
  /** Hears what is searched. */
  readonly noteSearch?: QueryNotes["note"];
  /** `/mcp`; none by default. */
  readonly mcp?: AnswerMcp;
}

interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface TestAnswer extends Answer {
  /** The parsed JSON; undefined for a response without a body. */
  readonly body: unknown;
}

export interface TestApp extends AsyncDisposable {
  readonly index: PlaceIndex;
  readonly url: string;
  readonly port: number;
  /** A key that no other test uses, so that its limits are not shared. */
  readonly key: string;
  readonly logBook: LogBook;
  /** Sends a request with the key, and checks the response against the contract before returning it. */
  readonly ask: (target: string, options?: AskOptions) => Promise<TestAnswer>;
  /**
   * Sends the request again when, according to the server's log, the engine ran out of time. The server gives
   * it less than a second, and a machine that runs all tests at once may need more. Returns any other 500.
   */
  readonly askRetryingTimeouts: (target: string, options?: AskOptions) => Promise<TestAnswer>;
  /**
   * Requests, with retries, what must be there, and returns the body, which the contract check has validated.
   */
  readonly read: <T>(target: string, options?: AskOptions) => Promise<T>;
}

/**
 * The real app with the real search and Redis, on a free port. `await using` ends it; the index stays with
 * its owner.
 */
export async function startTestApp(options: TestAppOptions): Promise<TestApp> {
  const { index, perMinute = 10_000, perDay = 0, now = () => Temporal.Now.instant() } = options;
  const key = `test-${randomBytes(12).toString("hex")}`;
  const logBook = createLogBook();
  const redis = await connectRedis(options, logBook);
  const logger = logBook.logger;
  const { telemetry = noTelemetry, redisTimeoutMs: deadlineMs = PATIENT_MS } = options;
  const keys = [key, ...(options.otherKeys ?? [])];
  const guard = createRedisGuard({ logger, telemetry, deadlineMs });
  const limits = { perMinute, perDay };
  const { clock } = options;
  const callers = openCallers({
    keys,
    limits,
    scopes: options.scopes,
    redis,
    guard,
    logger,
    telemetry,
    now,
    ...(clock && { clock }),
  });
  const search = options.search ?? (await prepareSearch(index));
  const app = createApp({
    config: {
      PUBLIC_BASE_URL,
      EXTERNAL_MAPS_URL: "https://maps.example/?id={data_id}",
      TRUST_PROXY: options.proxies ?? 0,
      READY_NEEDS_REDIS: options.readyNeedsRedis ?? false,
      CORS_ORIGINS: [...(options.corsOrigins ?? [])],
      HSTS_MAX_AGE_SECONDS: options.hstsMaxAgeSeconds ?? 0,
      ATTRIBUTION: options.attribution ?? "",
      QUERY_LOG: options.logsQueries === true ? "on" : "off",
      DEFAULT_CENTER: options.defaults?.centre ?? REQUEST_DEFAULTS.centre,
      DEFAULT_LANGUAGE: options.defaults?.language ?? REQUEST_DEFAULTS.language,
    },
    callers,
    limiter: createLimiter({ shared: redis && { redis, askRedis: guard.askForLimits }, telemetry, now }),
    index,
    search,
    redis,
    writes: redis && options.writesTo !== undefined ? createWriteQueue(redis, options.writesTo) : undefined,
    ...(options.docs && { docs: options.docs }),
    playground: options.playground?.(key),
    mcp: options.mcp,
    noteSearch: options.noteSearch,
    logger,
    now,
    ...(options.telemetry && { telemetry: options.telemetry }),
    ...(options.lifecycle && { lifecycle: options.lifecycle }),
  });
  const served = await serve(app, options.serverLimits);
  const askWithKey: TestApp["ask"] = (target, { headers, ...rest } = {}) =>
    ask(served.url, target, { ...rest, headers: { "x-api-key": key, ...headers } });
  const askRetryingTimeouts: TestApp["ask"] = async (target, options) => {
    const answer = await askWithKey(target, options);
    return isEngineTimeout(answer, logBook) ? askWithKey(target, options) : answer;
  };
  return {
    index,
    url: served.url,
    port: served.port,
    key,
    logBook,
    ask: askWithKey,
    askRetryingTimeouts,
    async read<T>(target: string, options?: AskOptions) {
      const { status, text, body } = await askRetryingTimeouts(target, options);
      if (status !== 200) throw new Error(`${target}: ${status} ${text}`);
      return body as T;
    },
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]();
      await callers.close();
      if (redis) await closeRedisConnection(redis);
    },
  };
}

/** The same over a separate index of these places, which ends with the app. */
export async function startAppOver(
  places: readonly PlaceDocument[],
  options: Omit<TestAppOptions, "index"> = {},
): Promise<TestApp> {
  const testIndex = await createTestIndex(places);
  const app = await startTestApp({ ...options, index: testIndex.index });
  return {
    ...app,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await testIndex[Symbol.asyncDispose]();
    },
  };
}

/** As the server does before it listens: without the counts of the index, the first response can differ from the next. */
async function prepareSearch(index: PlaceIndex): Promise<PlaceSearch> {
  const search = createPlaceSearch(index, { useOwn });
  await Promise.race([search.prepared, sleep(PATIENT_MS, undefined, { ref: false })]);
  return search;
}

interface CallersOptions {
  readonly keys: readonly string[];
  readonly limits: CallerLimits;
  readonly scopes: readonly Scope[] | undefined;
  readonly redis: RedisConnection | undefined;
  readonly logger: Logger;
  readonly guard: RedisGuard;
  readonly telemetry: Telemetry;
  readonly now: () => Temporal.Instant;
  readonly clock?: () => number;
}

/** As in the server: the configured keys, and those in Redis. */
function openCallers({ keys, scopes, redis, guard, ...options }: CallersOptions) {
  if (!redis) return { ...createCallers(keys, options.limits, scopes), close: () => Promise.resolve() };
  const findConfigured = createConfiguredKeys(keys, options.limits, scopes);
  const store = createKeyStore(redis);
  return createKeyDirectory({ ...options, findConfigured, store, askStore: guard.askForKey });
}

async function connectRedis(
  { redisUrl = inject("redisUrl"), redisTimeoutMs = PATIENT_MS }: TestAppOptions,
  { logger }: LogBook,
): Promise<RedisConnection | undefined> {
  if (redisUrl === "none") return undefined;
  const redis = createRedisConnection({ url: redisUrl, logger, commandTimeoutMs: redisTimeoutMs });
  await Promise.race([waitForRedis(redis, CONNECTING_MS), waitForRefusal(redis)]);
  return redis;
}

/** Resolves when nobody listens, or when the password is wrong. A connection that times out is tried again. */
const waitForRefusal = (redis: RedisConnection): Promise<void> =>
  new Promise((resolve) => {
    redis.on("error", ({ message }: Error) => {
      if (/ECONNREFUSED|WRONGPASS/.test(message)) resolve();
    });
  });

/**
 * True for a 500 whose log line says that the engine ran out of time, or a 503 because others used its time.
 */
function isEngineTimeout({ status, body }: TestAnswer, { lines }: LogBook): boolean {
  if (status === 503 && (body as { code?: string }).code === "overloaded") return true;
  if (status !== 500) return false;
  const { request_id: requestId } = body as { request_id: string };
  const failure = lines("engine_failed").find((line) => line["request_id"] === requestId);
  return failure !== undefined && JSON.stringify(failure["err"]).includes("TimeoutError");
}

async function ask(baseUrl: string, target: string, options: AskOptions): Promise<TestAnswer> {
  const response = await fetch(baseUrl + target, options);
  const text = await response.text();
  const { method = "GET" } = options;
  const answer = { method, target, status: response.status, headers: response.headers, text };
  checkContract(answer);
  return { ...answer, body: text === "" ? undefined : JSON.parse(text) };
}
