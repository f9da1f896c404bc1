import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { acquireEngines } from "../../src/local-engines/acquire-engines.ts";
import { tryLockDataDir } from "../../src/local-engines/data-dir.ts";
import { endOrphans } from "../../src/local-engines/own-engines.ts";

declare module "vitest" {
  export interface ProvidedContext {
    meilisearchUrl: string;
    meilisearchKey: string;
    redisUrl: string;
  }
}

const FOLDER_PREFIX = "hereabouts-test-engines-";

const remove = (dataDir: string): void => rmSync(dataDir, { recursive: true, force: true });

/**
 * Ends the engines of runs that were killed. Those of a run that still goes on are left alone: its folder is
 * locked.
 */
async function removeLeftOvers(): Promise<void> {
  const folders = readdirSync(tmpdir()).filter((name) => name.startsWith(FOLDER_PREFIX));
  for (const dataDir of folders.map((name) => join(tmpdir(), name))) {
    // A folder without a lock file belongs to a run that is just starting.
    if (!existsSync(join(dataDir, "lock.sqlite"))) continue;
    const lock = tryLockDataDir(dataDir);
    if (lock === undefined) continue;
    await endOrphans(dataDir, () => {});
    remove(dataDir);
    lock.release();
  }
}

/**
 * Starts one Meilisearch and one Redis for the whole integration run; tests find them with vitest's `inject`.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeLeftOvers();
  const dataDir = mkdtempSync(join(tmpdir(), FOLDER_PREFIX));
  const engines = await acquireEngines({
    dataDir,
    role: "server",
    needs: { redis: true },
    onEvent: (event) => {
      if (event.name === "engine_died") console.error("test engine:", event);
    },
  });
  if (engines.redis === undefined) {
    await engines.stop();
    throw new Error("The integration tests need a redis-server on the PATH (script/bootstrap installs it).");
  }
  project.provide("meilisearchUrl", engines.meilisearch.url);
  project.provide("meilisearchKey", engines.meilisearch.key ?? "");
  project.provide("redisUrl", engines.redis.url);
  return async () => {
    await engines.stop();
    remove(dataDir);
  };
}
