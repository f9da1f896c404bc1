import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { createApp, type AppOptions } from "./app.ts";
import { printBanner } from "./banner.ts";
import { ConfigError, loadEnvironmentFile, readConfig, type Config } from "./config.ts";
import { CrashError, endOnCrash } from "./crash.ts";
import { importDemoGazetteer } from "./demo-gazetteer.ts";
import { readDemoKey } from "./demo-key.ts";
import { readDocsSite } from "./docs/read-site.ts";
import { createHttpServer, drain, listen } from "./http-server.ts";
import { createLifecycle } from "./lifecycle.ts";
import { acquireEngines, type Engines } from "./local-engines/acquire-engines.ts";
import type { CallerLimits } from "./keys/caller.ts";
import { createCallers, createConfiguredKeys, type Callers } from "./keys/callers.ts";
import { createKeyDirectory } from "./keys/key-directory.ts";
import { createLogger, type Logger } from "./logger.ts";
import { createLimiter } from "./middleware/limiter.ts";
import { createLoopGauge } from "./middleware/loop-gauge.ts";
import { cachePlaces } from "./place-index/cached-places.ts";
import { createPlaceIndex } from "./place-index/create-place-index.ts";
import type { EngineAddress } from "./place-index/engine-connection.ts";
import { createEngineGate } from "./place-index/engine-gate.ts";
import { findExcessRights } from "./place-index/excess-rights.ts";
import type { PlaceIndex } from "./place-index/place-index.ts";
import {
  closeRedisConnection,
  createRedisConnection,
  waitForRedis,
  type RedisConnection,
} from "./redis/connection.ts";
import { createKeyStore } from "./redis/key-store.ts";
import { ensureSearchKey } from "./place-index/search-key.ts";
import { waitForSecretFiles } from "./secret-files.ts";
import { cacheSearches } from "./search/cached-search.ts";
import { createPlaceSearch } from "./search/search-places.ts";
import { startTelemetry } from "./telemetry/start-telemetry.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";

/** The first requests should meet a connected Redis, but the server starts without it too. */
const REDIS_WAIT_MS = 1_000;

/** What is known of a gazetteer of a million places is read in a quarter of a second; with an engine that hangs the server starts too. */
const PREPARE_MS = 5_000;

/** Things to close, in the order they were opened; they are closed in the opposite order. */
export type Closers = (() => Promise<void>)[];

/** From the environment to a listening server; returns when it is told to stop. */
export async function serve(stopping: AbortController, closers: Closers): Promise<void> {
  const { signal } = stopping;
  loadEnvironmentFile();
  await waitForSecretFiles(process.env, {
    signal,
    onWait: (paths) => console.error(`Waiting for ${paths.join(", ")} ...`),
  });
  const config = readConfig(process.env);
  const logger = createLogger({ level: config.LOG_LEVEL });
  endOnCrash(logger, stopping);
  const { telemetry, tracer, watchIndex, stop: stopTelemetry } = await startTelemetry(config, logger);
  closers.push(stopTelemetry);
  const engines = await startEngines(config, logger, signal);
  closers.push(() => engines.stop());
  const apiKeys = chooseApiKeys(config, engines);

  const engine = await chooseEngineKey(engines, logger);
  const index = cachePlaces(
    createPlaceIndex(engine, (ask) => createEngineGate({ ask, telemetry, logger })),
    { telemetry },
  );
  closers.push(() => index.close());
  watchIndex(() => index.readState());
  const redis = engines.redis && createRedisConnection({ url: engines.redis.url, logger });
  if (redis) {
    closers.push(() => closeRedisConnection(redis));
    await waitForRedis(redis, REDIS_WAIT_MS);
  }

  const placeSearch = createPlaceSearch(index);
  const search = cacheSearches(placeSearch, { telemetry });
  await Promise.race([
    Promise.all([placeSearch.prepared, index.warmUp()]),
    sleep(PREPARE_MS, undefined, { ref: false }),
  ]);
  const limits = { perMinute: config.RATE_LIMIT_PER_MINUTE, perDay: config.RATE_LIMIT_PER_DAY };
  const now = (): Temporal.Instant => Temporal.Now.instant();
  const callers = openCallers({ apiKeys, limits, redis, logger, telemetry, now }, closers);
  const limiter = createLimiter({ redis, logger, telemetry, now });
  const eyes = { telemetry, tracer, slowRequestMs: config.SLOW_REQUEST_MS };
  const docs = await readDocsSite(config);
  const parts = { config, callers, limiter, index, search, redis, docs, logger, now, ...eyes };
  await startHttp(parts, signal, closers);

  if (engines.isLocal) await fillEmptyIndex(index, config, signal);
  const state = await index.readState();
  if (engines.isLocal)
    printBanner({ config, state, apiKey: apiKeys[0] ?? "", hasRedis: redis !== undefined });
  if (state.state !== "ready") logger.warn({ index: state }, "index_not_ready");
  if (!signal.aborted) await once(signal, "abort");
  logger.info("server_stopping");
}

type HttpParts = Omit<AppOptions, "lifecycle" | "gauge"> & { readonly config: Config };

async function startHttp(parts: HttpParts, signal: AbortSignal, closers: Closers): Promise<void> {
  const { config, logger } = parts;
  const lifecycle = createLifecycle();
  const gauge = createLoopGauge();
  const server = createHttpServer(createApp({ ...parts, lifecycle, gauge }), {
    keepAliveMs: config.KEEP_ALIVE_MS,
    maxConnections: config.MAX_CONNECTIONS,
  });
  await listen(server, config);
  closers.push(() => drain(server, { lifecycle, ...toDrainTimes(signal, config) }));
  logger.info({ host: config.HOST, port: config.PORT }, "server_listening");
}

/** After a crash nobody should wait long for a process that is in no known state. */
const CRASH_DRAIN_MS = 1_000;

const toDrainTimes = ({ reason }: AbortSignal, { DRAIN_DELAY_MS }: Config) =>
  reason instanceof CrashError ? { delayMs: 0, deadlineMs: CRASH_DRAIN_MS } : { delayMs: DRAIN_DELAY_MS };

function startEngines(config: Config, logger: Logger, signal: AbortSignal): Promise<Engines> {
  return acquireEngines({
    dataDir: config.DATA_DIR,
    meilisearchUrl: config.MEILISEARCH_URL,
    meilisearchKey: config.MEILISEARCH_KEY,
    redisUrl: config.REDIS_URL,
    role: "server",
    needs: { redis: true },
    onEvent: ({ name, ...fields }) => logger[name === "engine_started" ? "info" : "warn"](fields, name),
    signal,
  });
}

interface CallersOptions {
  readonly apiKeys: readonly string[];
  readonly limits: CallerLimits;
  readonly redis: RedisConnection | undefined;
  readonly logger: Logger;
  readonly telemetry: Telemetry;
  readonly now: () => Temporal.Instant;
}

/** The keys of the configuration, and those on Redis where there is one. */
function openCallers({ apiKeys, redis, ...options }: CallersOptions, closers: Closers): Callers {
  if (!redis) return createCallers(apiKeys, options.limits);
  const findConfigured = createConfiguredKeys(apiKeys, options.limits);
  const directory = createKeyDirectory({ ...options, findConfigured, store: createKeyStore(redis) });
  closers.push(() => directory.close());
  return directory;
}

/** Engines of our own give a key that may only search. A given key that may do more is a danger the operator should know of. */
async function chooseEngineKey({ isLocal, meilisearch }: Engines, logger: Logger): Promise<EngineAddress> {
  if (isLocal) return { url: meilisearch.url, key: await ensureSearchKey(meilisearch) };
  void findExcessRights(meilisearch).then(
    (rights) => rights.length > 0 && logger.warn({ may: rights }, "engine_key_too_powerful"),
    (err: unknown) => logger.warn({ err }, "engine_key_unchecked"),
  );
  return meilisearch;
}

/** A server with engines of its own is somebody's trial: it makes itself a key. Any other has them on Redis, or must be given one. */
function chooseApiKeys({ API_KEYS, DATA_DIR }: Config, engines: Engines): readonly string[] {
  if (API_KEYS.length > 0) return API_KEYS;
  if (engines.isLocal) return [readDemoKey(DATA_DIR)];
  if (engines.redis) return [];
  throw new ConfigError(
    "API_KEYS must hold at least one key, or REDIS_URL lead to the Redis that has some: without one nobody could call this server.",
  );
}

async function fillEmptyIndex(
  index: PlaceIndex,
  { DEMO_PLACES }: Config,
  signal: AbortSignal,
): Promise<void> {
  const { state } = await index.readState();
  if (state !== "missing" || DEMO_PLACES === 0) return;
  process.stderr.write(`First start: making and importing ${DEMO_PLACES} demo places ...\n`);
  await importDemoGazetteer({ places: DEMO_PLACES, signal });
}
