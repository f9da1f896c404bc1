import * as v from "valibot";
import type { RedisConnection } from "./connection.ts";
import { LAST_CHECK_KEY, RUN_HISTORY_KEY } from "./keys.ts";

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

const checkSchema = v.object({ built_at: v.string(), checked_at: v.string() });

/**
 * Notes that the index that was built at this time is that of its sources now: they did not change, or a sync wrote the differences.
 * Rejects when Redis does not respond.
 */
export async function addCheck(redis: RedisConnection, builtAt: string): Promise<void> {
  const check = { built_at: builtAt, checked_at: new Date().toISOString() };
  await redis.set(LAST_CHECK_KEY, JSON.stringify(check));
}

/**
 * When the index that was built at this time was last known to be that of its sources. That is the time it was built, unless it was
 * checked since: a check of another index, before an import or a rollback, does not count. Never rejects.
 */
export async function readCheckedAt(redis: RedisConnection | undefined, builtAt: string): Promise<string> {
  const text = await redis?.get(LAST_CHECK_KEY).catch(() => null);
  const { success, output } = v.safeParse(checkSchema, parseJson(text ?? ""));
  return success && output.built_at === builtAt ? output.checked_at : builtAt;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
