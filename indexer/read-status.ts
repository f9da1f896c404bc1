import type { EngineSummary } from "../src/place-index/engine-summary.ts";
import type { IndexAdmin, IndexRole } from "../src/place-index/index-admin.ts";
import type { IndexSummary } from "../src/place-index/index-summary.ts";
import { readRuns, type Run } from "../src/redis/run-history.ts";
import { toErrorText } from "./error-text.ts";
import { withRedis } from "./redis-session.ts";

/** Something that was looked at, or why it could not be. */
export type Known<T> = { readonly value: T } | { readonly problem: string };

export interface Status {
  readonly engine: Known<EngineSummary>;
  /** Absent when there is none. */
  readonly indexes: Readonly<Record<IndexRole, Known<IndexSummary | undefined>>>;
  /** `undefined` without a Redis. */
  readonly runs: Known<readonly Run[]> | undefined;
}

/** A screenful; the list has some more. */
const RUNS_SHOWN = 10;

/** Looks at everything there is; what is missing is told and keeps nothing else from being looked at. */
export async function readStatus(admin: IndexAdmin, redisUrl: string | undefined): Promise<Status> {
  const [engine, live, next, previous, runs] = await Promise.all([
    known(() => admin.readEngine()),
    known(() => admin.readIndex("live")),
    known(() => admin.readIndex("next")),
    known(() => admin.readIndex("previous")),
    redisUrl === undefined
      ? undefined
      : known(() => withRedis(redisUrl, (redis) => readRuns(redis, RUNS_SHOWN))),
  ]);
  return { engine, indexes: { live, next, previous }, runs };
}

async function known<T>(read: () => Promise<T>): Promise<Known<T>> {
  try {
    return { value: await read() };
  } catch (error) {
    return { problem: toErrorText(error) };
  }
}

/** What is known, or `undefined`. */
export const valueOf = <T>(known: Known<T> | undefined): T | undefined =>
  known && "value" in known ? known.value : undefined;
