import { CommandError, EXIT } from "../cli/errors.ts";
import { OperatorError } from "../errors.ts";
import { untilAborted } from "../cli/interruption.ts";
import { runOrPrint, type CommandContext } from "../cli/run-program.ts";
import { acquireRedis } from "../local-engines/acquire-engines.ts";
import { describeTrouble } from "../local-engines/engine-process.ts";
import { createLogger } from "../telemetry/logger.ts";
import { closeRedisConnection, createRedisConnection, waitForRedis } from "../redis/connection.ts";
import { redisHosts } from "../redis/redis-url.ts";
import { createKeyStore, type KeyStore } from "../redis/key-store.ts";
import { KeyChangeError } from "../keys/change-key.ts";
import type { KeyRecord } from "../keys/key-record.ts";

/** The end of each command's help. */
export const COMMON_HELP = `
Redis: that of REDIS_URL, else that of the server that runs on DATA_DIR, else a temporary one on
DATA_DIR, where the next server finds the keys.

Exit status: 0 done; 1 failed; 2 wrong usage or configuration; 130 or 143
interrupted by Ctrl-C or SIGTERM.`;

/** Runs an action with the stored keys. Resolves to the exit code. */
export function runWithStore(
  context: CommandContext,
  json: boolean,
  run: (store: KeyStore) => Promise<void>,
): Promise<number> {
  return runOrPrint(context, json, async () => {
    try {
      await withKeyStore(context, run);
      return EXIT.done;
    } catch (error) {
      throw toReadableError(error);
    }
  });
}

/** An error without a readable message comes from Redis or a file. */
function toReadableError(error: unknown): unknown {
  if (error instanceof OperatorError || !(error instanceof Error)) return error;
  if (error instanceof KeyChangeError) return new CommandError(error.message, { cause: error });
  return new CommandError(
    `The command failed and may have taken effect; check with "keys list". The reason: ${error.message}`,
    { cause: error },
  );
}

/** A running Redis responds within milliseconds, a newly started one within a second. */
const REDIS_WAIT_MS = 2_000;

/** A backup of many thousand keys is one command. */
const COMMAND_TIMEOUT_MS = 10_000;

/**
 * Runs with the keys in Redis.
 * @throws {CommandError} when there is no Redis, or it does not respond.
 */
async function withKeyStore(
  { config, say, interruption: { signal } }: CommandContext,
  run: (store: KeyStore) => Promise<void>,
): Promise<void> {
  const redis = await acquireRedis({
    dataDir: config.DATA_DIR,
    redisUrl: config.REDIS_URL,
    role: "keys",
    onEvent: (event) => {
      const trouble = describeTrouble(event);
      if (trouble !== undefined) say(trouble);
    },
    signal,
  });
  try {
    if (redis.url === undefined) throw noRedis(config.DATA_DIR);
    if (redis.isOwner) say(`No server runs on ${config.DATA_DIR}: its Redis is started for this command.`);
    await connect(redis.url, signal, run);
  } finally {
    await redis.stop();
  }
}

const noRedis = (dataDir: string): CommandError =>
  new CommandError(
    "There is no Redis to store keys in. Set REDIS_URL to that of the servers, or install redis-server " +
      `and restart the server on ${dataDir}.`,
  );

async function connect(
  url: string,
  signal: AbortSignal,
  run: (store: KeyStore) => Promise<void>,
): Promise<void> {
  const logger = createLogger({ level: "silent" });
  const redis = createRedisConnection({ url, logger, commandTimeoutMs: COMMAND_TIMEOUT_MS });
  let lastError = "";
  redis.on("error", (error: Error & { code?: string }) => (lastError = error.message || (error.code ?? "")));
  try {
    const isUp = await untilAborted(() => waitForRedis(redis, REDIS_WAIT_MS), signal);
    if (!isUp) throw noResponse(url, lastError);
    await run(createKeyStore(redis));
  } finally {
    await closeRedisConnection(redis);
  }
}

/** Leaves out the password that the URL may contain. */
function noResponse(url: string, reason: string): CommandError {
  const why = reason === "" ? "" : ` (${reason})`;
  return new CommandError(
    `Redis at ${redisHosts(url)} does not respond${why}. Start it, or fix REDIS_URL. Nothing was changed.`,
  );
}

export const unknownKey = (id: string): CommandError =>
  new CommandError(`No key has the id ${id}. "keys list" shows all keys.`);

/**
 * Changes one key in one step. Resolves to the final result of `change`.
 * @throws {CommandError} when there is no such key, and what `change` throws.
 */
export async function changeOne<T extends { readonly record: KeyRecord }>(
  store: KeyStore,
  id: string,
  change: (record: KeyRecord) => T,
): Promise<T> {
  let changed: T | undefined;
  await store.change([id], (found) => {
    const record = found.get(id);
    if (!record) throw unknownKey(id);
    changed = change(record);
    return changed.record === record ? [] : [changed.record];
  });
  if (!changed) throw unknownKey(id);
  return changed;
}
