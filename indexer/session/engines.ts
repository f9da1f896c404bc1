import { ConfigError } from "../../src/errors.ts";
import { type Config } from "../../src/config.ts";
import { acquireEngines, type Engines } from "../../src/local-engines/acquire-engines.ts";
import { hasEngines, readWantedDivision } from "../../src/local-engines/engine-folders.ts";
import { describeTrouble } from "../../src/local-engines/engine-process.ts";
import { type IndexAdmin, openIndexAdmin } from "../index/index-admin.ts";
import { openPlaceIndex } from "../../src/partitions/open-place-index.ts";
import { connectEngine } from "../../src/meilisearch/connection.ts";
import { useOwn } from "../../src/meilisearch/stored-vocabulary.ts";
import { CommandError, toErrorText, Interrupted } from "../../src/cli/errors.ts";
import type { CommandContext } from "../../src/cli/run-program.ts";
import { DEFAULT_INDEX_PREFIX, readGivenIndex, type Topology } from "../../src/partitions/topology.ts";
import {
  closeRedisConnection,
  createRedisConnection,
  waitForRedis,
  type RedisConnection,
} from "../../src/redis/connection.ts";
import { createCoordination, UNCOORDINATED, type Coordination } from "./coordination.ts";
import { releaseOrphanedLeases } from "../../src/redis/lease.ts";
import { addCheck, addRun, readCheckedAt, type Run } from "../../src/redis/run-history.ts";
import { createLogger } from "../../src/telemetry/logger.ts";
import { totalRejected, type ImportTally } from "../clean/import-tally.ts";

/** What a session takes from its command. */
type SessionContext = Pick<CommandContext, "config" | "say" | "interruption">;

/** The open connections of a command that reads the indexes. */
export interface OpenedIndexes {
  readonly admin: IndexAdmin;
  readonly redisUrl: string | undefined;
  readonly index: Topology;
  /** The folder of an engine that this program runs, whose disk can be checked. */
  readonly localDataDir: string | undefined;
}

/**
 * Runs with the engine and Redis: those of the URLs, else those of the server on DATA_DIR, else temporary
 * ones. Starts none where none has ever run.
 * @throws {CommandError} where there is no index.
 */
export async function withIndexes<T>(
  context: SessionContext,
  run: (indexes: OpenedIndexes) => Promise<T>,
): Promise<T> {
  const { config } = context;
  checkSomethingThere(config);
  const engines = await acquireForIndexer(context, !namesEngines(config));
  const admin = openIndexAdmin(engines.index);
  try {
    // Commands that only look also look at an index that cannot be read.
    await useOwnOf(engines.index).catch(() => useOwn(undefined));
    return await run({
      admin,
      redisUrl: engines.redis?.url,
      index: engines.index,
      localDataDir: engines.isLocal ? config.DATA_DIR : undefined,
    });
  } finally {
    await admin.close();
    await engines.stop();
  }
}

const namesEngines = ({ MEILISEARCH_URL, TOPOLOGY }: Config): boolean =>
  (MEILISEARCH_URL ?? TOPOLOGY) !== undefined;

/** Whether there are engines that may have an index. */
export const isSomethingThere = (config: Config): boolean =>
  namesEngines(config) || hasEngines(config.DATA_DIR);

function checkSomethingThere(config: Config): void {
  if (isSomethingThere(config)) return;
  throw new CommandError(
    `There is no index: ${config.DATA_DIR} holds none, and neither MEILISEARCH_URL nor TOPOLOGY is set. Import places first, or set one of them.`,
  );
}

/**
 * Finds the engines of the URLs, else those of the server on DATA_DIR, else starts new ones, which `stop()`
 * ends.
 */
async function acquireForIndexer(
  { config, say, interruption: { signal } }: SessionContext,
  needsRedis: boolean,
): Promise<Engines> {
  const engines = await acquireEngines({
    dataDir: config.DATA_DIR,
    index: readGivenIndex(config),
    redisUrl: config.REDIS_URL,
    indexingMemory: config.MEILI_MAX_INDEXING_MEMORY,
    division: readWantedDivision(config),
    role: "indexer",
    needs: { redis: needsRedis },
    onEvent: (event) => {
      const trouble = describeTrouble(event);
      if (trouble !== undefined) say(trouble);
    },
    signal,
  });
  // Whatever a command opens and closes meanwhile uses their sockets.
  const held = engines.index.engines.map(connectEngine);
  const stop = async (): Promise<void> => {
    await Promise.all(held.map((connection) => connection.close()));
    await engines.stop();
  };
  return { ...engines, stop };
}

/** The open connections of a command that writes to an index. */
export interface WritingSession {
  readonly index: Topology;
  readonly coordination: Coordination;
  /** Where runs are recorded, when there is a Redis. */
  readonly redisUrl: string | undefined;
}

interface SessionOptions {
  /** The command's name, shown to commands that wait for this one. */
  readonly command: string;
  /** False when the caller guarantees that nothing else writes. */
  readonly lease: boolean;
  /** Of an import: it brings the kinds and fields of the new index itself. */
  readonly bringsOwn?: boolean;
}

/** Makes the kinds and fields of the live index those of this process. Rejects when it cannot be read. */
async function useOwnOf(address: Topology): Promise<void> {
  const index = openPlaceIndex(address);
  try {
    const { state } = await index.readState();
    const isThere = state !== "missing" && state !== "wrong_version";
    useOwn(isThere ? await index.readVocabulary() : undefined);
  } finally {
    await index.close();
  }
}

const REDIS_WAIT_MS = 5_000;

/** Our process may be busy with a large batch for a moment. A lease tolerates that. */
const REDIS_COMMAND_TIMEOUT_MS = 4_000;

const NO_REDIS_URL =
  "MEILISEARCH_URL or TOPOLOGY is set but REDIS_URL is not. Without Redis two commands could write at the same time. " +
  "Set REDIS_URL to the same Redis wherever the indexer runs, or pass --no-lease if no other process writes to this engine.";

/**
 * Runs with the engines: those of the URLs, else those of the server on DATA_DIR, else new ones for the
 * duration.
 * @throws {ConfigError} when nothing can keep two writers apart.
 * @throws {CommandError} when Redis does not respond.
 */
export async function withWritingSession<T>(
  context: SessionContext,
  { command, lease, bringsOwn = false }: SessionOptions,
  run: (session: WritingSession) => Promise<T>,
): Promise<T> {
  const { config, say } = context;
  if (lease && namesEngines(config) && config.REDIS_URL === undefined) throw new ConfigError(NO_REDIS_URL);
  const engines = await acquireForIndexer(context, lease);
  try {
    const { index } = engines;
    if (!bringsOwn) await useOwnOf(index);
    const redisUrl = engines.redis?.url;
    if (!lease) return await run({ index, coordination: UNCOORDINATED, redisUrl });
    // A local engine without Redis: one machine, and most likely one user.
    if (redisUrl === undefined) {
      say("There is no Redis: make sure that no other command writes to this index meanwhile.");
      return await run({ index, coordination: UNCOORDINATED, redisUrl });
    }
    return await withCoordination(
      { command, say, redisUrl, redisStartedAt: engines.redisStartedAt },
      (coordination) => run({ index, coordination, redisUrl }),
    );
  } finally {
    await engines.stop();
  }
}

interface CoordinatedOptions {
  readonly command: string;
  readonly say: (text: string) => void;
  readonly redisUrl: string;
  /** When this process started that Redis; absent for any other. */
  readonly redisStartedAt: Date | undefined;
}

async function withCoordination<T>(
  { redisUrl, redisStartedAt, command, say }: CoordinatedOptions,
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
          "Fix REDIS_URL, or pass --no-lease if no other process writes to this engine.",
      );
    if (redisStartedAt) await releaseOrphanedLeases(redis, DEFAULT_INDEX_PREFIX, redisStartedAt);
    return await run(createCoordination({ redis, indexPrefix: DEFAULT_INDEX_PREFIX, command, say }));
  } finally {
    await closeRedisConnection(redis);
  }
}

/** A running Redis responds within milliseconds, one that has just started within a second. */
const OPTIONAL_REDIS_WAIT_MS = 2_000;

/** Our process may be busy with a large page for a moment. */
const COMMAND_TIMEOUT_MS = 2_000;

/**
 * Opens a connection to Redis for `ask` and closes it afterwards.
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

/**
 * Records a run for `status` when there is a Redis. Nothing depends on the record, so a failure is ignored.
 */
export async function recordRun(url: string | undefined, run: Run): Promise<void> {
  if (url === undefined) return;
  await withRedis(url, (redis) => addRun(redis, run)).catch(() => undefined);
}

/** Notes that the index that was built at this time was found to be that of its sources. A failure is ignored. */
export async function noteCheck(url: string | undefined, builtAt: string | undefined): Promise<void> {
  if (url === undefined || builtAt === undefined) return;
  await withRedis(url, (redis) => addCheck(redis, builtAt)).catch(() => undefined);
}

/** When the index that was built at this time was last found to be that of its sources. */
export const readChecked = (url: string | undefined, builtAt: string): Promise<string> =>
  url === undefined
    ? Promise.resolve(builtAt)
    : withRedis(url, (redis) => readCheckedAt(redis, builtAt)).catch(() => builtAt);

interface RecordedRun {
  readonly command: string;
  /** Without Redis nothing is recorded. */
  readonly redisUrl: string | undefined;
  readonly tally: ImportTally;
}

/**
 * Runs a task that returns a number of places, and records the run for `status`. Throws the task's errors.
 */
export async function recordImport(
  { tally, ...recorded }: RecordedRun,
  run: () => Promise<number>,
): Promise<number> {
  let indexed = 0;
  const counts = () => ({ read: tally.read, rejected: totalRejected(tally), indexed });
  return recordRunWithCounts({ ...recorded, counts }, async () => (indexed = await run()));
}

interface RecordedCounts extends Omit<RecordedRun, "tally"> {
  /** Called when the task has ended. */
  readonly counts: () => Run["counts"];
}

/** Runs a task and records the run for `status`, with the given counts. Throws the task's errors. */
export async function recordRunWithCounts<T>(
  { command, redisUrl, counts }: RecordedCounts,
  run: () => Promise<T>,
): Promise<T> {
  const startedAt = new Date();
  const record = (ending: Pick<Run, "outcome" | "error">): Promise<void> =>
    recordRun(redisUrl, {
      command,
      ...ending,
      started_at: startedAt.toISOString(),
      duration_seconds: Math.round((Date.now() - startedAt.getTime()) / 10) / 100,
      counts: counts(),
    });
  try {
    const result = await run();
    await record({ outcome: "done" });
    return result;
  } catch (error) {
    const outcome = error instanceof Interrupted ? "interrupted" : "failed";
    await record({ outcome, error: toErrorText(error) });
    throw error;
  }
}
