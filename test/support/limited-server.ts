import { createApp } from "../../src/http/app.ts";
import { createLogger } from "../../src/telemetry/logger.ts";
import { createCallers } from "../../src/keys/callers.ts";
import { createLimiter } from "../../src/http/middleware/rate-limit.ts";
import { cachePlaces } from "../../src/meilisearch/cached-places.ts";
import { openPlaceIndex } from "../../src/partitions/open-place-index.ts";
import type { Topology } from "../../src/partitions/topology.ts";
import { createRedisConnection, waitForRedis } from "../../src/redis/connection.ts";
import { createRedisGuard } from "../../src/redis/redis-guard.ts";
import { createPlaceSearch } from "../../src/search/search-places.ts";
import { noTelemetry } from "../../src/telemetry/telemetry.ts";
import { serve } from "./serve.ts";

/** Long, so that a machine that is busy with other tests does not look like a Redis that hangs. */
const PATIENT_MS = 10_000;

/** The options that the parent passes on the command line, as JSON. */
export interface LimitedServerOptions {
  readonly topology: Topology;
  readonly redisUrl: string;
  readonly keys: readonly string[];
  readonly perMinute: number;
  readonly perDay: number;
}

/** Runs a server in a separate process, wired like the real one. It sends its port to its parent. */
async function main(): Promise<void> {
  const { topology, redisUrl, keys, ...limits } = JSON.parse(process.argv[2] ?? "") as LimitedServerOptions;
  const logger = createLogger({ level: "warn" });
  const redis = createRedisConnection({ url: redisUrl, logger, commandTimeoutMs: PATIENT_MS });
  await waitForRedis(redis, 5_000);
  const { askForLimits } = createRedisGuard({ logger, telemetry: noTelemetry, deadlineMs: PATIENT_MS });
  const index = cachePlaces(openPlaceIndex(topology));
  const now = (): Temporal.Instant => Temporal.Now.instant();
  const app = createApp({
    config: {
      PUBLIC_BASE_URL: "https://places.example",
      EXTERNAL_MAPS_URL: "https://maps.example/?id={data_id}",
      TRUST_PROXY: 0,
    },
    callers: createCallers(keys, limits),
    limiter: createLimiter({ shared: { redis, askRedis: askForLimits }, telemetry: noTelemetry, now }),
    index,
    search: createPlaceSearch(index),
    redis,
    logger,
    now,
  });
  const { url } = await serve(app);
  process.send?.(url);
  process.once("disconnect", () => process.exit());
}

await main();
