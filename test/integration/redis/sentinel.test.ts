import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeRedisConnection, createRedisConnection, waitForRedis } from "../../../src/redis/connection.ts";
import { findDeadPort } from "../../support/dead-servers.ts";
import { createLogBook } from "../../support/log-lines.ts";
import { startRedisServer, type RedisServer } from "../../support/redis-server.ts";

const folder = mkdtempSync(join(tmpdir(), "hereabouts-sentinel-"));
let nodes: RedisServer[] = [];
let sentinels: { readonly port: number; readonly child: ChildProcess }[] = [];

/** Watches the master, and replaces it half a second after it is gone. */
async function startSentinel(masterPort: string) {
  const port = await findDeadPort();
  const path = join(folder, `${port}.conf`);
  const lines = [
    `port ${port}`,
    "bind 127.0.0.1",
    `dir ${folder}`,
    `sentinel monitor places 127.0.0.1 ${masterPort} 2`,
    "sentinel down-after-milliseconds places 500",
    "sentinel failover-timeout places 3000",
  ];
  writeFileSync(path, lines.join("\n"));
  const child = spawn("redis-server", [path, "--sentinel"], { stdio: ["ignore", "pipe", "ignore"] });
  for await (const chunk of child.stdout) if (String(chunk).includes("+monitor master")) break;
  return { port, child };
}

beforeAll(async () => {
  // A replica writes what it gets from the master into its folder.
  nodes = await Promise.all(
    [1, 2, 3].map((number) => {
      const dataDir = join(folder, `node-${number}`);
      mkdirSync(dataDir);
      return startRedisServer({ dataDir });
    }),
  );
  const { port } = new URL(nodes[0]!.url);
  for (const replica of nodes.slice(1)) await replica.command(["REPLICAOF", "127.0.0.1", port]);
  sentinels = await Promise.all([1, 2, 3].map(() => startSentinel(port)));
});

afterAll(async () => {
  for (const { child } of sentinels) {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  await Promise.all(nodes.map((node) => node.kill()));
  rmSync(folder, { recursive: true, force: true });
});

test("when the master of three is killed, the one that replaces it is used, with what it has", async () => {
  const { logger, lines } = createLogBook();
  // The first host is no Sentinel: one that is away must not matter.
  const hosts = [await findDeadPort(), ...sentinels.map(({ port }) => port)].map(
    (port) => `127.0.0.1:${port}`,
  );
  const url = `redis-sentinel://${hosts.join(",")}/0#places`;
  const redis = createRedisConnection({ url, logger, commandTimeoutMs: 5_000 });
  expect(await waitForRedis(redis, 10_000)).toBe(true);
  // Sentinels ask the master for its replicas every ten seconds, and cannot replace it before they know them.
  const replicasKnown = () =>
    Promise.all(
      sentinels.map(async ({ port }) => {
        const sentinel = new Redis({ port });
        const replicas = (await sentinel.call("SENTINEL", "replicas", "places")) as unknown[];
        sentinel.disconnect();
        return replicas.length;
      }),
    );
  await expect.poll(replicasKnown, { timeout: 30_000 }).toStrictEqual([2, 2, 2]);
  await redis.incrby("count", 7);
  const copies = () => Promise.all(nodes.slice(1).map((node) => node.command(["GET", "count"])));
  await expect.poll(copies, { timeout: 10_000 }).toStrictEqual(["7", "7"]);
  await nodes[0]!.kill();
  const count = () => redis.incr("count").catch(() => undefined);
  await expect.poll(count, { timeout: 30_000, interval: 100 }).toBe(8);
  expect(lines().map(({ event }) => event)).toStrictEqual([
    "redis_connected",
    "redis_unavailable",
    "redis_connected",
  ]);
  await closeRedisConnection(redis);
});
