import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runKeys as runProgram } from "../../../src/key-commands/main.ts";
import { nodeEnvironment } from "../../support/node-environment.ts";
import { runInProcess, type Ended } from "../../support/run-in-process.ts";

const MAIN = fileURLToPath(new URL("../../../src/key-commands/main.ts", import.meta.url));

/** Runs the command to its end in this process. */
export const runKeys = (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input = "",
): Promise<Ended> => runInProcess(runProgram, args, env, input);

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
