import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../src/config.ts";
import { acquireEngines, type Engines } from "../../src/local-engines/acquire-engines.ts";
import { describeTrouble } from "../../src/local-engines/engine-process.ts";
import { createIndexAdmin, type IndexAdmin } from "../index-build/index-admin.ts";
import { CommandError, toErrorText, Interrupted } from "../../src/cli/errors.ts";
import type { Interruption } from "../../src/cli/interruption.ts";
import type { ProgressStream } from "../../src/cli/progress.ts";
import { DEFAULT_INDEX_PREFIX, type EngineAddress } from "../../src/meilisearch/connection.ts";
import {
  closeRedisConnection,
  createRedisConnection,
  waitForRedis,
  type RedisConnection,
} from "../../src/redis/connection.ts";
import { createCoordination, UNCOORDINATED, type Coordination } from "../coordination.ts";
import { addRun, type Run } from "../../src/redis/run-history.ts";
import { createLogger } from "../../src/logger.ts";
import { totalRejected, type ImportTally } from "../clean/import-tally.ts";

interface OpenOptions {
  readonly config: Config;
  readonly stderr: ProgressStream;
  readonly interruption: Pick<Interruption, "signal">;
}

/** What a command that reads the indexes works with. */
export interface OpenedIndexes {
  readonly admin: IndexAdmin;
  readonly redisUrl: string | undefined;
  /** The folder of an engine of our own, whose disk can be looked at. */
  readonly localDataDir: string | undefined;
}

/**
 * Runs with the engine and Redis: those of the URLs, else those of the server on DATA_DIR, else temporary ones. None are started
 * where none ever ran.
 * @throws {CommandError} where there is no index.
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
  throw new CommandError(
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
const acquireForIndexer = ({ config, needsRedis, say, signal }: AcquireOptions): Promise<Engines> =>
  acquireEngines({
    dataDir: config.DATA_DIR,
    meilisearchUrl: config.MEILISEARCH_URL,
    meilisearchKey: config.MEILISEARCH_KEY,
    redisUrl: config.REDIS_URL,
    role: "indexer",
    needs: { redis: needsRedis },
    onEvent: (event) => {
      const trouble = describeTrouble(event);
      if (trouble !== undefined) say(trouble);
    },
    signal,
  });

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
  "MEILISEARCH_URL is set but REDIS_URL is not. Without Redis two commands could write at the same time. " +
  "Set REDIS_URL to the same Redis wherever the indexer runs, or pass --no-lease if nobody else writes to this engine.";

/**
 * Runs with the engines: those of the URLs, else those of the server on DATA_DIR, else new ones for as long as it takes.
 * @throws {CommandError} when nothing could keep two writers apart.
 */
export async function withWritingSession<T>(
  options: SessionOptions,
  run: (session: WritingSession) => Promise<T>,
): Promise<T> {
  const { config, wantsLease, say, signal } = options;
  if (wantsLease && config.MEILISEARCH_URL !== undefined && config.REDIS_URL === undefined)
    throw new CommandError(NO_REDIS_URL);
  const engines = await acquireForIndexer({ config, needsRedis: wantsLease, say, signal });
  try {
    const engine = engines.meilisearch;
    const redisUrl = engines.redis?.url;
    if (!wantsLease) return await run({ engine, coordination: UNCOORDINATED, redisUrl });
    // Engines of our own without a Redis: one machine, and most likely one person.
    if (redisUrl === undefined) {
      say("There is no Redis: make sure that no other command writes to this index meanwhile.");
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
      throw new CommandError(
        "Redis does not respond. Without it two commands could write at the same time. " +
          "Fix REDIS_URL, or pass --no-lease if nobody else writes to this engine.",
      );
    return await run(createCoordination({ redis, indexPrefix: DEFAULT_INDEX_PREFIX, command, say }));
  } finally {
    await closeRedisConnection(redis);
  }
}

/** A Redis that runs responds within milliseconds, one that has just been started within a second. */
const OPTIONAL_REDIS_WAIT_MS = 2_000;

/** Our own process may stand still for a moment over a large page. */
const COMMAND_TIMEOUT_MS = 2_000;

/**
 * Opens a connection to Redis for `ask`, and closes it.
 * @throws when Redis does not respond.
 */
export async function withRedis<T>(url: string, ask: (redis: RedisConnection) => Promise<T>): Promise<T> {
  const logger = createLogger({ level: "silent" });
  const redis = createRedisConnection({ url, logger, commandTimeoutMs: COMMAND_TIMEOUT_MS });
  try {
    if (!(await waitForRedis(redis, OPTIONAL_REDIS_WAIT_MS))) throw new Error("Redis does not respond.");
    return await ask(redis);
  } finally {
    await closeRedisConnection(redis);
  }
}

/** Remembers a run for `status`, where there is a Redis. Nothing depends on it, so nothing fails with it. */
export async function rememberRun(url: string | undefined, run: Run): Promise<void> {
  if (url === undefined) return;
  await withRedis(url, (redis) => addRun(redis, run)).catch(() => undefined);
}

interface Remembered {
  readonly command: string;
  /** Without a Redis nothing is remembered. */
  readonly redisUrl: string | undefined;
  readonly tally: ImportTally;
}

/** Runs something that ends with a number of places, and remembers for `status` how it went. Throws what it throws. */
export async function remembering(
  { tally, ...remembered }: Remembered,
  run: () => Promise<number>,
): Promise<number> {
  let indexed = 0;
  const counts = () => ({ read: tally.read, rejected: totalRejected(tally), indexed });
  return rememberingCounts({ ...remembered, counts }, async () => (indexed = await run()));
}

interface RememberedCounts extends Omit<Remembered, "tally"> {
  /** Asked for when it has ended. */
  readonly counts: () => Run["counts"];
}

/** Runs something and remembers for `status` how it went, with counts of its own. Throws what it throws. */
export async function rememberingCounts<T>(
  { command, redisUrl, counts }: RememberedCounts,
  run: () => Promise<T>,
): Promise<T> {
  const startedAt = new Date();
  const remember = (ending: Pick<Run, "outcome" | "error">): Promise<void> =>
    rememberRun(redisUrl, {
      command,
      ...ending,
      started_at: startedAt.toISOString(),
      duration_seconds: Math.round((Date.now() - startedAt.getTime()) / 10) / 100,
      counts: counts(),
    });
  try {
    const result = await run();
    await remember({ outcome: "done" });
    return result;
  } catch (error) {
    const outcome = error instanceof Interrupted ? "interrupted" : "failed";
    await remember({ outcome, error: toErrorText(error) });
    throw error;
  }
}
