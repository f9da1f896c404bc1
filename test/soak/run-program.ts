import { CommanderError } from "commander";

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
