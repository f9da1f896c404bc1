import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { removeAllIndexes } from "../../../indexer/index/store-map.ts";
import { leaseKeys } from "../../../src/redis/keys.ts";
import { createRedisConnection, waitForRedis, closeRedisConnection } from "../../../src/redis/connection.ts";
import { createLogBook } from "../../support/log-lines.ts";
import { acquireEngines, type Engines } from "../../../src/local-engines/acquire-engines.ts";
import { makeEngineFolder } from "../../support/engine-folder.ts";

/** A folder of a test file, and engines for its commands. */
export interface OwnEngines {
  readonly folder: string;
  /** What commands are started with. */
  readonly env: { readonly DATA_DIR: string };
  /** They run from before the first test until after the last. */
  readonly engines: Engines;
}

let dataDir: string | undefined;
let started: Promise<Engines> | undefined;

/** Those of this process: with its first index, a new engine loads its dictionaries, which takes longer than most tests. */
const shareEngines = (): Promise<Engines> =>
  (started ??= acquireEngines({
    dataDir: (dataDir ??= makeEngineFolder("own")),
    role: "server",
    needs: { redis: true },
    onEvent: () => {},
  }).then((engines) => {
    keptForOthers.defer(() => engines.stop());
    return engines;
  }));

/** Engines with which the commands of a test file run as beside a server. They are empty before its first test. */
export function useOwnEngines(name: string): OwnEngines {
  const folder = mkdtempSync(join(tmpdir(), `hereabouts-${name}-`));
  const env = { DATA_DIR: (dataDir ??= makeEngineFolder("own")) };
  let engines: Engines | undefined;
  beforeAll(async () => {
    engines = await shareEngines();
  });
  afterAll(async () => {
    if (engines) await empty(engines);
    rmSync(folder, { recursive: true });
  });
  return {
    folder,
    env,
    get engines() {
      if (!engines) throw new Error("the engines are started before the first test");
      return engines;
    },
  };
}

async function empty({ index, redis }: Engines): Promise<void> {
  await Promise.all([removeAllIndexes(index), withRedis(redis, (connection) => connection.flushall())]);
}

async function withRedis<T>(
  { url } = { url: "" },
  run: (redis: ReturnType<typeof createRedisConnection>) => Promise<T>,
): Promise<T> {
  const redis = createRedisConnection({ url, logger: createLogBook().logger, commandTimeoutMs: 5_000 });
  try {
    await waitForRedis(redis, 5_000);
    return await run(redis);
  } finally {
    await closeRedisConnection(redis);
  }
}

/** Lets the time pass after which the lease of an import that crashed expires. @throws {Error} when it would never expire. */
export async function expireLease({ redis }: Engines): Promise<void> {
  const { held } = leaseKeys("places", "rebuild");
  const leftMs = await withRedis(redis, async (connection) => {
    const left = await connection.pttl(held);
    if (left > 0) await connection.pexpire(held, 1);
    return left;
  });
  if (leftMs <= 0 || leftMs > MAX_LEASE_MS) throw new Error(`the lease expires in ${leftMs} ms`);
}

/** The documents promise fifteen seconds. */
const MAX_LEASE_MS = 15_000;
