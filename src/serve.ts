import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { loadEnvironmentFile, readConfig, type Config } from "./config.ts";
import { waitForSecretFiles } from "./config/secret-files.ts";
import { readDocsSite } from "./docs/read-site.ts";
import { createLogger } from "./logger.ts";
import { createLimiter } from "./middleware/limiter.ts";
import { cachePlaces } from "./place-index/cached-places.ts";
import { createPlaceIndex } from "./place-index/create-place-index.ts";
import type { Ask } from "./place-index/engine-connection.ts";
import { createEngineGate } from "./place-index/engine-gate.ts";
import type { PlaceIndex } from "./place-index/place-index.ts";
import { closeRedisConnection, createRedisConnection, waitForRedis } from "./redis/connection.ts";
import { createRedisGuard } from "./redis/redis-guard.ts";
import { cacheSearches } from "./search/cached-search.ts";
import { createPlaceSearch } from "./search/search-places.ts";
import { printBanner } from "./start/banner.ts";
import { chooseApiKeys, openCallers } from "./start/callers.ts";
import type { Closers } from "./start/closers.ts";
import { endOnCrash } from "./start/crash.ts";
import { importDemoGazetteer } from "./start/demo-gazetteer.ts";
import { chooseEngineKey, startEngines } from "./start/engines.ts";
import { startHttp } from "./start/http.ts";
import { preparePlayground } from "./start/playground.ts";
import { startTelemetry } from "./telemetry/start-telemetry.ts";

/** The first requests should meet a connected Redis, but the server starts without it too. */
const REDIS_WAIT_MS = 1_000;

/** What is known of a gazetteer of a million places is read in a quarter of a second; with an engine that hangs the server starts too. */
const PREPARE_MS = 5_000;

/** From the environment to a listening server; returns when it is told to stop. */
export async function serve(stopping: AbortController, closers: Closers): Promise<void> {
  const { signal } = stopping;
  const config = await readEnvironment(signal);
  const logger = createLogger({ level: config.LOG_LEVEL });
  endOnCrash(logger, stopping);
  const { telemetry, tracer, watchIndex, stop: stopTelemetry } = await startTelemetry(config, logger);
  closers.push(stopTelemetry);
  const engines = await startEngines(config, logger, signal);
  closers.push(() => engines.stop());
  const apiKeys = chooseApiKeys(config, engines);

  const engine = await chooseEngineKey(engines, logger);
  const guardEngine = (ask: Ask): Ask => createEngineGate({ ask, telemetry, logger });
  const index = cachePlaces(createPlaceIndex(engine, guardEngine), { telemetry });
  closers.push(() => index.close());
  watchIndex(() => index.readState());
  const redis = engines.redis && createRedisConnection({ url: engines.redis.url, logger });
  if (redis) {
    closers.push(() => closeRedisConnection(redis));
    await waitForRedis(redis, REDIS_WAIT_MS);
  }

  const placeSearch = createPlaceSearch(index);
  const search = cacheSearches(placeSearch, { telemetry });
  await prepare(index, placeSearch.prepared);
  const now = (): Temporal.Instant => Temporal.Now.instant();
  const limits = { perMinute: config.RATE_LIMIT_PER_MINUTE, perDay: config.RATE_LIMIT_PER_DAY };
  const guard = createRedisGuard({ logger, telemetry });
  const callers = openCallers({ apiKeys, limits, redis, guard, logger, telemetry, now }, closers);
  const shared = redis && { redis, askRedis: guard.askForLimits };
  const limiter = createLimiter({ shared, telemetry, now });
  const eyes = { telemetry, tracer, slowRequestMs: config.SLOW_REQUEST_MS };
  const pages = { docs: await readDocsSite(config), playground: preparePlayground(config, engines, apiKeys) };
  const parts = { config, callers, limiter, index, search, redis, logger, now, ...eyes, ...pages };
  await startHttp(parts, signal, closers);

  if (engines.isLocal) await fillEmptyIndex(index, config, signal);
  const state = await index.readState();
  if (engines.isLocal)
    printBanner({ config, state, apiKey: apiKeys[0] ?? "", hasRedis: redis !== undefined });
  if (state.state !== "ready") logger.warn({ index: state }, "index_not_ready");
  if (!signal.aborted) await once(signal, "abort");
  logger.info("server_stopping");
}

async function readEnvironment(signal: AbortSignal): Promise<Config> {
  loadEnvironmentFile();
  await waitForSecretFiles(process.env, {
    signal,
    onWait: (paths) => console.error(`Waiting for ${paths.join(", ")} ...`),
  });
  return readConfig(process.env);
}

/** The first callers should get what all others get: from an engine that has loaded all it needs, and a search that knows where to look. */
async function prepare(index: PlaceIndex, prepared: Promise<void>): Promise<void> {
  const inTime = sleep(PREPARE_MS, undefined, { ref: false });
  await Promise.race([Promise.all([prepared, index.warmUp()]), inTime]);
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
