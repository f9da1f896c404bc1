import { startSlowLine } from "../../support/dead-servers.ts";
import { startRedisServer, type RedisServer } from "../../support/redis-server.ts";

/** A Redis in good health, and one way of losing and mending it. */
export interface FaultyRedis extends AsyncDisposable {
  readonly url: string;
  readonly breakDown: () => Promise<unknown> | void;
  readonly repair: () => Promise<unknown> | void;
}

type Fault = (redis: RedisServer) => Pick<FaultyRedis, "breakDown" | "repair">;

const killed: Fault = (redis) => ({ breakDown: redis.kill, repair: redis.revive });

const hung: Fault = (redis) => ({ breakDown: redis.hang, repair: redis.goOn });

const turnedReplica: Fault = (redis) => ({
  breakDown: () => redis.command(["REPLICAOF", "127.0.0.1", "1"]),
  repair: () => redis.command(["REPLICAOF", "NO", "ONE"]),
});

const withoutReplicas: Fault = (redis) => ({
  breakDown: () => redis.command(["CONFIG", "SET", "min-replicas-to-write", "1"]),
  repair: () => redis.command(["CONFIG", "SET", "min-replicas-to-write", "0"]),
});

const full: Fault = (redis) => ({
  breakDown: () => redis.command(["CONFIG", "SET", "maxmemory", "1", "maxmemory-policy", "noeviction"]),
  repair: () => redis.command(["CONFIG", "SET", "maxmemory", "0"]),
});

const withNewPassword: Fault = (redis) => ({
  async breakDown() {
    await redis.command(["CONFIG", "SET", "requirepass", "new-password"]);
    await redis.command(["CLIENT", "KILL", "TYPE", "normal"], "new-password");
  },
  repair: () => redis.command(["CONFIG", "SET", "requirepass", ""], "new-password"),
});

const paused: Fault = (redis) => ({
  breakDown: () => redis.command(["CLIENT", "PAUSE", "600000", "ALL"]),
  // An operator's connection is paused, too: only a new server answers again.
  async repair() {
    await redis.kill();
    await redis.revive();
  },
});

async function start(fault: Fault): Promise<FaultyRedis> {
  const redis = await startRedisServer();
  return { url: redis.url, ...fault(redis), [Symbol.asyncDispose]: () => redis[Symbol.asyncDispose]() };
}

/** Longer than any request may wait. */
const SLOW_MS = 10_000;

async function startSlow(): Promise<FaultyRedis> {
  const redis = await startRedisServer();
  const line = await startSlowLine(new URL(redis.url));
  return {
    url: `redis://127.0.0.1:${line.port}`,
    breakDown: () => line.setDelay(SLOW_MS),
    repair: () => line.setDelay(0),
    async [Symbol.asyncDispose]() {
      await line[Symbol.asyncDispose]();
      await redis[Symbol.asyncDispose]();
    },
  };
}

/** What may become of a Redis, by name. */
export const REDIS_FAULTS: readonly {
  readonly name: string;
  readonly start: () => Promise<FaultyRedis>;
}[] = [
  { name: "is killed", start: () => start(killed) },
  { name: "hangs", start: () => start(hung) },
  { name: "is slow", start: startSlow },
  { name: "pauses all clients", start: () => start(paused) },
  { name: "becomes a replica that takes no writes", start: () => start(turnedReplica) },
  { name: "has lost the replicas it needs for writing", start: () => start(withoutReplicas) },
  { name: "has no memory left", start: () => start(full) },
  { name: "asks for another password", start: () => start(withNewPassword) },
];
