import { setTimeout as sleep } from "node:timers/promises";
import type { Task } from "meilisearch";
import { engineResponseOf, type EngineConnection } from "./engine-connection.ts";

/** The engine took the work and then failed at it: a full disk, a document it refuses. */
export class EngineTaskError extends Error {
  override readonly name = "EngineTaskError";
}

/** Nothing of ours cancels tasks but an import that clears away what another has begun. */
export const REPLACED = "Another import began meanwhile and took the place of this one.";

/** Short tasks end in some milliseconds, long ones in minutes: ask soon, then less and less often. */
const FIRST_POLL_MS = 10;
const LAST_POLL_MS = 500;

/** An engine that is restarted goes on with its tasks; one that stays away this long ends the build. */
const MAX_SILENCE_MS = 30_000;

/** Reading one task is a matter of milliseconds, but the engine may be busy writing. */
const POLL_DEADLINE_MS = 10_000;

const isEnded = (task: Task): boolean => ["succeeded", "failed", "canceled"].includes(task.status);

/**
 * Waits until the task has succeeded, however long it takes.
 * @throws {EngineTaskError} when it failed or was cancelled, and the engine's error when it does not answer for 30 s.
 */
export async function waitForTask(connection: EngineConnection, taskUid: number): Promise<Task> {
  let lastAnswerAt = performance.now();
  for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(pollMs * 2, LAST_POLL_MS)) {
    try {
      const task = await connection.client.tasks.getTask(taskUid, {
        signal: AbortSignal.timeout(POLL_DEADLINE_MS),
      });
      lastAnswerAt = performance.now();
      if (isEnded(task)) return checkSucceeded(task);
    } catch (error) {
      const answered = error instanceof EngineTaskError || engineResponseOf(error) !== undefined;
      if (answered || performance.now() - lastAnswerAt > MAX_SILENCE_MS) throw error;
    }
    await sleep(pollMs);
  }
}

function checkSucceeded(task: Task): Task {
  if (task.status === "succeeded") return task;
  if (task.status === "canceled") throw new EngineTaskError(REPLACED);
  throw new EngineTaskError(
    `The engine's task ${task.uid} (${task.type}) failed: ${task.error?.message ?? "no reason given"}`,
  );
}
