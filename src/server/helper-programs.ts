import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { programPath } from "./demo.ts";
import type { Logger } from "../telemetry/logger.ts";

/** They hold pages of a few thousand ids, or the records of a few writes. */
const MEMORY = "--max-old-space-size=192";

/** One that cannot start would otherwise fill the log. */
const PAUSE_MS = 5_000;

/** A command of the indexer that runs as long as the server does. `name` is its event in the log. */
interface HelperProgram {
  readonly name: "replicas" | "write";
  readonly args: readonly string[];
}

/** An engine that was away gets the changes that it missed. */
export const REPLICA_WATCH: HelperProgram = { name: "replicas", args: ["replicas", "--watch"] };

/** What callers send to the write API is written to the index. The server has no engine key that may do so. */
export const WRITE_WORKER: HelperProgram = { name: "write", args: ["write"] };

/**
 * Runs a program beside a server with engines of its own, and starts it again when it ends. It is a process of its own, like the
 * demo import, and finds the engines through the data directory. Returns how to end it.
 */
export function startHelper(program: HelperProgram, logger: Logger): () => Promise<void> {
  const stopping = new AbortController();
  const kept = keepRunning(program, logger, stopping.signal);
  return async () => {
    stopping.abort();
    await kept;
  };
}

async function keepRunning(
  { name, args }: HelperProgram,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const child = spawn(process.execPath, [MEMORY, programPath("indexer/main"), ...args], {
      // Through the channel it notices when this process is killed, and ends too.
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    const ended = once(child, "exit") as Promise<[number | null]>;
    logLines(child, name, logger);
    const end = (): void => void child.kill();
    signal.addEventListener("abort", end, { once: true });
    const [status] = await ended;
    signal.removeEventListener("abort", end);
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    // Ctrl-C ends the helper too, perhaps before this process hears of it: no fault of the helper.
    if (!signal.aborted) logger.error({ program: name, status }, "helper_ended");
  }
}

function logLines({ stderr }: ChildProcess, name: HelperProgram["name"], logger: Logger): void {
  if (stderr) createInterface({ input: stderr }).on("line", (message) => logger.info({ message }, name));
}
