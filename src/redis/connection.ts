import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import type { Logger } from "../telemetry/logger.ts";
import { parseSentinelUrl } from "./redis-url.ts";

export type RedisConnection = Redis;

interface ConnectionOptions {
  /** `redis:`, `rediss:`, or the Sentinels that know which Redis is the master (`parseSentinelUrl`). */
  readonly url: string;
  readonly logger: Pick<Logger, "info" | "warn">;
  /** How long a command may take before it counts as failed. */
  readonly commandTimeoutMs?: number;
}

/**
 * When a command fails. Time also passes while this process is blocked, so the limit is generous. Requests
 * use the shorter deadline of `createRedisGuard`.
 */
const COMMAND_TIMEOUT_MS = 250;
const CONNECT_TIMEOUT_MS = 500;
/** A socket that stays silent this long after a command is dead, even if it was not closed. */
const SOCKET_TIMEOUT_MS = 2_000;
const FIRST_RETRY_MS = 50;
/**
 * Also the longest time before a Redis that is back is noticed. With 100 ms the recovery in the soak took 1.5 to 2 s instead of 0.6 to
 * 1 s, and once in fifteen times more than five: commands on connections that fail at once open the breaker again and again.
 */
const MAX_RETRY_MS = 1_000;
const QUIT_TIMEOUT_MS = 500;

/**
 * Creates a connection that reconnects forever and never delays a request: while disconnected, a command
 * fails at once. Loss and recovery of Redis are logged once each.
 */
export function createRedisConnection(options: ConnectionOptions): RedisConnection {
  const retryStrategy = (attempt: number): number =>
    Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), MAX_RETRY_MS);
  const settings = {
    connectionName: "hereabouts",
    enableOfflineQueue: false,
    // What one request asks at once, such as its minute and its day, is one round trip.
    enableAutoPipelining: true,
    maxRetriesPerRequest: 0,
    commandTimeout: options.commandTimeoutMs ?? COMMAND_TIMEOUT_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    retryStrategy,
    // After a failover the old master is a replica that refuses writes.
    reconnectOnError: (error: Error) => error.message.startsWith("READONLY"),
  };
  const behind = parseSentinelUrl(options.url);
  const redis = behind
    ? new Redis({ ...settings, ...behind, sentinelRetryStrategy: retryStrategy })
    : new Redis(options.url, settings);
  logChanges(redis, options.logger);
  return redis;
}

function logChanges(redis: Redis, logger: ConnectionOptions["logger"]): void {
  let state: "unknown" | "up" | "down" = "unknown";
  redis.on("ready", () => {
    if (state !== "up") logger.info("redis_connected");
    state = "up";
  });
  redis.on("error", (err: Error) => {
    if (state !== "down") logger.warn({ err }, "redis_unavailable");
    state = "down";
  });
}

/** Waits at most `timeoutMs` until commands can be sent. Resolves to whether they can. */
export async function waitForRedis(redis: RedisConnection, timeoutMs: number): Promise<boolean> {
  const ready = new Promise<void>((resolve) => {
    if (redis.status === "ready") resolve();
    else redis.once("ready", resolve);
  });
  await waitFor(ready, timeoutMs);
  return redis.status === "ready";
}

/** Whether Redis responds. Never throws, and takes no longer than one command may. */
export async function isRedisUp(redis: RedisConnection): Promise<boolean> {
  try {
    return (await redis.ping()) === "PONG";
  } catch {
    return false;
  }
}

/** Quits cleanly if Redis responds, and disconnects in any case. */
export async function closeRedisConnection(redis: RedisConnection): Promise<void> {
  const gone = redis.quit().catch(() => undefined);
  await waitFor(gone, QUIT_TIMEOUT_MS);
  redis.disconnect();
}

/** Resolves with the promise, or after the time limit. */
async function waitFor(promise: Promise<unknown>, timeoutMs: number): Promise<void> {
  const stopWaiting = new AbortController();
  const late = sleep(timeoutMs, undefined, { signal: stopWaiting.signal }).catch(() => undefined);
  await Promise.race([promise, late]);
  stopWaiting.abort();
}
