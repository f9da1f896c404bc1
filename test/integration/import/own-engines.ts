import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { leaseKeys } from "../../../src/redis/keys.ts";
import { createRedisConnection, waitForRedis, closeRedisConnection } from "../../../src/redis/connection.ts";
import { createLogBook } from "../../support/log-lines.ts";
import { acquireEngines, type Engines } from "../../../src/local-engines/acquire-engines.ts";

/** A folder of a test file, and the engines on the data directory in it. */
export interface OwnEngines {
  readonly folder: string;
  /** What commands are started with. */
  readonly env: { readonly DATA_DIR: string };
  /** They run from before the first test until after the last. */
  readonly engines: Engines;
}

/** Engines with which commands of a test file run as beside a server: started before its tests, ended and removed after them. */
export function useOwnEngines(name: string): OwnEngines {
  const folder = mkdtempSync(join(tmpdir(), `hereabouts-${name}-`));
  const env = { DATA_DIR: join(folder, "data") };
  let engines: Engines | undefined;
  beforeAll(async () => {
    const needs = { redis: true };
    engines = await acquireEngines({ dataDir: env.DATA_DIR, role: "server", needs, onEvent: () => {} });
  });
  afterAll(async () => {
    await engines?.stop();
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

/** Lets the time pass after which the lease of an import that crashed expires. @throws {Error} when it would never expire. */
export async function expireLease({ redis: { url } = { url: "" } }: Engines): Promise<void> {
  const redis = createRedisConnection({ url, logger: createLogBook().logger, commandTimeoutMs: 5_000 });
  await waitForRedis(redis, 5_000);
  const { held } = leaseKeys("places", "rebuild");
  const leftMs = await redis.pttl(held);
  if (leftMs > 0) await redis.pexpire(held, 1);
  await closeRedisConnection(redis);
  if (leftMs <= 0 || leftMs > MAX_LEASE_MS) throw new Error(`the lease expires in ${leftMs} ms`);
}

/** The documents promise fifteen seconds. */
const MAX_LEASE_MS = 15_000;
