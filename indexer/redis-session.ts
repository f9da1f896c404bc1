import {
  closeRedisConnection,
  createRedisConnection,
  waitForRedis,
  type RedisConnection,
} from "../src/redis/connection.ts";
import { addRun, type Run } from "../src/redis/run-history.ts";
import { createLogger } from "../src/logger.ts";

/** A Redis that is there answers within milliseconds, one that has just been started within a second. */
const REDIS_WAIT_MS = 2_000;

/** Our own process may stand still for a moment over a large page. */
const COMMAND_TIMEOUT_MS = 2_000;

/**
 * Asks Redis something, over a connection of its own.
 * @throws when it does not answer.
 */
export async function withRedis<T>(url: string, ask: (redis: RedisConnection) => Promise<T>): Promise<T> {
  const logger = createLogger({ level: "silent" });
  const redis = createRedisConnection({ url, logger, commandTimeoutMs: COMMAND_TIMEOUT_MS });
  try {
    if (!(await waitForRedis(redis, REDIS_WAIT_MS))) throw new Error("Redis does not answer.");
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
