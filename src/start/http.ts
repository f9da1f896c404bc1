import { createApp, type AppOptions } from "../app.ts";
import type { Config } from "../config.ts";
import { CrashError } from "../crash.ts";
import { createHttpServer, drain, listen } from "../http-server.ts";
import { createLifecycle } from "../lifecycle.ts";
import { createLoopGauge } from "../middleware/loop-gauge.ts";
import type { Closers } from "./closers.ts";

type HttpParts = Omit<AppOptions, "lifecycle" | "gauge"> & { readonly config: Config };

/** Listens, and drains when the server is closed. Rejects with what Node says, such as EADDRINUSE. */
export async function startHttp(parts: HttpParts, signal: AbortSignal, closers: Closers): Promise<void> {
  const { config, logger } = parts;
  const lifecycle = createLifecycle();
  const gauge = createLoopGauge();
  const server = createHttpServer(createApp({ ...parts, lifecycle, gauge }), {
    keepAliveMs: config.KEEP_ALIVE_MS,
    maxConnections: config.MAX_CONNECTIONS,
  });
  await listen(server, config);
  closers.push(() => drain(server, { lifecycle, ...toDrainTimes(signal, config) }));
  logger.info({ host: config.HOST, port: config.PORT }, "server_listening");
}

/** After a crash nobody should wait long for a process that is in no known state. */
const CRASH_DRAIN_MS = 1_000;

const toDrainTimes = ({ reason }: AbortSignal, { DRAIN_DELAY_MS }: Config) =>
  reason instanceof CrashError ? { delayMs: 0, deadlineMs: CRASH_DRAIN_MS } : { delayMs: DRAIN_DELAY_MS };
