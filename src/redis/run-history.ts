import * as v from "valibot";
import type { RedisConnection } from "./connection.ts";
import { RUN_HISTORY_KEY } from "./keys.ts";

const runSchema = v.object({
  /** `import`, `rollback`, … */
  command: v.string(),
  /** `done`, `failed` or `interrupted`. */
  outcome: v.picklist(["done", "failed", "interrupted"]),
  /** Why it failed or stopped. */
  error: v.optional(v.string()),
  started_at: v.string(),
  duration_seconds: v.number(),
  /** `read`, `indexed`, `rejected`, … */
  counts: v.record(v.string(), v.number()),
});

/** One stored run of a command that writes. */
export type Run = v.InferOutput<typeof runSchema>;

/** A month of nightly runs; some kilobytes. */
const MAX_RUNS = 30;

/** An error may quote a whole record, so it is cut to this length. */
const MAX_ERROR_LENGTH = 500;

/** Stores a run and drops the oldest. Rejects when Redis does not respond. */
export async function addRun(redis: RedisConnection, run: Run): Promise<void> {
  const error = run.error?.slice(0, MAX_ERROR_LENGTH).toWellFormed();
  const entry = JSON.stringify({ ...run, ...(error !== undefined && { error }) });
  await redis
    .multi()
    .lpush(RUN_HISTORY_KEY, entry)
    .ltrim(RUN_HISTORY_KEY, 0, MAX_RUNS - 1)
    .exec();
}

/** The latest runs, newest first, without unreadable ones. Rejects when Redis does not respond. */
export async function readRuns(redis: RedisConnection, count: number): Promise<Run[]> {
  const entries = await redis.lrange(RUN_HISTORY_KEY, 0, count - 1);
  return entries.flatMap((entry) => {
    const parsed = v.safeParse(runSchema, parseJson(entry));
    return parsed.success ? [parsed.output] : [];
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
