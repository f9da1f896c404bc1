import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { nodeEnvironment } from "../../support/node-environment.ts";

const MAIN = fileURLToPath(new URL("../../../src/keys/commands/main.ts", import.meta.url));

export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command as a person would, in an environment that has nothing but what is given. */
export async function runKeys(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input = "",
): Promise<Ended> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...nodeEnvironment, ...env },
    stdio: "pipe",
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (data: Buffer) => (stdout += data.toString()));
  child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [exitCode] = (await once(child, "close")) as [number | null];
  return { exitCode, stdout, stderr };
}

/** Runs it with a standard output that has no room. */
export function runKeysOnFullDisk(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Pick<Ended, "exitCode" | "stderr"> {
  const full = openSync("/dev/full", "w");
  const { status, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    env: { ...nodeEnvironment, ...env },
    stdio: ["ignore", full, "pipe"],
    encoding: "utf8",
  });
  closeSync(full);
  return { exitCode: status, stderr };
}

/** Runs it and hands over the JSON that it prints. Throws when it fails. */
export async function readKeys<T>(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<T> {
  const { exitCode, stdout, stderr } = await runKeys([...args, "--json"], env);
  if (exitCode !== 0) throw new Error(`keys ${args.join(" ")}: ${exitCode} ${stderr}`);
  return JSON.parse(stdout) as T;
}
