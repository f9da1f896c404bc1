import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Topology } from "../../src/partitions/topology.ts";
import { startMeilisearchServer, type MeilisearchServer } from "./meilisearch-server.ts";

export interface ThreeEngines extends AsyncDisposable {
  /** With six partitions and two replicas, unless told otherwise. */
  readonly topology: Topology;
  /** The same as a file, for commands (TOPOLOGY). */
  readonly topologyFile: string;
  /** In the order of the topology; each can be killed and revived. */
  readonly servers: readonly MeilisearchServer[];
}

/** Three engines for one test file, which may break them. Starts them together, within a second. */
export async function startThreeEngines(
  division: Partial<Pick<Topology, "partitions" | "replicas">> = {},
): Promise<ThreeEngines> {
  const servers = await Promise.all([1, 2, 3].map(() => startMeilisearchServer()));
  const engines = servers.map(({ address: { url, key } }, number) => ({
    name: `engine-${number + 1}`,
    url,
    key,
  }));
  const { partitions = 6, replicas = 2 } = division;
  const folder = mkdtempSync(join(tmpdir(), "hereabouts-topology-"));
  const topologyFile = join(folder, "topology.json");
  writeFileSync(topologyFile, JSON.stringify({ engines, partitions, replicas }));
  return {
    topology: { engines, partitions, replicas, prefix: "places" },
    topologyFile,
    servers,
    async [Symbol.asyncDispose]() {
      rmSync(folder, { recursive: true });
      await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
    },
  };
}
