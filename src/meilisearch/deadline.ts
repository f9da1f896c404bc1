/** A caller learns within a second that the engine is down. All rounds of a request share this time. */
export const REQUEST_DEADLINE_MS = 800;

/**
 * Runs work with a signal that aborts when the caller's does, or with a `TimeoutError` when the work takes too long. Unlike the signals of
 * `AbortSignal.any` and `AbortSignal.timeout`, nothing of it outlives the work: their timers fire in vain.
 */
export async function within<T>(
  deadlineMs: number,
  callerSignal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  callerSignal?.throwIfAborted();
  const controller = new AbortController();
  const follow = (): void => controller.abort(callerSignal?.reason);
  callerSignal?.addEventListener("abort", follow, { once: true });
  const timer = setTimeout(() => controller.abort(toTimeout(deadlineMs)), deadlineMs);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    callerSignal?.removeEventListener("abort", follow);
  }
}

/** As the signal of `AbortSignal.timeout` has it. */
const toTimeout = (deadlineMs: number): DOMException =>
  new DOMException(`The operation took longer than ${deadlineMs} ms.`, "TimeoutError");
