import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
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
    /** In it are the data directories of all engines of the run (`makeEngineFolder`). */
    enginesFolder: string;
  }
}

const FOLDER_PREFIX = "hereabouts-test-engines-";

/** An engine waits for the disk several times with each write, longer than it works: its data is kept in memory where it can. */
const MEMORY = "/dev/shm";

/** The engines of two workers take less than half of it. */
const ROOM_BYTES = 3 * 1024 ** 3;

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > ROOM_BYTES;
}

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

/**
 * Ends the engines of runs that were killed. Those of a run that still goes on are left alone: its folder is
 * locked.
 */
async function removeLeftOvers(base: string): Promise<void> {
  const folders = readdirSync(base).filter((name) => name.startsWith(FOLDER_PREFIX));
  for (const folder of folders.map((name) => join(base, name))) {
    const shared = join(folder, "shared");
    // A folder without a lock file belongs to a run that is just starting.
    if (!existsSync(join(shared, "lock.sqlite"))) continue;
    const lock = tryLockDataDir(shared);
    if (lock === undefined) continue;
    for (const dataDir of readdirSync(folder)) await endOrphans(join(folder, dataDir), () => {});
    lock.release();
    remove(folder);
  }
}

/**
 * Starts one Meilisearch and one Redis for the whole integration run; tests find them with vitest's `inject`.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const base = hasRoom(MEMORY) ? MEMORY : tmpdir();
  await removeLeftOvers(base);
  const folder = mkdtempSync(join(base, FOLDER_PREFIX));
  const engines = await acquireEngines({
    dataDir: join(folder, "shared"),
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
  project.provide("enginesFolder", folder);
  return async () => {
    await engines.stop();
    remove(folder);
  };
}
