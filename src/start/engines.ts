import type { Config } from "../config.ts";
import { acquireEngines, type Engines } from "../local-engines/acquire-engines.ts";
import type { Logger } from "../logger.ts";
import type { EngineAddress } from "../place-index/engine-connection.ts";
import { findExcessRights } from "../place-index/excess-rights.ts";
import { ensureSearchKey } from "../place-index/search-key.ts";

/** The engines of the configuration, or some of our own. @throws {LocalEnginesError} when those cannot start. */
export function startEngines(config: Config, logger: Logger, signal: AbortSignal): Promise<Engines> {
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

/** Engines of our own give a key that may only search. A given key that may do more is a danger the operator should know of. */
export async function chooseEngineKey(
  { isLocal, meilisearch }: Engines,
  logger: Logger,
): Promise<EngineAddress> {
  if (isLocal) return { url: meilisearch.url, key: await ensureSearchKey(meilisearch) };
  void findExcessRights(meilisearch).then(
    (rights) => rights.length > 0 && logger.warn({ may: rights }, "engine_key_too_powerful"),
    (err: unknown) => logger.warn({ err }, "engine_key_unchecked"),
  );
  return meilisearch;
}
