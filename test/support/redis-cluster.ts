import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import { findDeadPort } from "./dead-servers.ts";
import { startRedisServer, type RedisServer } from "./redis-server.ts";

export interface RedisCluster extends AsyncDisposable {
  /** For `REDIS_URL`: two of its masters, beside a host that is away. */
  readonly url: string;
  /** Each has a third of the slots (`SLOTS`). */
  readonly masters: readonly RedisServer[];
  /** Takes over when the first master is away for a second. */
  readonly replica: RedisServer;
}

/** The first and the last slot of each master. */
export const SLOTS = [
  [0, 5_460],
  [5_461, 10_922],
  [10_923, 16_383],
] as const;

/** A cluster of three masters, and a replica of the first one. */
export async function startRedisCluster(): Promise<RedisCluster> {
  const folder = mkdtempSync(join(tmpdir(), "hereabouts-cluster-"));
  const busPorts = await Promise.all(Array.from({ length: 4 }, findDeadPort));
  const nodes = await Promise.all(
    busPorts.map((busPort, number) => {
      const dataDir = join(folder, `node-${number}`);
      mkdirSync(dataDir);
      const settings = {
        "--cluster-enabled": "yes",
        "--cluster-port": String(busPort),
        "--cluster-node-timeout": "1000",
      };
      return startRedisServer({ dataDir, settings: Object.entries(settings).flat() });
    }),
  );
  const [first, second, third, replica] = nodes as [RedisServer, RedisServer, RedisServer, RedisServer];
  const masters = [first, second, third];
  await Promise.all(
    masters.map((node, at) => node.command(["CLUSTER", "ADDSLOTSRANGE", ...SLOTS[at]!.map(String)])),
  );
  const port = (node: RedisServer): string => new URL(node.url).port;
  for (const [at, node] of nodes.entries())
    if (node !== first)
      await first.command(["CLUSTER", "MEET", "127.0.0.1", port(node), String(busPorts[at])]);
  const firstId = String(await first.command(["CLUSTER", "MYID"]));
  await vi.waitFor(() => replica.command(["CLUSTER", "REPLICATE", firstId]), WAIT);
  const isReady = async (): Promise<void> => {
    for (const node of nodes) {
      const state = String(await node.command(["CLUSTER", "INFO"]));
      if (!state.includes("cluster_state:ok") || !state.includes("cluster_known_nodes:4"))
        throw new Error("the cluster is not ready");
    }
    if (!String(await first.command(["INFO", "replication"])).includes("state=online"))
      throw new Error("the replica has not copied yet");
  };
  await vi.waitFor(isReady, WAIT);
  return {
    url: `redis-cluster://127.0.0.1:${await findDeadPort()},127.0.0.1:${port(first)},127.0.0.1:${port(second)}`,
    masters,
    replica,
    async [Symbol.asyncDispose]() {
      await Promise.all(nodes.map((node) => node.kill()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const WAIT = { timeout: 60_000, interval: 50 };
