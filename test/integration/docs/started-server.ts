import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { findDeadPort } from "../../support/dead-servers.ts";
import { newUserEnvironment, type Environment } from "./shell.ts";

/** A smaller demo dataset, to start sooner. */
const DEMO_PLACES = "800";

export interface StartedServer {
  readonly address: string;
  /** For commands beside it. */
  readonly environment: Environment;
  /** What it has printed, the banner at the end. */
  readonly printed: string;
  /** Ctrl-C in its terminal; resolves with the exit status. */
  readonly interrupt: () => Promise<number | null>;
}

/** Starts `script/server` in a clone, as the documents say, and waits for its banner. */
export async function startServer(clone: string): Promise<StartedServer> {
  const port = await findDeadPort();
  const environment = newUserEnvironment({ PORT: String(port), DEMO_PLACES });
  const child = spawn(join(clone, "script/server"), {
    cwd: clone,
    env: environment,
    detached: true,
    stdio: "pipe",
  });
  const exited = once(child, "exit") as Promise<[number | null]>;
  let printed = "";
  const listen = (chunk: Buffer): void => void (printed += chunk.toString());
  child.stdout.on("data", listen);
  child.stderr.on("data", listen);
  while (!printed.includes("Stop: Ctrl-C")) {
    if (child.exitCode !== null) throw new Error(`script/server has ended: ${printed}`);
    await new Promise((resolve) => void setTimeout(resolve, 50));
  }
  return {
    address: `http://127.0.0.1:${port}`,
    environment,
    printed,
    async interrupt() {
      // A terminal tells everybody in it; detached, the server and what it started are a group of their own.
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGINT");
      const [status] = await exited;
      return status;
    },
  };
}
