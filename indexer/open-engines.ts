import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../src/config.ts";
import { acquireEngines, type Engines } from "../src/local-engines/acquire-engines.ts";
import type { EngineEvent } from "../src/local-engines/engine-event.ts";
import { createIndexAdmin, type IndexAdmin } from "../src/place-index/index-admin.ts";
import { ImportError } from "./import-error.ts";
import type { Interruption } from "./interruption.ts";
import type { ProgressStream } from "./progress.ts";

interface OpenOptions {
  readonly config: Config;
  readonly stderr: ProgressStream;
  readonly interruption: Pick<Interruption, "signal">;
}

/** What a command that looks at the indexes works with. */
export interface OpenedIndexes {
  readonly admin: IndexAdmin;
  readonly redisUrl: string | undefined;
  /** The folder of an engine of our own, whose disk can be looked at. */
  readonly localDataDir: string | undefined;
}

/**
 * Runs with the engines: those of the URLs, else those of the server on DATA_DIR, else its own for as long as it takes. Where no
 * engine ever ran none is started.
 * @throws {ImportError} where there is nothing to look at.
 */
export async function withIndexes<T>(
  { config, stderr, interruption }: OpenOptions,
  run: (indexes: OpenedIndexes) => Promise<T>,
): Promise<T> {
  checkSomethingThere(config);
  const engines = await acquireForIndexer({
    config,
    needsRedis: config.MEILISEARCH_URL === undefined,
    say: (text) => void stderr.write(`${text}\n`),
    signal: interruption.signal,
  });
  const admin = createIndexAdmin(engines.meilisearch);
  try {
    return await run({
      admin,
      redisUrl: engines.redis?.url,
      localDataDir: engines.isLocal ? config.DATA_DIR : undefined,
    });
  } finally {
    await admin.close();
    await engines.stop();
  }
}

function checkSomethingThere({ MEILISEARCH_URL: url, DATA_DIR: dataDir }: Config): void {
  if (url !== undefined || existsSync(join(dataDir, "meilisearch"))) return;
  throw new ImportError(
    `There is no index: ${dataDir} holds none, and MEILISEARCH_URL is not set. Import places first, or set one of the two.`,
  );
}

interface AcquireOptions {
  readonly config: Config;
  readonly needsRedis: boolean;
  readonly say: (text: string) => void;
  readonly signal: AbortSignal;
}

/** The engines of the URLs, else those of the server on DATA_DIR, else new ones, which end with `stop()`. */
export const acquireForIndexer = ({ config, needsRedis, say, signal }: AcquireOptions): Promise<Engines> =>
  acquireEngines({
    dataDir: config.DATA_DIR,
    meilisearchUrl: config.MEILISEARCH_URL,
    meilisearchKey: config.MEILISEARCH_KEY,
    redisUrl: config.REDIS_URL,
    role: "indexer",
    needs: { redis: needsRedis },
    onEvent: (event) => tellOfTrouble(event, say),
    signal,
  });

/** A start and a stop are what was expected; of anything else the person at the terminal should know. */
function tellOfTrouble(event: EngineEvent, say: (text: string) => void): void {
  if (event.name === "engine_started" || event.name === "redis_unavailable") return;
  const reason = "reason" in event ? `: ${event.reason}` : "";
  say(`${event.name.replaceAll("_", " ")}${reason}`);
}
