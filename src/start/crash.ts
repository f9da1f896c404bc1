import type { Logger } from "../logger.ts";

/** Why the server stops when something broke that nobody expected. */
export class CrashError extends Error {
  override readonly name = "CrashError";
}

/** What is under way gets this long to end in order. */
const CRASH_DEADLINE_MS = 3_000;

/**
 * A process in which something broke that nobody caught is in a state that nobody knows: it says so in one line, ends what is under
 * way and exits with 1, so that whoever supervises it starts a new one.
 */
export function endOnCrash(logger: Logger, stopping: AbortController): void {
  let isCrashed = false;
  // Rejections that nobody handled come here too.
  process.on("uncaughtException", (err, origin) => {
    if (isCrashed) process.exit(1);
    isCrashed = true;
    logger.fatal({ err, origin }, "process_crashed");
    process.exitCode = 1;
    setTimeout(() => process.exit(1), CRASH_DEADLINE_MS).unref();
    stopping.abort(new CrashError());
  });
}
