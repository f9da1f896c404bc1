import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createApp } from "../../src/http/app.ts";
import { createLogger } from "../../src/logger.ts";
import { createCallers } from "../../src/keys/callers.ts";
import { createLimiter } from "../../src/limits/limiter.ts";
import { createPlaceIndex } from "../../src/meilisearch/create-place-index.ts";
import type { EngineAddress } from "../../src/meilisearch/connection.ts";
import { createPlaceSearch } from "../../src/search/search-places.ts";
import { noTelemetry } from "../../src/telemetry/telemetry.ts";

/** The whole API over the index of an engine, on a port of its own. */
export interface Api extends AsyncDisposable {
  readonly url: string;
  readonly key: string;
}

/** More than any run can ask. */
const NO_LIMIT = 1_000_000_000;

export async function startApi(engine: EngineAddress): Promise<Api> {
  const key = `eval-${randomBytes(12).toString("hex")}`;
  const index = createPlaceIndex(engine);
  const logger = createLogger({ level: "silent" });
  const now = (): Temporal.Instant => Temporal.Now.instant();
  const app = createApp({
    config: {
      PUBLIC_BASE_URL: "http://127.0.0.1",
      EXTERNAL_MAPS_URL: "https://maps.example/?id={data_id}",
      TRUST_PROXY: 0,
    },
    callers: createCallers([key], { perMinute: NO_LIMIT, perDay: 0 }),
    limiter: createLimiter({ telemetry: noTelemetry, now }),
    index,
    search: createPlaceSearch(index),
    logger,
    now,
  });
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    key,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
      await index.close();
    },
  };
}
