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

interface StartOptions {
  /** The program and its arguments; by default `script/server` in the folder. */
  readonly command?: readonly [string, ...string[]];
  /** More variables. */
  readonly more?: Environment;
}

/** Starts a server in a folder, as the documents say, and waits for its banner. */
export async function startServer(
  folder: string,
  { command: [file, ...args] = [join(folder, "script/server")], more = {} }: StartOptions = {},
): Promise<StartedServer> {
  const port = await findDeadPort();
  const environment = newUserEnvironment({ PORT: String(port), DEMO_PLACES, ...more });
  const child = spawn(file, args, {
    cwd: folder,
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
    if (child.exitCode !== null) throw new Error(`${file} has ended: ${printed}`);
    await new Promise((resolve) => void setTimeout(resolve, 50));
  }
  return {
    address: `http://127.0.0.1:${port}`,
    environment,
    printed,
    async interrupt() {
      // A terminal tells everybody in it; detached, the server and what it started are a separate group.
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGINT");
      const [status] = await exited;
      return status;
    },
  };
}
