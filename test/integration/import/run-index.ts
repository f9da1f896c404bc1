import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { runIndexer } from "../../../indexer/main.ts";
import { nodeEnvironment } from "../../support/node-environment.ts";
import { runInProcess, type Ended } from "../../support/run-in-process.ts";

const MAIN = fileURLToPath(new URL("../../../indexer/main.ts", import.meta.url));

export interface IndexProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** Resolves once the text was written to standard error. */
  readonly hasSaid: (text: string) => Promise<void>;
  /** Resolves when the process has ended. */
  readonly ended: Promise<Ended>;
}

/** Starts the indexer as a person would, in an environment that has nothing but what is given. */
export function startIndex(args: readonly string[], env: Readonly<Record<string, string>>): IndexProcess {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...nodeEnvironment, ...env },
    stdio: "pipe",
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (data: Buffer) => (stdout += data.toString()));
  child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
  // Writing to a process that has ended is what some tests do.
  child.stdin.on("error", () => {});
  const ended = once(child, "close").then(([exitCode]) => ({
    exitCode: exitCode as number | null,
    stdout,
    stderr,
  }));
  const hasSaid = async (text: string): Promise<void> => {
    while (!stderr.includes(text)) await once(child.stderr, "data");
  };
  return { child, ended, hasSaid };
}

/** Runs it to its end in this process, with some text on the standard input. */
export const runIndex = (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input: string | Buffer = "",
): Promise<Ended> => runInProcess(runIndexer, args, env, input);
