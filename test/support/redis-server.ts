import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { Redis } from "ioredis";
import { findDeadPort } from "./dead-servers.ts";

export interface RedisServer extends AsyncDisposable {
  readonly url: string;
  /** Suspends it at once: connections stay open without responses. */
  readonly hang: () => void;
  /** Runs a command as its operator, with the password if it has one. */
  readonly command: (words: readonly string[], password?: string) => Promise<unknown>;
  readonly goOn: () => void;
  readonly kill: () => Promise<void>;
  /** Restarts it on the same port. */
  readonly revive: () => Promise<void>;
}

interface RedisServerOptions {
  readonly dataDir?: string;
  /** More settings, as redis-server takes them. */
  readonly settings?: readonly string[];
}

/**
 * A Redis that tests may break, unlike the shared one of the test run. With `dataDir` it keeps an append-only file there, and has its
 * data again when it is revived.
 */
export async function startRedisServer(options: RedisServerOptions = {}): Promise<RedisServer> {
  const port = await findDeadPort();
  let server = await launch(port, options);
  const kill = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, "exit");
    server.kill("SIGKILL");
    await exited;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    async command([name = "", ...words], password) {
      const operator = new Redis({ port, ...(password !== undefined && { password }) });
      try {
        return await operator.call(name, ...words);
      } finally {
        operator.disconnect();
      }
    },
    hang: () => void server.kill("SIGSTOP"),
    goOn: () => void server.kill("SIGCONT"),
    kill,
    async revive() {
      server = await launch(port, options);
    },
    [Symbol.asyncDispose]: kill,
  };
}

async function launch(port: number, { dataDir, settings = [] }: RedisServerOptions): Promise<ChildProcess> {
  const persistence =
    dataDir === undefined ? ["--appendonly", "no"] : ["--appendonly", "yes", "--dir", dataDir];
  const server = spawn(
    "redis-server",
    ["--bind", "127.0.0.1", "--port", String(port), "--save", "", ...persistence, ...settings],
    // Not our standard error: where a test run dies, whoever reads its output would wait for this Redis.
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  for await (const chunk of server.stdout) if (String(chunk).includes("Ready to accept connections")) break;
  return server;
}
