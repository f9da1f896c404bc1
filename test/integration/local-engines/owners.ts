import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { endOrphans } from "../../../src/local-engines/own-engines.ts";
import type { Role } from "../../../src/local-engines/data-dir.ts";

const SCRIPT = fileURLToPath(new URL("./owner-process.ts", import.meta.url));

export interface Owner {
  readonly pid: number;
  readonly process: ChildProcess;
  /** Kills it without a chance to end its engines, and waits until it is gone. */
  readonly kill: () => Promise<void>;
}

/** Starts another process that owns the data directory, and waits until its engines run. */
export async function startOwner(dataDir: string, role: Role = "server"): Promise<Owner> {
  const child = spawn(process.execPath, [SCRIPT, dataDir, role], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
    await endOrphans(dataDir, () => {});
  });
  await once(child.stdout, "data");
  return {
    pid: child.pid ?? 0,
    process: child,
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
