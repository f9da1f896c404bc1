import { Command, CommanderError, Help, type Option } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import type { Readable, Writable } from "node:stream";
import { ConfigError, OperatorError } from "../errors.ts";
import { loadEnvironmentFile, readConfig, type Config } from "../config.ts";
import { EXIT, Interrupted, toFailure, type Failure } from "./errors.ts";
import { listenForInterruption, type Interruption } from "./interruption.ts";
import type { ProgressStream } from "./progress.ts";

/** What a command takes from the process it runs in. */
export interface CommandContext {
  readonly config: Config;
  /** For variables that belong to others, such as those of AWS. */
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: ProgressStream;
  /** Writes a line to standard error. */
  readonly say: (text: string) => void;
  readonly interruption: Interruption;
}

/** What a program uses of the process it runs in. Tests run programs in a simulated process. */
export interface ProgramProcess {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: ProgressStream & Writable;
  exitCode?: number | string | null | undefined;
  on(signal: string, listener: () => void): unknown;
  off(signal: string, listener: () => void): unknown;
  exit(exitCode: number): void;
}

/** Runs a command in its process and sets the process's exit code. */
export type RunCommand = (run: (context: CommandContext) => Promise<number>) => Promise<void>;

/**
 * Runs the main function of a program. What it throws sets the exit code: a sentence on standard error for what a person can
 * fix, a stack for what is our mistake. Output that is lost is a failure too, but stops nothing: an import goes on. Nothing is said
 * of a reader that stops early, such as `head`.
 */
export async function runProgram(
  main: () => Promise<unknown>,
  host: Pick<ProgramProcess, "stdout" | "stderr" | "exitCode"> = process,
): Promise<void> {
  let isLost = false;
  host.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (!isLost && code !== "EPIPE")
      host.stderr.write(`Cannot write to standard output: ${code}. It is incomplete.\n`);
    isLost = true;
    // The last write may fail after the program has ended.
    host.exitCode = EXIT.failed;
  });
  try {
    await main();
  } catch (error) {
    host.exitCode = reportError(error, host);
  }
  if (isLost) host.exitCode ||= EXIT.failed;
}

function reportError(error: unknown, { stderr }: Pick<ProgramProcess, "stderr">): number {
  // Commander has printed what is wrong, or the help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.wrongUsage;
  if (error instanceof Interrupted) return error.exitCode;
  // Some waits end with another error that names ours as its cause.
  if (error instanceof Error && error.cause instanceof Interrupted) return error.cause.exitCode;
  stderr.write(`${error instanceof OperatorError ? error.message : stackOf(error)}\n`);
  return error instanceof ConfigError ? EXIT.wrongUsage : EXIT.failed;
}

const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** Gives a command what it takes from the process, and the process its exit code. */
export const commandRunner =
  (host: ProgramProcess): RunCommand =>
  async (run) => {
    const { env, stdin, stdout, stderr } = host;
    loadEnvironmentFile(env);
    const config = readConfig(env);
    const interruption = listenForInterruption(host, { quit: (exitCode) => host.exit(exitCode) });
    const say = (text: string): void => void stderr.write(`${text}\n`);
    host.exitCode = await run({ config, env, stdin, stdout, stderr, say, interruption });
    interruption.stop();
    stdin.destroy();
  };

/** An empty program that prints where its process does. Its commands inherit this. */
export const createProgram = (name: string, { stdout, stderr }: ProgramProcess): Command =>
  new Command(name)
    .version(packageJson.version, "-V, --version", "print the version")
    .showHelpAfterError("(see --help)")
    .configureHelp({ optionDescription: describeOption })
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
    })
    .exitOverride();

const standardHelp = new Help();

/** The text of an option in the help. Nobody needs to read that a switch is off by default. */
const describeOption = (option: Option): string =>
  option.defaultValue === false ? option.description : standardHelp.optionDescription(option);

/** Runs the work of a command to its exit code. What the work throws is passed to `report`. */
export async function runToExitCode(
  { interruption: { signal } }: Pick<CommandContext, "interruption">,
  work: () => Promise<number>,
  report: (failure: Failure) => void,
): Promise<number> {
  try {
    return await work();
  } catch (error) {
    const failure = toFailure(error, signal);
    report(failure);
    return failure.exitCode;
  }
}

/** Runs the work of a command to its exit code. Prints a failure, and as `{"error": …}` too where JSON was asked for. */
export const runOrPrint = (
  context: Pick<CommandContext, "interruption" | "stdout" | "stderr">,
  json: boolean,
  work: () => Promise<number>,
): Promise<number> =>
  runToExitCode(context, work, ({ text }) => {
    context.stderr.write(`${text}\n`);
    if (json) context.stdout.write(`${JSON.stringify({ error: text })}\n`);
  });

/** What a program that measures or tests the others takes from its process. */
export interface Tool {
  readonly signal: AbortSignal;
  /** Tells on standard error what is going on, with the seconds since the start. */
  readonly onProgress: (what: string) => void;
}

/** Of these programs a caller only wants to know that they did not finish. */
const TOOL_EXIT_CODES = { SIGINT: 130, SIGTERM: 130, SIGHUP: 130 } as const;

/**
 * Runs a program that measures or tests the others: the evaluation, the benchmark, the soak. The first Ctrl-C ends it in order,
 * the second at once.
 * @param run resolves to the exit code.
 */
export function runTool(run: (tool: Tool) => Promise<number>): Promise<void> {
  const { signal } = listenForInterruption(process, {
    quit: (exitCode) => process.exit(exitCode),
    exitCodes: TOOL_EXIT_CODES,
  });
  const startedAt = performance.now();
  const onProgress = (what: string): void => {
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
    process.stderr.write(`${seconds.padStart(5)} s  ${what}\n`);
  };
  return runProgram(async () => {
    try {
      process.exitCode = await run({ signal, onProgress });
    } catch (error) {
      throw signal.aborted && !(error instanceof CommanderError) ? signal.reason : error;
    }
  });
}
