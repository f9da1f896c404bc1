import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { ConfigError } from "../errors.ts";
import { loadEnvironmentFile, readConfig, type Config, waitForSecretFiles, isTilesFile } from "../config.ts";
import { readDocsSite } from "../docs/site.ts";
import { createLogger, openLog, type Logger } from "../telemetry/logger.ts";
import { createLimiter } from "../http/middleware/rate-limit.ts";
import { cachePlaces } from "../meilisearch/cached-places.ts";
import type { Ask } from "../meilisearch/connection.ts";
import { createEngineGate } from "../meilisearch/gate.ts";
import { INDEX_VERSION } from "../meilisearch/index-form.ts";
import type { PlaceIndex } from "../meilisearch/place-index.ts";
import {
  closeRedisConnection,
  createRedisConnection,
  waitForRedis,
  type RedisConnection,
} from "../redis/connection.ts";
import { addQueries } from "../redis/query-log.ts";
import { readCheckedAt } from "../redis/run-history.ts";
import { createQueryNotes, type QueryNotes } from "../telemetry/query-notes.ts";
import { releaseOrphanedLeases } from "../redis/lease.ts";
import { createWriteQueue, type WriteQueue } from "../redis/write-queue.ts";
import { createRedisGuard, type RedisGuard } from "../redis/redis-guard.ts";
import { useOwn } from "../meilisearch/stored-vocabulary.ts";
import { cacheSearches } from "../search/cached-search.ts";
import { createPlaceSearch } from "../search/search-places.ts";
import type { PlaceSearch } from "../search/search-request.ts";
import {
  createDemoMapFinder,
  isDemoUnfinished,
  markDemoFinished,
  printBanner,
  importDemoPlaces,
  layDemoMap,
  readDemoKey,
} from "./demo.ts";
import { checkPort, type Closers, endOnCrash, startHttp } from "../http/server.ts";
import { createClusterTelemetry } from "../telemetry/cluster-telemetry.ts";
import { type RunningTelemetry, startSharedMetrics, startTelemetry } from "../telemetry/start-telemetry.ts";
import { type SharedByProcesses, startWorkers } from "./workers.ts";
import { PLACE_SCOPES, SCOPES, type CallerLimits, type Scope } from "../keys/key-record.ts";
import { createCallers, createConfiguredKeys, type Callers, createKeyDirectory } from "../keys/callers.ts";
import { type Engines, acquireEngines } from "../local-engines/acquire-engines.ts";
import { readWantedDivision } from "../local-engines/engine-folders.ts";
import { REPLICA_WATCH, startHelper, WRITE_WORKER } from "./helper-programs.ts";
import { createKeyStore } from "../redis/key-store.ts";
import type { IndexReport, Telemetry } from "../telemetry/telemetry.ts";
import { findExcessPermissions, withSearchKeys } from "../partitions/search-keys.ts";
import { openPlaceIndex } from "../partitions/open-place-index.ts";
import { DEFAULT_INDEX_PREFIX, readGivenIndex, type Topology } from "../partitions/topology.ts";
import { readPlaygroundAssets } from "../assets/assets.ts";
import { readMapTiles } from "../assets/map-tiles.ts";
import { DEMO_KEY_PATH, isOnlyForThisMachine, type Playground } from "../http/routes/playground.ts";
import type { AnswerMcp } from "../http/routes/mcp.ts";

/** How long the start waits for Redis. The server also starts without it. */
const REDIS_WAIT_MS = 1_000;

/** How long the start waits for the overview. That of a million places takes a quarter of a second. The server also starts without it. */
const PREPARE_MS = 5_000;

/** Runs the server with the settings of the environment, until a signal ends it. */
export async function serve(stopping: AbortController, closers: Closers): Promise<void> {
  const { signal } = stopping;
  const config = await readEnvironment(signal);
  const log = openLog();
  const logger = createLogger({ level: config.LOG_LEVEL, destination: log });
  endOnCrash(logger, stopping);
  if (config.WORKERS > 1) return serveWithWorkers(config, { logger, log, signal, closers });

  const telemetry = await startTelemetry(config, logger);
  closers.push(telemetry.stop);
  const engines = await startEngines(config, { logger, signal, closers });
  const index = await serveRequests(config, { ...engines, telemetry, logger, signal, closers });
  await fillEmptyIndex(index, config, { ...engines, signal });
  await reportStart(index, config, { ...engines, logger, log });
  if (!signal.aborted) await once(signal, "abort");
  logger.info("server_stopping");
}

type ServerLog = ReturnType<typeof openLog>;

interface Running {
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly closers: Closers;
}

/** Runs several processes on one port. This process starts the engines once and serves no requests itself. */
async function serveWithWorkers(
  config: Config,
  running: Running & { readonly log: ServerLog },
): Promise<void> {
  const { logger, log, signal, closers } = running;
  await checkPort(config);
  closers.push(await startSharedMetrics(config, logger));
  const engines = await startEngines(config, { logger, signal, closers });
  if (engines.shared.redisUrl === undefined) throw new ConfigError(WORKERS_NEED_REDIS);
  const workers = await startWorkers({ count: config.WORKERS, logger, ...engines, signal });
  closers.push(workers.stop);
  const index = openPlaceIndex(engines.shared.index);
  closers.push(() => index.close());
  await fillEmptyIndex(index, config, { ...engines, signal });
  await reportStart(index, config, { ...engines, logger, log });
  if (!signal.aborted) await Promise.race([once(signal, "abort"), workers.failed]);
  logger.info("server_stopping");
}

const WORKERS_NEED_REDIS =
  "WORKERS needs Redis, in which all processes count the requests of a caller together. Install redis-server, or set REDIS_URL.";

interface StartedEngines {
  readonly shared: SharedByProcesses;
  readonly isNew: boolean;
  readonly isDataDamaged?: (() => boolean) | undefined;
}

/** Connects to the configured engine and Redis, or starts local ones. @throws {LocalEnginesError} when those cannot start. */
async function startEngines(config: Config, { logger, signal, closers }: Running): Promise<StartedEngines> {
  const engines = await acquireEngines({
    dataDir: config.DATA_DIR,
    index: readGivenIndex(config),
    redisUrl: config.REDIS_URL,
    indexingMemory: config.MEILI_MAX_INDEXING_MEMORY,
    division: readWantedDivision(config),
    role: "server",
    needs: { redis: true },
    onEvent: ({ name, ...fields }) => logger[name === "engine_started" ? "info" : "warn"](fields, name),
    signal,
  });
  closers.push(() => engines.stop());
  const { isLocal, isNew, isDataDamaged, redis, redisStartedAt } = engines;
  const apiKeys = chooseApiKeys(config, engines);
  const index = await chooseEngineKeys(engines, logger);
  if (redis && redisStartedAt) await releaseOldLeases(redis.url, redisStartedAt);
  // Without Redis nothing would keep it apart from other commands.
  if (redis && isLocal && index.engines.length > 1) closers.push(startHelper(REPLICA_WATCH, logger));
  if (redis && isLocal && config.WRITE_API === "on") closers.push(startHelper(WRITE_WORKER, logger));
  return { shared: { index, redisUrl: redis?.url, apiKeys, isLocal }, isNew, isDataDamaged };
}

/** Those of a process that was killed together with its Redis. */
async function releaseOldLeases(url: string, startedAt: Date): Promise<void> {
  const redis = createRedisConnection({ url, logger: createLogger({ level: "silent" }) });
  if (await waitForRedis(redis, REDIS_WAIT_MS))
    await releaseOrphanedLeases(redis, DEFAULT_INDEX_PREFIX, startedAt);
  await closeRedisConnection(redis);
}

export interface ServingOptions extends Running {
  readonly shared: SharedByProcesses;
  readonly telemetry: RunningTelemetry;
  readonly isDataDamaged?: (() => boolean) | undefined;
  /** Resolves when no other process listens on the port either; absent when there is none. */
  readonly untilPortIsClosed?: () => Promise<void>;
}

/** Wires one process together and starts to listen. Returns the index, whose places it serves. */
export async function serveRequests(config: Config, options: ServingOptions): Promise<PlaceIndex> {
  const { shared, logger, signal, closers, isDataDamaged, untilPortIsClosed } = options;
  const { telemetry, tracer, watchIndex, watchWrites } = options.telemetry;
  const cluster = createClusterTelemetry(telemetry, logger);
  const guardEngine = (ask: Ask, engine: string): Ask => createEngineGate({ ask, ...cluster.of(engine) });
  const opened = openPlaceIndex(shared.index, { guard: guardEngine, isDataDamaged, ...cluster });
  const mayWrite = config.WRITE_API === "on";
  let writesDone = 0;
  const onDone = (): void => void (writesDone += 1);
  const freshness = mayWrite ? { freshMs: FRESH_WITH_WRITES_MS, writes: () => writesDone } : {};
  const index = cachePlaces(opened, { telemetry, ...freshness });
  closers.push(() => index.close());
  const redis =
    shared.redisUrl === undefined ? undefined : createRedisConnection({ url: shared.redisUrl, logger });
  if (redis) {
    closers.push(() => closeRedisConnection(redis));
    await waitForRedis(redis, REDIS_WAIT_MS);
  }
  watchIndex({ readState: () => readIndexReport(index, redis), version: INDEX_VERSION });

  const placeSearch = createPlaceSearch(index, { useOwn });
  const search = cacheSearches(placeSearch, { telemetry, ...freshness });
  await prepare(index, placeSearch.prepared);
  lookForWords(placeSearch, closers);
  const now = (): Temporal.Instant => Temporal.Now.instant();
  const limits = { perMinute: config.RATE_LIMIT_PER_MINUTE, perDay: config.RATE_LIMIT_PER_DAY };
  const guard = createRedisGuard({ logger, telemetry });
  const { apiKeys } = shared;
  // The demo key is for whoever has started the server.
  const scopes = shared.isLocal && config.API_KEYS.length === 0 ? SCOPES : PLACE_SCOPES;
  const callers = openCallers({ apiKeys, scopes, limits, redis, guard, logger, telemetry, now }, closers);
  const counting = redis && { redis, askRedis: guard.askForLimits };
  const limiter = createLimiter({ shared: counting, telemetry, now });
  const eyes = { telemetry, tracer, slowRequestMs: config.SLOW_REQUEST_MS };
  const pages = await preparePages(config, { shared, index });
  const parts = {
    config: { ...config, CORS_ORIGINS: chooseOrigins(config, shared) },
    callers,
    limiter,
    index,
    search,
    redis,
    logger,
    now,
    writes: mayWrite ? openWriteQueue(shared, { logger, closers, watchWrites, onDone }) : undefined,
    ...eyes,
    ...pages,
  };
  const noteSearch = redis && config.QUERY_LOG === "on" ? startQueryNotes(redis, now, closers) : undefined;
  await startHttp({ ...parts, noteSearch, untilPortIsClosed }, signal, closers);
  return index;
}

/** Words that were added are found within seconds, also by the first request after a while. */
function lookForWords(search: Pick<PlaceSearch, "epoch">, closers: Closers): void {
  const looking = setInterval(() => search.epoch(), LOOK_FOR_WORDS_MS).unref();
  closers.push(async () => clearInterval(looking));
}

/** With the time of a search and of its cache, new words count within five seconds. */
const LOOK_FOR_WORDS_MS = 2_000;

/** With a write API, all servers see a change two seconds after it was sent. Half of that belongs to the engine. */
const FRESH_WITH_WRITES_MS = 1_000;

/** Who asks again for the state of a write must not empty the caches again. */
const MAX_DONE = 10_000;

/** A write has megabytes, and waits for the disk of Redis. */
const WRITE_TIMEOUT_MS = 2_000;

/**
 * Nothing without a Redis on a server with its own engine, which is for trying out.
 * @throws {ConfigError} without a Redis elsewhere.
 */
function openWriteQueue(
  { redisUrl: url, isLocal }: SharedByProcesses,
  {
    logger,
    closers,
    watchWrites,
    onDone,
  }: Pick<ServingOptions, "logger" | "closers"> &
    Pick<RunningTelemetry, "watchWrites"> & {
      /** Called when a caller will hear that a write is done. */
      readonly onDone: () => void;
    },
): WriteQueue | undefined {
  if (url === undefined && !isLocal) throw new ConfigError(WRITES_NEED_REDIS);
  if (url === undefined) logger.warn({ reason: WRITES_NEED_REDIS }, "write_api_off");
  if (url === undefined) return undefined;
  // Of its own: what requests ask of Redis on the way must not wait for a large write.
  const redis = createRedisConnection({ url, logger, commandTimeoutMs: WRITE_TIMEOUT_MS });
  closers.push(() => closeRedisConnection(redis));
  const queue = createWriteQueue(redis, DEFAULT_INDEX_PREFIX);
  watchWrites(queue);
  const done = new LRUCache<string, true>({ max: MAX_DONE });
  return {
    ...queue,
    async readState(id) {
      const state = await queue.readState(id);
      if (state?.outcomes && !done.has(id)) onDone();
      if (state?.outcomes) done.set(id, true);
      return state;
    },
  };
}

async function readIndexReport(
  index: Pick<PlaceIndex, "readState">,
  redis: RedisConnection | undefined,
): Promise<IndexReport> {
  const state = await index.readState();
  if (state.state !== "ready") return state;
  return { ...state, checkedAt: await readCheckedAt(redis, state.builtAt) };
}

const WRITES_NEED_REDIS =
  "WRITE_API=on needs Redis, in which writes wait for the worker. Install redis-server, or set REDIS_URL.";

/** Pages of a server for development on this machine, which has another port. */
const LOCAL_PAGES = ["http://localhost:*", "http://127.0.0.1:*"];

/** Whose pages may call: those of the setting, or, where everything is on this machine, those of this machine. */
function chooseOrigins(config: Config, { isLocal }: SharedByProcesses): string[] {
  const { CORS_ORIGINS } = config;
  return CORS_ORIGINS.length === 0 && isLocal && isOnlyForThisMachine(config)
    ? [...LOCAL_PAGES]
    : CORS_ORIGINS;
}

function startQueryNotes(
  redis: RedisConnection,
  now: () => Temporal.Instant,
  closers: Closers,
): QueryNotes["note"] {
  const notes = createQueryNotes({ write: (date, noted) => addQueries(redis, date, noted), now });
  closers.push(() => notes.close());
  return notes.note;
}

/** Tells the operator what is served: on the terminal when the engines are local, and in the log when something is missing. */
async function reportStart(
  index: PlaceIndex,
  config: Config,
  {
    shared,
    logger,
    log,
  }: Pick<StartedEngines, "shared"> & { readonly logger: Logger; readonly log: ServerLog },
): Promise<void> {
  const state = await index.readState();
  if (shared.isLocal) {
    const demoKey = config.API_KEYS.length === 0 ? shared.apiKeys[0] : undefined;
    printBanner({ config, state, demoKey, hasRedis: shared.redisUrl !== undefined });
    log.remindOf?.(
      [config.PUBLIC_BASE_URL, ...(demoKey === undefined ? [] : [`API key: ${demoKey}`])].join("  "),
    );
  }
  if (state.state !== "ready") logger.warn({ index: state }, "index_not_ready");
}

/** The settings, once the files with secrets are there. @throws {ConfigError} */
export async function readEnvironment(signal: AbortSignal): Promise<Config> {
  loadEnvironmentFile(process.env);
  await waitForSecretFiles(process.env, {
    signal,
    onWait: (paths) => console.error(`Waiting for ${paths.join(", ")} ...`),
  });
  return readConfig(process.env);
}

/** Warms up the engine and the search, so that the first requests are as fast as later ones. */
async function prepare(index: PlaceIndex, prepared: Promise<void>): Promise<void> {
  const inTime = sleep(PREPARE_MS, undefined, { ref: false });
  await Promise.race([Promise.all([prepared, index.warmUp()]), inTime]);
}

/** Only for a data directory that has never held an index: elsewhere, a missing index may be lost data. */
async function fillEmptyIndex(
  index: PlaceIndex,
  { DEMO_PLACES, DATA_DIR }: Config,
  { shared, isNew, signal }: Pick<StartedEngines, "shared" | "isNew"> & { readonly signal: AbortSignal },
): Promise<void> {
  if (!shared.isLocal || !(isNew || isDemoUnfinished(DATA_DIR))) return;
  const { state } = await index.readState();
  if (state === "ready") markDemoFinished(DATA_DIR);
  if (state !== "missing" || DEMO_PLACES === 0) return;
  process.stderr.write(`First start: making and importing ${DEMO_PLACES} demo places ...\n`);
  const demo = { places: DEMO_PLACES, dataDir: DATA_DIR, signal };
  await importDemoPlaces(demo);
  const filled = await index.readState();
  if (filled.state === "ready") layDemoMap(DATA_DIR, filled.builtAt);
  // At the start there was no index to warm up.
  await index.warmUp();
}

interface CallersOptions {
  readonly apiKeys: readonly string[];
  /** Of those keys. */
  readonly scopes: readonly Scope[];
  readonly limits: CallerLimits;
  readonly redis: RedisConnection | undefined;
  readonly guard: RedisGuard;
  readonly logger: Logger;
  readonly telemetry: Telemetry;
  readonly now: () => Temporal.Instant;
}

/** The callers with configured keys, and those with keys in Redis when there is one. */
function openCallers(
  { apiKeys, scopes, redis, guard, ...options }: CallersOptions,
  closers: Closers,
): Callers {
  if (!redis) return createCallers(apiKeys, options.limits, scopes);
  const findConfigured = createConfiguredKeys(apiKeys, options.limits, scopes);
  const store = createKeyStore(redis);
  const directory = createKeyDirectory({ ...options, findConfigured, store, askStore: guard.askForKey });
  closers.push(() => directory.close());
  return directory;
}

/**
 * A server that starts its own engine is for trying out and creates a key. Any other requires keys in Redis or in API_KEYS.
 * @throws {ConfigError} when there is neither.
 */
function chooseApiKeys({ API_KEYS, DATA_DIR }: Config, engines: Engines): readonly string[] {
  if (API_KEYS.length > 0) return API_KEYS;
  if (engines.isLocal) return [readDemoKey(DATA_DIR)];
  if (engines.redis) return [];
  throw new ConfigError(
    "Set API_KEYS to at least one key, or REDIS_URL to a Redis with keys. Without a key, no request can be accepted.",
  );
}

/** Warns about engine keys that allow more than searching. Keys of engines that we start only allow searching. */
async function chooseEngineKeys({ isLocal, index }: Engines, logger: Logger): Promise<Topology> {
  if (isLocal) return withSearchKeys(index);
  void findExcessPermissions(index).then(
    (rights) => rights.length > 0 && logger.warn({ may: rights }, "engine_key_too_powerful"),
    (err: unknown) => logger.warn({ err }, "engine_key_unchecked"),
  );
  return index;
}

interface PageParts {
  readonly shared: SharedByProcesses;
  readonly index: PlaceIndex;
}

/** What is served besides the operations: the docs, the map and the tools for language models. */
async function preparePages(config: Config, parts: PageParts) {
  const playground = await preparePlayground(config, parts);
  const demoKeyPath = playground?.demoKey === undefined ? undefined : DEMO_KEY_PATH;
  return { docs: await readDocsSite(config, { demoKeyPath }), playground, mcp: prepareMcp(config) };
}

/** The map, unless it is switched off. It contains the demo key only when the server listens on loopback. */
async function preparePlayground(
  config: Config,
  { shared, index }: PageParts,
): Promise<Playground | undefined> {
  if (config.PLAYGROUND === "off") return undefined;
  const [demoKey] = shared.apiKeys;
  const { TILES_URL: url, TILES_ATTRIBUTION, PHOTO_ORIGINS: photoOrigins, ATTRIBUTION: attribution } = config;
  const isPictures = url !== undefined && !isTilesFile(url);
  const tiles = isPictures ? { url, attribution: TILES_ATTRIBUTION } : null;
  const settings = { tiles, photoOrigins, attribution };
  const isDemo = shared.isLocal && config.API_KEYS.length === 0 && isOnlyForThisMachine(config);
  const findTiles = isPictures ? undefined : await chooseTiles(config, shared, index);
  return { assets: readPlaygroundAssets(), settings, findTiles, ...(isDemo && { demoKey }) };
}

/**
 * The configured file of tiles, or else the map of the demo.
 * @throws {ConfigError} when the configured file is missing or broken.
 */
async function chooseTiles(
  { TILES_URL: path, TILES_ATTRIBUTION: attribution, DATA_DIR }: Config,
  { isLocal }: SharedByProcesses,
  index: PlaceIndex,
): Promise<Playground["findTiles"]> {
  if (path === undefined) return isLocal ? createDemoMapFinder(index, DATA_DIR) : undefined;
  const tiles = await readMapTiles(path);
  const credited = { ...tiles, attribution: attribution || tiles.attribution };
  return () => Promise.resolve(credited);
}

/** Loads the protocol's library with the first message: most servers never get one. */
function prepareMcp(config: Config): AnswerMcp | undefined {
  if (config.MCP === "off") return undefined;
  let answer: Promise<AnswerMcp> | undefined;
  return async (...message) => {
    answer ??= import("../mcp/answer-mcp.ts").then(({ createMcpAnswer }) => createMcpAnswer(config));
    return (await answer)(...message);
  };
}
