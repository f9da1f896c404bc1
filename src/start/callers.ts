import { ConfigError, type Config } from "../config.ts";
import { readDemoKey } from "../demo-key.ts";
import type { CallerLimits } from "../keys/caller.ts";
import { createCallers, createConfiguredKeys, type Callers } from "../keys/callers.ts";
import { createKeyDirectory } from "../keys/key-directory.ts";
import type { Engines } from "../local-engines/acquire-engines.ts";
import type { Logger } from "../logger.ts";
import type { RedisConnection } from "../redis/connection.ts";
import { createKeyStore } from "../redis/key-store.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { Closers } from "./closers.ts";

interface CallersOptions {
  readonly apiKeys: readonly string[];
  readonly limits: CallerLimits;
  readonly redis: RedisConnection | undefined;
  readonly logger: Logger;
  readonly telemetry: Telemetry;
  readonly now: () => Temporal.Instant;
}

/** The keys of the configuration, and those on Redis where there is one. */
export function openCallers({ apiKeys, redis, ...options }: CallersOptions, closers: Closers): Callers {
  if (!redis) return createCallers(apiKeys, options.limits);
  const findConfigured = createConfiguredKeys(apiKeys, options.limits);
  const directory = createKeyDirectory({ ...options, findConfigured, store: createKeyStore(redis) });
  closers.push(() => directory.close());
  return directory;
}

/**
 * A server with engines of its own is somebody's trial: it makes itself a key. Any other has them on Redis, or must be given one.
 * @throws {ConfigError} when nobody could call the server.
 */
export function chooseApiKeys({ API_KEYS, DATA_DIR }: Config, engines: Engines): readonly string[] {
  if (API_KEYS.length > 0) return API_KEYS;
  if (engines.isLocal) return [readDemoKey(DATA_DIR)];
  if (engines.redis) return [];
  throw new ConfigError(
    "API_KEYS must hold at least one key, or REDIS_URL lead to the Redis that has some: without one nobody could call this server.",
  );
}
