import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { EngineCommand } from "./engine-child.ts";

export interface MeilisearchCommand extends EngineCommand {
  readonly key: string;
}

const HEALTH_TIMEOUT_MS = 1_000;

/** The arguments that show on the command line which data this Meilisearch works on; `orphans.ts` looks for them. */
export const meilisearchDataArguments = (dataDir: string): string[] => [
  "--db-path",
  join(dataDir, "meilisearch"),
];

async function isOk(url: string, key: string): Promise<boolean> {
  try {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS),
    });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** Whether the Meilisearch there is well and is ours: `/health` asks for no key, `/version` does. */
export async function isMeilisearchHealthy(url: string, key: string): Promise<boolean> {
  return (await isOk(`${url}/health`, key)) && (await isOk(`${url}/version`, key));
}

/** Sorting a large import takes gigabytes of temporary files: they belong on the disk of the data, not in a small /tmp. */
function makeEmptyTemporaryFolder(dataDir: string): string {
  const folder = join(dataDir, "tmp");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** How to start a Meilisearch on this port with this master key and its data in the data directory. */
export function buildMeilisearchCommand(dataDir: string, port: number, file: string): MeilisearchCommand {
  const key = randomBytes(24).toString("hex");
  const url = `http://127.0.0.1:${port}`;
  return {
    engine: "meilisearch",
    port,
    url,
    key,
    file,
    args: [
      ...meilisearchDataArguments(dataDir),
      `--dump-dir=${join(dataDir, "meilisearch-dumps")}`,
      `--snapshot-dir=${join(dataDir, "meilisearch-snapshots")}`,
      `--http-addr=127.0.0.1:${port}`,
      "--no-analytics",
    ],
    // The key is in the environment because every user of the machine can read a command line. One line of log for
    // each request would fill the disk.
    env: {
      MEILI_MASTER_KEY: key,
      MEILI_ENV: "production",
      MEILI_LOG_LEVEL: "WARN",
      TMPDIR: makeEmptyTemporaryFolder(dataDir),
    },
    input: "",
    logFile: join(dataDir, "logs", "meilisearch.log"),
    isHealthy: () => isMeilisearchHealthy(url, key),
  };
}
