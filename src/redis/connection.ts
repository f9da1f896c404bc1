import { setTimeout as sleep } from "node:timers/promises";
import { Cluster, Redis } from "ioredis";
import type { Logger } from "../telemetry/logger.ts";
import { parseRedisUrl, type RedisAddress } from "./redis-url.ts";

/** One Redis, or a cluster: then keys that one command or script uses must have the same hash tag (`keys.ts`). */
export type RedisConnection = Redis | Cluster;
export type SingleRedis = Redis;

interface ConnectionOptions {
  /** `redis:`, `rediss:`, the Sentinels that know which Redis is the master, or nodes of a cluster (`parseRedisUrl`). */
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
  const address = parseRedisUrl(options.url);
  const redis =
    address && "nodes" in address ? connectCluster(address, options) : connectOne(address, options);
  logChanges(redis, options.logger);
  return redis;
}

/** Doubles the time to the next attempt, up to `MAX_RETRY_MS`. */
const retryStrategy = (attempt: number): number =>
  Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), MAX_RETRY_MS);

const toSettings = ({ commandTimeoutMs = COMMAND_TIMEOUT_MS }: ConnectionOptions) => ({
  connectionName: "hereabouts",
  maxRetriesPerRequest: 0,
  commandTimeout: commandTimeoutMs,
  connectTimeout: CONNECT_TIMEOUT_MS,
  socketTimeout: SOCKET_TIMEOUT_MS,
});

function connectOne(address: RedisAddress | undefined, options: ConnectionOptions): Redis {
  const settings = {
    ...toSettings(options),
    enableOfflineQueue: false,
    // What one request asks at once, such as its minute and its day, is one round trip.
    enableAutoPipelining: true,
    retryStrategy,
    // After a failover the old master is a replica that refuses writes.
    reconnectOnError: (error: Error) => error.message.startsWith("READONLY"),
  };
  return address && "sentinels" in address
    ? new Redis({ ...settings, ...address, sentinelRetryStrategy: retryStrategy })
    : new Redis(options.url, settings);
}

/** A command for a node that is away fails at once, too: one that were sent again later would count a request twice. */
function connectCluster(
  { nodes, login, usesTls }: Extract<RedisAddress, { nodes: unknown }>,
  options: ConnectionOptions,
): Cluster {
  const cluster = new Cluster(nodes, {
    redisOptions: { ...toSettings(options), ...login, ...(usesTls && { tls: {} }) },
    enableOfflineQueue: false,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    clusterRetryStrategy: retryStrategy,
    // A certificate is for the name of a node, which its address does not tell.
    ...(usesTls && { dnsLookup: (name, found) => found(null, name) }),
  });
  // Else the first commands for it would fail: those that come while it connects.
  cluster.on("+node", (node: Redis) => void node.connect().catch(() => undefined));
  return cluster;
}

function logChanges(redis: RedisConnection, logger: ConnectionOptions["logger"]): void {
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

/** Waits at most `timeoutMs` until commands can be sent, to all masters of a cluster. Resolves to whether they can. */
export async function waitForRedis(redis: RedisConnection, timeoutMs: number): Promise<boolean> {
  const allReady = async (): Promise<void> => {
    await untilReady(redis);
    if (redis instanceof Cluster) await Promise.all(redis.nodes("master").map(untilReady));
  };
  await waitFor(allReady(), timeoutMs);
  return redis.status === "ready";
}

const untilReady = (redis: RedisConnection): Promise<void> =>
  new Promise((resolve) => {
    if (redis.status === "ready") resolve();
    else redis.once("ready", resolve);
  });

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
