import { CommanderError } from "commander";
import { fileURLToPath } from "node:url";
import { readFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

const EXIT_FAILED = 1;
const EXIT_WRONG_USAGE = 2;
const EXIT_INTERRUPTED = 130;

export interface Program {
  readonly signal: AbortSignal;
  /** Says on standard error what is going on. */
  readonly onProgress: (what: string) => void;
}

/**
 * Runs a command that tests something and sets the exit status: 0 when it resolves to true, 1 when to false or when it fails, 2 for
 * wrong usage, 130 when it was interrupted. The first Ctrl-C ends it in order, the second at once.
 */
export async function runProgram(run: (program: Program) => Promise<boolean>): Promise<void> {
  const stopping = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () =>
      stopping.signal.aborted ? process.exit(EXIT_INTERRUPTED) : stopping.abort(new Error("Interrupted.")),
    );
  }
  const startedAt = performance.now();
  const onProgress = (what: string): void => {
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
    process.stderr.write(`${seconds.padStart(5)} s  ${what}\n`);
  };
  try {
    if (!(await run({ signal: stopping.signal, onProgress }))) process.exitCode = EXIT_FAILED;
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : EXIT_WRONG_USAGE;
    else if (stopping.signal.aborted) process.exitCode = EXIT_INTERRUPTED;
    else reportFailure(error);
  }
}

function reportFailure(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = EXIT_FAILED;
}

/** The absolute path of a program of the project. The bench runs programs, it never imports them. */
export const programPath = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** What Node is given by one of the project's npm scripts, with the same limits of memory: a program is measured as it is run. */
export function scriptArguments(name: "start" | "index" | "keys"): string[] {
  const { scripts } = JSON.parse(readFileSync(programPath("package.json"), "utf8")) as {
    scripts: Readonly<Record<string, string>>;
  };
  const [, ...args] = (scripts[name] ?? "").split(" ");
  return args.map((arg) => (arg.endsWith(".ts") ? programPath(arg) : arg));
}

interface CommandOptions {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * Runs the indexer or the command for keys as their npm scripts do. Resolves to what it wrote on standard output.
 * @throws {Error} that quotes what it said when it ends with another status than 0.
 */
export async function runCommand(
  name: "index" | "keys",
  args: readonly string[],
  { folder, env, signal }: CommandOptions,
): Promise<string> {
  const command = spawn(process.execPath, [...scriptArguments(name), ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    cwd: folder,
    env,
    signal,
  });
  const [output, said, [status]] = await Promise.all([
    text(command.stdout),
    text(command.stderr),
    once(command, "close") as Promise<[number | null]>,
  ]);
  if (status !== 0) throw new Error(`${name} ${args[0]} ended with status ${status}: ${said.slice(-500)}`);
  return output.trim();
}
