import { once } from "node:events";
import { createApp } from "./app.ts";
import { readPlaygroundAssets } from "./assets/playground-assets.ts";
import { printBanner } from "./banner.ts";
import { ConfigError, loadEnvironmentFile, readConfig, type Config } from "./config.ts";
import { importDemoGazetteer } from "./demo-gazetteer.ts";
import { isOnlyForThisMachine, readDemoKey } from "./demo-key.ts";
import { createHttpServer, drain, listen } from "./http-server.ts";
import { acquireEngines, type Engines } from "./local-engines/acquire-engines.ts";
import { createLogger, type Logger } from "./logger.ts";
import { createCallers } from "./middleware/callers.ts";
import { cachePlaces } from "./place-index/cached-places.ts";
import { createPlaceIndex } from "./place-index/create-place-index.ts";
import type { PlaceIndex } from "./place-index/place-index.ts";
import { closeRedisConnection, createRedisConnection, waitForRedis } from "./redis/connection.ts";
import type { Playground } from "./routes/playground.ts";
import { cacheSearches } from "./search/cached-search.ts";
import { createPlaceSearch } from "./search/search-places.ts";

/** The first requests should meet a connected Redis, but the server starts without it too. */
const REDIS_WAIT_MS = 1_000;

/** Things to close, in the order they were opened; they are closed in the opposite order. */
export type Closers = (() => Promise<void>)[];

/** From the environment to a listening server; returns when it is told to stop. */
export async function serve(signal: AbortSignal, closers: Closers): Promise<void> {
  loadEnvironmentFile();
  const config = readConfig(process.env);
  const logger = createLogger({ level: config.LOG_LEVEL });
  const engines = await startEngines(config, logger, signal);
  closers.push(() => engines.stop());
  const apiKeys = chooseApiKeys(config, engines);

  const index = cachePlaces(createPlaceIndex(engines.meilisearch));
  closers.push(() => index.close());
  const redis = engines.redis && createRedisConnection({ url: engines.redis.url, logger });
  if (redis) {
    closers.push(() => closeRedisConnection(redis));
    await waitForRedis(redis, REDIS_WAIT_MS);
  }

  const search = cacheSearches(createPlaceSearch(index));
  const limits = { perMinute: config.RATE_LIMIT_PER_MINUTE, perDay: config.RATE_LIMIT_PER_DAY };
  const callers = createCallers(apiKeys, limits);
  const now = (): Temporal.Instant => Temporal.Now.instant();
  const playground = preparePlayground(config, engines, apiKeys);
  const app = createApp({ config, callers, index, search, redis, playground, logger, now });
  const server = createHttpServer(app);
  await listen(server, config);
  closers.push(() => drain(server));
  logger.info({ host: config.HOST, port: config.PORT }, "server_listening");

  if (engines.isLocal) await fillEmptyIndex(index, config, signal);
  const state = await index.readState();
  if (engines.isLocal)
    printBanner({ config, state, apiKey: apiKeys[0] ?? "", hasRedis: redis !== undefined });
  if (state.state !== "ready") logger.warn({ index: state }, "index_not_ready");
  if (!signal.aborted) await once(signal, "abort");
  logger.info("server_stopping");
}

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

/** A server with engines of its own is somebody's trial: it makes itself a key. Any other must be given one. */
function chooseApiKeys({ API_KEYS, DATA_DIR }: Config, engines: Engines): readonly string[] {
  if (API_KEYS.length > 0) return API_KEYS;
  if (engines.isLocal) return [readDemoKey(DATA_DIR)];
  throw new ConfigError("API_KEYS must hold at least one key: without one nobody could call this server.");
}

/** The map, unless it is switched off. It gets the demo key where that is a key of this machine alone. */
function preparePlayground(
  config: Config,
  engines: Engines,
  [demoKey]: readonly string[],
): Playground | undefined {
  if (config.PLAYGROUND === "off") return undefined;
  const { TILES_URL: url, TILES_ATTRIBUTION: attribution, PHOTO_ORIGINS: photoOrigins } = config;
  const settings = { tiles: url === undefined ? null : { url, attribution }, photoOrigins };
  const isDemo = engines.isLocal && config.API_KEYS.length === 0 && isOnlyForThisMachine(config);
  return { assets: readPlaygroundAssets(settings), settings, ...(isDemo && { demoKey }) };
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
