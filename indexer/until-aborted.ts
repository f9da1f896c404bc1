/**
 * Begins something and resolves to its outcome, or rejects with the signal's reason as soon as that is aborted. What was begun
 * then goes on unobserved.
 */
export async function untilAborted<T>(begin: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason as Error);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([begin(), aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
