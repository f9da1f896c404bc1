import type { Config } from "../src/config.ts";
import { DEFAULT_INDEX_PREFIX, type EngineAddress } from "../src/place-index/engine-connection.ts";
import { closeRedisConnection, createRedisConnection, waitForRedis } from "../src/redis/connection.ts";
import { createCoordination, UNCOORDINATED, type Coordination } from "./coordination.ts";
import { ImportError } from "./import-error.ts";
import { acquireForIndexer } from "./open-engines.ts";

/** What a command that writes to an index works with. */
export interface WritingSession {
  readonly engine: EngineAddress;
  readonly coordination: Coordination;
  /** Where runs are remembered, when there is a Redis. */
  readonly redisUrl: string | undefined;
}

interface SessionOptions {
  readonly config: Config;
  /** The command's name, for others that it keeps waiting. */
  readonly command: string;
  /** False for somebody who knows that nobody else writes. */
  readonly wantsLease: boolean;
  readonly say: (text: string) => void;
  readonly signal: AbortSignal;
}

const REDIS_WAIT_MS = 5_000;

/** Our own process may stand still for a moment over a large batch; a lease bears that. */
const REDIS_COMMAND_TIMEOUT_MS = 4_000;

const NO_REDIS_URL =
  "MEILISEARCH_URL is set and REDIS_URL is not: without Redis nothing keeps two commands from writing at the same time. " +
  "Set REDIS_URL, the same wherever the indexer is run, or pass --no-lease if nobody else writes to this engine.";

/**
 * Runs with the engines: those of the URLs, else those of the server on DATA_DIR, else new ones for as long as it takes.
 * @throws {ImportError} when nothing could keep two writers apart.
 */
export async function withWritingSession<T>(
  options: SessionOptions,
  run: (session: WritingSession) => Promise<T>,
): Promise<T> {
  const { config, wantsLease, say, signal } = options;
  if (wantsLease && config.MEILISEARCH_URL !== undefined && config.REDIS_URL === undefined)
    throw new ImportError(NO_REDIS_URL);
  const engines = await acquireForIndexer({ config, needsRedis: wantsLease, say, signal });
  try {
    const engine = engines.meilisearch;
    const redisUrl = engines.redis?.url;
    if (!wantsLease) return await run({ engine, coordination: UNCOORDINATED, redisUrl });
    // Engines of our own without a Redis: one machine, and most likely one person.
    if (redisUrl === undefined) {
      say("There is no Redis to keep commands apart: let no other one write meanwhile.");
      return await run({ engine, coordination: UNCOORDINATED, redisUrl });
    }
    return await withCoordination(redisUrl, options, (coordination) =>
      run({ engine, coordination, redisUrl }),
    );
  } finally {
    await engines.stop();
  }
}

async function withCoordination<T>(
  redisUrl: string,
  { command, say }: SessionOptions,
  run: (coordination: Coordination) => Promise<T>,
): Promise<T> {
  const redis = createRedisConnection({
    url: redisUrl,
    logger: { info: () => {}, warn: () => {} },
    commandTimeoutMs: REDIS_COMMAND_TIMEOUT_MS,
  });
  try {
    if (!(await waitForRedis(redis, REDIS_WAIT_MS)))
      throw new ImportError(
        "Redis does not answer, and nothing else keeps two commands from writing at the same time. " +
          "Mend REDIS_URL, or pass --no-lease if nobody else writes to this engine.",
      );
    return await run(createCoordination({ redis, indexPrefix: DEFAULT_INDEX_PREFIX, command, say }));
  } finally {
    await closeRedisConnection(redis);
  }
}
