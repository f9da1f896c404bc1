import { toErrorText, Interrupted } from "./interruption.ts";
import type { CommandContext } from "./import.ts";

export const EXIT_DONE = 0;
export const EXIT_FAILED = 1;

/** Runs a command to its exit status; what it throws is told on standard error, and as JSON where that was asked for. */
export async function runToExit(
  { stdout, stderr, interruption }: CommandContext,
  json: boolean,
  run: () => Promise<number>,
): Promise<number> {
  try {
    return await run();
  } catch (error) {
    const reason: unknown = interruption.signal.aborted ? interruption.signal.reason : error;
    const text = toErrorText(reason);
    stderr.write(`${text}\n`);
    if (json) stdout.write(`${JSON.stringify({ error: text })}\n`);
    return reason instanceof Interrupted ? reason.exitCode : EXIT_FAILED;
  }
}
