import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { runIndexer } from "../../../indexer/main.ts";
import { nodeEnvironment } from "../../support/node-environment.ts";
import {
  runInProcess,
  startInProcess,
  type Ended,
  type StartedProgram,
} from "../../support/run-in-process.ts";

const MAIN = fileURLToPath(new URL("../../../indexer/main.ts", import.meta.url));

type Environment = Readonly<Record<string, string>>;

export interface IndexProcess extends StartedProgram {
  readonly child: ChildProcessWithoutNullStreams;
}

/** Starts the indexer as a person would, in an environment that has nothing but what is given: for tests that kill it. */
export function startIndexProcess(args: readonly string[], env: Environment): IndexProcess {
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
  return { child, stdin: child.stdin, signal: (name) => void child.kill(name), ended, hasSaid };
}

/** Starts it in this process. */
export const startIndex = (args: readonly string[], env: Environment): StartedProgram =>
  startInProcess(runIndexer, args, env);

/** Runs it to its end in this process, with some text on the standard input. */
export const runIndex = (
  args: readonly string[],
  env: Environment,
  input: string | Buffer = "",
): Promise<Ended> => runInProcess(runIndexer, args, env, input);
