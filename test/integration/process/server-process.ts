import { spawn } from "node:child_process";
import { once } from "node:events";
import { inject } from "vitest";
import { findDeadPort } from "../../support/dead-servers.ts";
import { nodeEnvironment } from "../../support/node-environment.ts";

export interface ServerProcess extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Everything it has written so far. */
  readonly output: () => string;
  /** All lines of log so far. */
  readonly lines: (event?: string) => Record<string, unknown>[];
  /** Resolves with the exit code when the process has ended. */
  readonly ended: () => Promise<{ readonly code: number | null }>;
  /** The exit code; `undefined` while it runs. */
  readonly exitCode: () => number | null | undefined;
}

export const API_KEY = "a-key-of-the-process-tests";

/** The server as it is started in production, on the engines of the test run and an index of a test. */
export async function startServerProcess(env: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  const port = await findDeadPort();
  const preload = new URL("./break-on-signal.ts", import.meta.url).href;
  const child = spawn(process.execPath, ["--import", preload, "src/main.ts"], {
    env: {
      ...nodeEnvironment,
      PORT: String(port),
      API_KEYS: API_KEY,
      MEILISEARCH_URL: inject("meilisearchUrl"),
      MEILISEARCH_KEY: inject("meilisearchKey"),
      REDIS_URL: inject("redisUrl"),
      RATE_LIMIT_PER_MINUTE: "1000000",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => (log += chunk));
  let exitCode: number | null | undefined;
  const exited = once(child, "close").then(([code]) => (exitCode = code as number | null));
  const lines: ServerProcess["lines"] = (event) =>
    log
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter((line) => event === undefined || line["event"] === event);
  while (lines("server_listening").length < Number(env["WORKERS"] ?? 1)) {
    if (exitCode !== undefined) throw new Error(`the server ended with ${exitCode}: ${log}`);
    await new Promise((resolve) => void setTimeout(resolve, 20));
  }
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    pid: child.pid ?? 0,
    output: () => log,
    kill: (signal) => void child.kill(signal),
    lines,
    exitCode: () => exitCode,
    ended: async () => ({ code: await exited }),
    async [Symbol.asyncDispose]() {
      if (exitCode === undefined) child.kill("SIGKILL");
      await exited;
    },
  };
}
