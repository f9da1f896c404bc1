import { HereaboutsError } from "./hereabouts-error.ts";

/** The first wait; each further one is twice as long. An engine that is restarted answers again within some seconds. */
const FIRST_WAIT_MS = 250;

/** On top of what a server asks for, so that all who were turned away at once do not come back at once. */
const MAX_EXTRA_MS = 250;

export interface RetryPolicy {
  /** How often a request is repeated at most. */
  readonly retries: number;
  /** A wait that would be longer than this is not begun: the error says how long it would have been. */
  readonly maxRetryWaitMs: number;
}

/** How long to wait before the next try; undefined for a failure that a repetition cannot mend or that would take too long. */
export function chooseWaitMs(
  error: unknown,
  repeated: number,
  { retries, maxRetryWaitMs }: RetryPolicy,
): number | undefined {
  if (repeated >= retries || !(error instanceof HereaboutsError) || !isPassing(error)) return undefined;
  const wait = waitMs(error.retryAfterSeconds, repeated);
  return wait <= maxRetryWaitMs ? wait : undefined;
}

/** Full minutes of a limit, a busy or restarting server, an engine or a line that is down: they pass. Everything else stays wrong. */
function isPassing({ code, status }: HereaboutsError): boolean {
  return (
    [429, 502, 503, 504].includes(status) ||
    code === "engine_unavailable" ||
    code === "network_error" ||
    code === "timed_out"
  );
}

function waitMs(retryAfterSeconds: number | undefined, repeated: number): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1000 + Math.random() * MAX_EXTRA_MS;
  // Between half and all of it: together with others, and never at once.
  return FIRST_WAIT_MS * 2 ** repeated * (0.5 + Math.random() / 2);
}

/** Resolves after the wait. Rejects with the reason of the signal, at once, when it is aborted meanwhile. */
export async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- a signal's reason is what its owner says it is
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
