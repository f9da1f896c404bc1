import { setTimeout as sleep } from "node:timers/promises";
import type { EngineEvent } from "../src/local-engines/engine-event.ts";
import { acquireRedis } from "../src/local-engines/acquire-engines.ts";
import { createLogger } from "../src/logger.ts";
import { closeRedisConnection, createRedisConnection, waitForRedis } from "../src/redis/connection.ts";
import { createKeyStore, type KeyStore } from "../src/redis/key-store.ts";
import type { CommandContext } from "./command.ts";
import { KeysError } from "./keys-error.ts";

/** A Redis that is there answers within milliseconds, one that has just been started within a second. */
const REDIS_WAIT_MS = 2_000;

/** A backup of many thousand keys is one command. */
const COMMAND_TIMEOUT_MS = 10_000;

/**
 * Runs with the keys on Redis.
 * @throws {KeysError} when there is none, or it does not answer.
 */
export async function withKeyStore(
  { config, stderr, signal }: CommandContext,
  run: (store: KeyStore) => Promise<void>,
): Promise<void> {
  const say = (text: string): void => void stderr.write(`${text}\n`);
  const redis = await acquireRedis({
    dataDir: config.DATA_DIR,
    redisUrl: config.REDIS_URL,
    role: "keys",
    onEvent: (event) => tellOfTrouble(event, say),
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

const noRedis = (dataDir: string): KeysError =>
  new KeysError(
    "There is no Redis to keep keys in. Set REDIS_URL to that of the servers, or install a redis-server " +
      `and start the server on ${dataDir} again.`,
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
    const isUp = await Promise.race([waitForRedis(redis, REDIS_WAIT_MS), untilAborted(signal)]);
    signal.throwIfAborted();
    if (!isUp) throw noAnswer(url, lastError);
    await run(createKeyStore(redis));
  } finally {
    await closeRedisConnection(redis);
  }
}

async function untilAborted(signal: AbortSignal): Promise<false> {
  await sleep(REDIS_WAIT_MS, undefined, { signal, ref: false }).catch(() => undefined);
  return false;
}

/** Without the password that the URL may hold. */
function noAnswer(url: string, reason: string): KeysError {
  const why = reason === "" ? "" : ` (${reason})`;
  return new KeysError(
    `Redis at ${new URL(url).host} does not answer${why}. Start it, or set REDIS_URL to the right one. Nothing was changed.`,
  );
}

/** A start and a stop are what was expected; of anything else the person at the terminal should know. */
function tellOfTrouble(event: EngineEvent, say: (text: string) => void): void {
  if (event.name === "engine_started" || event.name === "redis_unavailable") return;
  const reason = "reason" in event ? `: ${event.reason}` : "";
  say(`${event.name.replaceAll("_", " ")}${reason}`);
}
