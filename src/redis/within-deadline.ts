/** A deadline is counted in steps, and the time in which this process stood still is one of them at most. */
const STEPS = 5;

/** There was no answer in time. */
export class DeadlineError extends Error {
  override readonly name = "DeadlineError";
}

/**
 * Rejects with a `DeadlineError` when `promise` takes longer than `deadlineMs`. A busy process reads an answer later than it came: only the time in
 * which it could have read one counts, so that its own stall is not taken for a fault of who was asked.
 */
export async function withinDeadline<T>(promise: Promise<T>, deadlineMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  let steps = 0;
  const timer = setInterval(() => {
    steps += 1;
    if (steps === STEPS) late.reject(new DeadlineError(`No answer within ${deadlineMs} ms`));
  }, deadlineMs / STEPS);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearInterval(timer);
  }
}
