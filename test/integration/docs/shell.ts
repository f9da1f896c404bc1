import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import type { Readable } from "node:stream";
import { inject } from "vitest";
import { nodeEnvironment } from "../../support/node-environment.ts";

export type Environment = Readonly<Record<string, string>>;

export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  /** The variables when the command has ended, for the next command of the same page. */
  readonly environment: Environment;
}

/** What a stranger has: programs of the system and none of this repository. What is temporary is kept in memory where it can. */
export function newUserEnvironment(more: Environment): Environment {
  const path = (process.env["PATH"] ?? "").split(":").filter((folder) => !folder.includes("node_modules"));
  return {
    ...nodeEnvironment,
    PATH: path.join(":"),
    HOME: process.env["HOME"] ?? "/",
    LANG: "C.UTF-8",
    TMPDIR: inject("enginesFolder"),
    ...more,
  };
}

/**
 * Runs a command in bash as somebody types it, with the variables that commands before it have set.
 * @throws {Error} with all that was said, when its exit status is not 0.
 */
export async function succeed(command: string, cwd: string, environment: Environment): Promise<Outcome> {
  const script = `${command}\nenv -0 >&3`;
  const child = spawn("bash", ["-e", "-a", "-o", "pipefail", "-c", script], {
    cwd,
    env: environment,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const [stdout, stderr, variables, [status]] = await Promise.all([
    text(child.stdout as Readable),
    text(child.stderr as Readable),
    text(child.stdio[3] as Readable),
    once(child, "close") as Promise<[number | null]>,
  ]);
  if (status !== 0) throw new Error(`${command}\nhas ended with ${status}: ${stdout}${stderr}`);
  const pairs = variables.split("\0").filter((pair) => pair !== "");
  const names = pairs.map((pair): [string, string] => [
    pair.slice(0, pair.indexOf("=")),
    pair.slice(pair.indexOf("=") + 1),
  ]);
  return { stdout, stderr, environment: Object.fromEntries(names) };
}
