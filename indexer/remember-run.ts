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
  { command, redisUrl, tally }: Remembered,
  run: () => Promise<number>,
): Promise<number> {
  const startedAt = new Date();
  const remember = (ending: Pick<Run, "outcome" | "error">, places: number): Promise<void> =>
    rememberRun(redisUrl, {
      command,
      ...ending,
      started_at: startedAt.toISOString(),
      duration_seconds: Math.round((Date.now() - startedAt.getTime()) / 10) / 100,
      counts: { read: tally.read, rejected: totalRejected(tally), indexed: places },
    });
  try {
    const places = await run();
    await remember({ outcome: "done" }, places);
    return places;
  } catch (error) {
    const outcome = error instanceof Interrupted ? "interrupted" : "failed";
    await remember({ outcome, error: toErrorText(error) }, 0);
    throw error;
  }
}
