import type { Run } from "../src/redis/run-history.ts";
import { toErrorText } from "./error-text.ts";
import { totalRejected, type ImportTally } from "./import-tally.ts";
import { Interrupted } from "./interruption.ts";
import { rememberRun } from "./redis-session.ts";

interface Remembered {
  readonly command: string;
  /** Without a Redis nothing is remembered. */
  readonly redisUrl: string | undefined;
  readonly tally: ImportTally;
}

/** Runs something that ends with a number of places, and remembers for `status` how it went. Throws what it throws. */
export async function remembering(
  { tally, ...remembered }: Remembered,
  run: () => Promise<number>,
): Promise<number> {
  let indexed = 0;
  const counts = () => ({ read: tally.read, rejected: totalRejected(tally), indexed });
  return rememberingCounts({ ...remembered, counts }, async () => (indexed = await run()));
}

interface RememberedCounts extends Omit<Remembered, "tally"> {
  /** Asked for when it has ended. */
  readonly counts: () => Run["counts"];
}

/** Runs something and remembers for `status` how it went, with counts of its own. Throws what it throws. */
export async function rememberingCounts<T>(
  { command, redisUrl, counts }: RememberedCounts,
  run: () => Promise<T>,
): Promise<T> {
  const startedAt = new Date();
  const remember = (ending: Pick<Run, "outcome" | "error">): Promise<void> =>
    rememberRun(redisUrl, {
      command,
      ...ending,
      started_at: startedAt.toISOString(),
      duration_seconds: Math.round((Date.now() - startedAt.getTime()) / 10) / 100,
      counts: counts(),
    });
  try {
    const result = await run();
    await remember({ outcome: "done" });
    return result;
  } catch (error) {
    const outcome = error instanceof Interrupted ? "interrupted" : "failed";
    await remember({ outcome, error: toErrorText(error) });
    throw error;
  }
}
