import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { programPath } from "./demo.ts";
import type { Logger } from "./logger.ts";

/** It compares pages of a few thousand ids. */
const MEMORY = "--max-old-space-size=192";

/** One that cannot start would otherwise fill the log. */
const PAUSE_MS = 5_000;

/**
 * Runs `index replicas --watch` beside a server with several engines of its own: an engine that was away gets the changes that it
 * missed. It is a process of its own, like the demo import, and finds the engines through the data directory. Returns how to end it.
 */
export function startReplicaWatch(logger: Logger): () => Promise<void> {
  const stopping = new AbortController();
  const kept = keepRunning(logger, stopping.signal);
  return async () => {
    stopping.abort();
    await kept;
  };
}

async function keepRunning(logger: Logger, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const child = spawn(process.execPath, [MEMORY, programPath("indexer/main"), "replicas", "--watch"], {
      // Through the channel it notices when this process is killed, and ends too.
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    const ended = once(child, "exit") as Promise<[number | null]>;
    logLines(child, logger);
    const end = (): void => void child.kill();
    signal.addEventListener("abort", end, { once: true });
    const [status] = await ended;
    signal.removeEventListener("abort", end);
    if (signal.aborted) return;
    logger.error({ status }, "replica_watch_ended");
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
}

function logLines({ stderr }: ChildProcess, logger: Logger): void {
  if (stderr)
    createInterface({ input: stderr }).on("line", (message) => logger.info({ message }, "replicas"));
}
