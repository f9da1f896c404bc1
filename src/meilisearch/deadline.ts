import { addAbortListener } from "node:events";
import { overloaded, queryTooExpensive } from "../errors.ts";
import { LONE_REQUEST_MS, watchOthers } from "../telemetry/request-cost.ts";

/** All rounds of a request share this time while others wait for theirs. */
const REQUEST_DEADLINE_MS = 800;

/** How often a request beyond the first deadline looks whether it is still alone. */
const LOOK_AGAIN_MS = 100;

interface Deadline {
  readonly deadlineMs?: number | undefined;
  /** The parameter that makes the request expensive. */
  readonly dearest?: string;
}

/**
 * Runs work with a signal that aborts when the caller's does, or when the work takes too long: with 503 `overloaded` while other callers
 * have requests, or where the caller had several; with 422 `query_too_expensive` where the server worked on this request alone; and with a
 * `TimeoutError` outside of requests. Unlike the signals of `AbortSignal.any` and `AbortSignal.timeout`, nothing of it outlives the work:
 * their timers fire in vain.
 */
export async function within<T>(
  { deadlineMs = REQUEST_DEADLINE_MS, dearest = "data_id" }: Deadline,
  callerSignal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  callerSignal?.throwIfAborted();
  const controller = new AbortController();
  using _ = callerSignal && addAbortListener(callerSignal, () => controller.abort(callerSignal.reason));
  const endsAt = performance.now() + LONE_REQUEST_MS;
  const companyOf = watchOthers();
  let hadOwn = companyOf?.() === "own";
  const look = (): void => {
    const company = companyOf?.();
    hadOwn ||= company === "own";
    if (company === undefined) controller.abort(toTimeout(deadlineMs));
    else if (company === "others") controller.abort(overloaded());
    else if (performance.now() < endsAt) timer = setTimeout(look, LOOK_AGAIN_MS);
    else controller.abort(hadOwn ? overloaded() : queryTooExpensive(dearest));
  };
  let timer = setTimeout(look, deadlineMs);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** As the signal of `AbortSignal.timeout` has it. */
const toTimeout = (deadlineMs: number): DOMException =>
  new DOMException(`The operation took longer than ${deadlineMs} ms.`, "TimeoutError");
