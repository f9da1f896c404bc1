import { setTimeout as sleep } from "node:timers/promises";
import type { Task } from "meilisearch";
import { engineResponseOf, type EngineConnection } from "../../src/meilisearch/connection.ts";

/** The engine accepted a task but could not finish it: the disk is full, or it refuses a document. */
export class EngineTaskError extends Error {
  override readonly name = "EngineTaskError";
}

/** Only a later import cancels our tasks: it removes the unfinished index of an earlier one. */
export const REPLACED = "Another import began meanwhile and took the place of this one.";

/** Short tasks take milliseconds, long ones minutes: poll soon, then less and less often, so that few of them wait long for being noticed. */
const FIRST_POLL_MS = 10;
const POLL_GROWTH = 1.5;
const LAST_POLL_MS = 500;

/** A restarted engine continues its tasks. After this time without a response the command fails. */
const MAX_SILENCE_MS = 30_000;

/** Reading one task is a matter of milliseconds, but the engine may be busy writing. */
const POLL_DEADLINE_MS = 10_000;

/** A signal that is never aborted. */
const NEVER = new AbortController().signal;

const isEnded = (task: Task): boolean => ["succeeded", "failed", "canceled"].includes(task.status);

/**
 * Repeats a request while the engine does not respond, since it may be restarting. For requests that may be sent twice.
 * @throws an error response at once, the last error after 30 s (or `maxSilenceMs`) without a response, and the signal's reason.
 */
export async function retryWhileUnreachable<T>(
  ask: () => Promise<T>,
  signal: AbortSignal = NEVER,
  maxSilenceMs = MAX_SILENCE_MS,
): Promise<T> {
  const startedAt = performance.now();
  for (;;) {
    signal.throwIfAborted();
    try {
      return await ask();
    } catch (error) {
      signal.throwIfAborted();
      if (hasAnswered(error) || performance.now() - startedAt > maxSilenceMs) throw error;
    }
    await pause(LAST_POLL_MS, signal);
  }
}

/** Whether an error is a response of the engine, and not its silence. */
export const hasAnswered = (error: unknown): boolean =>
  error instanceof EngineTaskError || engineResponseOf(error) !== undefined;

/** Rejects with the signal's reason and not with the timer's. */
async function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  await sleep(durationMs, undefined, { signal }).catch(() => signal.throwIfAborted());
}

/**
 * Waits until the task has succeeded, however long it takes.
 * @throws {EngineTaskError} when it failed or was cancelled, the engine's error after 30 s without a
 *   response, and the signal's reason.
 */
export async function waitForTask(
  { client }: EngineConnection,
  taskUid: number,
  signal: AbortSignal = NEVER,
  maxSilenceMs = MAX_SILENCE_MS,
): Promise<Task> {
  const pollDeadlineMs = Math.min(POLL_DEADLINE_MS, maxSilenceMs);
  const deadline = (): AbortSignal => AbortSignal.any([AbortSignal.timeout(pollDeadlineMs), signal]);
  for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(pollMs * POLL_GROWTH, LAST_POLL_MS)) {
    const task = await retryWhileUnreachable(
      () => client.tasks.getTask(taskUid, { signal: deadline() }),
      signal,
      maxSilenceMs,
    );
    if (isEnded(task)) return checkSucceeded(task);
    await pause(pollMs, signal);
  }
}

/** Waits for a task that is being enqueued. */
export async function runTask(
  connection: EngineConnection,
  enqueued: PromiseLike<{ taskUid: number }>,
  signal: AbortSignal = NEVER,
): Promise<void> {
  const { taskUid } = await enqueued;
  await waitForTask(connection, taskUid, signal);
}

/** Waits until no task of an index is enqueued or processing: an earlier process may have left some behind. */
export async function waitForQueue(
  connection: EngineConnection,
  uid: string,
  signal: AbortSignal = NEVER,
): Promise<void> {
  for (;;) {
    const { results } = await retryWhileUnreachable(
      () =>
        connection.client.tasks.getTasks({
          indexUids: [uid],
          statuses: ["enqueued", "processing"],
          limit: 1,
        }),
      signal,
    );
    if (results[0] === undefined) return;
    // Whether it succeeds is checked by the caller that needs its result.
    await waitForTask(connection, results[0].uid, signal).catch((error: unknown) => {
      if (!(error instanceof EngineTaskError)) throw error;
    });
  }
}

/** The uid of the latest task of an index that failed or was cancelled; -1 when there is none. */
export async function lastFailedTask(connection: EngineConnection, indexUid: string): Promise<number> {
  const { results } = await retryWhileUnreachable(() =>
    connection.client.tasks.getTasks({
      indexUids: [indexUid],
      statuses: ["failed", "canceled"],
      types: ["documentAdditionOrUpdate"],
      limit: 1,
    }),
  );
  return results[0]?.uid ?? -1;
}

function checkSucceeded(task: Task): Task {
  if (task.status === "succeeded") return task;
  if (task.status === "canceled") throw new EngineTaskError(REPLACED);
  throw new EngineTaskError(
    `The engine's task ${task.uid} (${task.type}) failed: ${task.error?.message ?? "no reason given"}`,
  );
}
