import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { scriptArguments } from "../../test/support/program.ts";
import type { MemoryReport } from "./memory-watch.ts";

export interface ApiServerOptions {
  /** The number of the server, 0 or 1. */
  readonly number: number;
  readonly port: number;
  readonly metricsPort: number;
  /** Its working directory, which keeps other `.env` files away from it. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly onMemory: (number: number, pid: number, report: MemoryReport) => void;
  /** Receives log lines of level warn or above. */
  readonly onLog: (number: number, line: string) => void;
  /** Called when it ends without having been stopped. */
  readonly onDeath: (number: number, how: string) => void;
}

/** One of the two servers, started as `npm start` does. */
export interface ApiServer {
  readonly number: number;
  readonly origin: string;
  readonly port: number;
  /** The URL of its metrics. */
  readonly metricsUrl: string;
  readonly pid: () => number;
  /** Stops it and waits for its end. Resolves to how it ended; `code 0` is right. */
  readonly stop: () => Promise<string>;
  /** Starts it again and waits until it is ready. */
  readonly start: () => Promise<void>;
}

const MEMORY_TELLER = fileURLToPath(new URL("./tell-memory.ts", import.meta.url));

const READY_WITHIN_MS = 60_000;
const READY_POLL_MS = 100;

/** Longer than any drain: a server that has not ended by then never will. */
const KILL_AFTER_MS = 30_000;

/** Creates one of the two servers, which is not started yet. */
export function createApiServer(options: ApiServerOptions): ApiServer {
  const origin = `http://127.0.0.1:${options.port}`;
  let server: ChildProcess | undefined;
  return {
    number: options.number,
    port: options.port,
    metricsUrl: `http://127.0.0.1:${options.metricsPort}/metrics`,
    origin,
    pid: () => server?.pid ?? 0,
    async start() {
      server = spawnServer(options);
      await waitUntilReady(`${origin}/readyz`, server);
    },
    async stop() {
      return server === undefined ? "not started" : endServer(server);
    },
  };
}

const plannedEnds = new WeakSet<ChildProcess>();

const isEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

const howItEnded = ({ exitCode, signalCode }: ChildProcess): string => signalCode ?? `code ${exitCode}`;

function spawnServer({
  number,
  port,
  metricsPort,
  folder,
  env,
  onMemory,
  onLog,
  onDeath,
}: ApiServerOptions): ChildProcess {
  const args = ["--import", MEMORY_TELLER, ...scriptArguments("start")];
  const server = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...env, PORT: String(port), METRICS_PORT: String(metricsPort) },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // Ctrl-C reaches the soak alone, which ends the servers in order.
    detached: true,
  });
  const log = createWriteStream(`${folder}/logs/api-${number}.log`, { flags: "a" });
  for (const stream of [server.stdout, server.stderr]) {
    if (stream === null) continue;
    stream.pipe(log, { end: false });
    createInterface({ input: stream }).on("line", (line) => onLog(number, line));
  }
  server.on("message", (report) => onMemory(number, server.pid ?? 0, report as MemoryReport));
  server.once("exit", () => {
    if (!plannedEnds.has(server)) onDeath(number, howItEnded(server));
  });
  const endWithUs = (): void => void server.kill("SIGKILL");
  process.once("exit", endWithUs);
  server.once("exit", () => process.off("exit", endWithUs));
  return server;
}

async function endServer(server: ChildProcess): Promise<string> {
  plannedEnds.add(server);
  if (isEnded(server)) return howItEnded(server);
  const ended = once(server, "exit");
  server.kill("SIGTERM");
  const killing = setTimeout(() => server.kill("SIGKILL"), KILL_AFTER_MS);
  await ended;
  clearTimeout(killing);
  return howItEnded(server);
}

async function waitUntilReady(url: string, server: ChildProcess): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (!(await isOk(url))) {
    if (isEnded(server)) throw new Error(`A server ended at its start with ${howItEnded(server)}.`);
    if (performance.now() > deadline) throw new Error("A server was not ready in time.");
    await sleep(READY_POLL_MS);
  }
}

async function isOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.arrayBuffer();
    // 503 also counts: before the first import there is no index.
    return response.ok || response.status === 503;
  } catch {
    return false;
  }
}
