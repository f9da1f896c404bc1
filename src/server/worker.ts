import { once } from "node:events";
import { OperatorError } from "../errors.ts";
import { type Closers, endOnCrash } from "../http/server.ts";
import { createLogger, openLog } from "../telemetry/logger.ts";
import { readEnvironment, serveRequests } from "./serve.ts";
import { startTelemetry } from "../telemetry/start-telemetry.ts";
import { reportForWork } from "./workers.ts";

/** One of several processes that serve requests on one port (WORKERS). `serve` has started it and ends it. */
async function work(stopping: AbortController, closers: Closers): Promise<void> {
  const { signal } = stopping;
  const config = await readEnvironment(signal);
  const { worker, reportServing, ...assignment } = await reportForWork(stopping);
  const logger = createLogger({
    level: config.LOG_LEVEL,
    worker,
    ...(process.stdout.isTTY && { destination: openLog() }),
  });
  endOnCrash(logger, stopping);
  const telemetry = await startTelemetry(config, logger, true);
  closers.push(telemetry.stop);
  await serveRequests(config, { ...assignment, telemetry, logger, signal, closers });
  reportServing();
  if (!signal.aborted) await once(signal, "abort");
}

// A terminal and systemd send a signal to all processes at once. The first process knows in which order they end.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);

const stopping = new AbortController();
const closers: Closers = [];
try {
  await work(stopping, closers);
} catch (error) {
  process.exitCode = 1;
  if (!stopping.signal.aborted) console.error(error instanceof OperatorError ? error.message : error);
} finally {
  for (const close of closers.toReversed()) await close();
}
// The connection to the first process would keep this one alive.
process.exit();
