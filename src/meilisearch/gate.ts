import {
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  handleWhenResult,
  type CircuitBreakerPolicy,
} from "cockatiel";
import { ProblemError, overloaded } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { CallOutcome, Telemetry } from "../telemetry/telemetry.ts";
import { EngineResponseError, MAX_SOCKETS, type Ask, type Question } from "./connection.ts";

/** As many calls may wait as run. At a few milliseconds a call, the last of them waits some 100 ms. */
const MAX_WAITING = 64;

/** A search has two to four rounds in 800 ms. It may wait this long in each and still succeed. */
const MAX_WAIT_MS = 150;

/** Failures in a row. An engine that is down or hangs fails every call; a slow one does not. */
const FAILURES_TO_OPEN = 5;

/** An engine that is back is used within this time. While it hangs, one caller waits in vain in this time. */
const REST_MS = 500;

/** The engine is not to blame for a timeout if it had less time than this, because the caller waited in the queue. */
const FAIR_MS = 250;

/** With more calls under way than this the engine may be at work on all of them and respond to none for a while. */
const SHORT_QUEUE = 16;

/** However many calls are under way, an engine that responds to none for this long hangs. */
const SILENT_MS = 2_000;

/** The call was not sent, since the engine failed several times in a row a moment ago. */
export class EngineRestingError extends Error {
  override readonly name = "EngineRestingError";

  constructor() {
    super("The engine failed several times in a row and is not called for a moment.");
  }
}

interface GateOptions {
  readonly ask: Ask;
  readonly telemetry: Telemetry;
  readonly logger: Logger;
  /** How many processes of this server share the engine; 1 when absent. Each then sends its part of the calls. */
  readonly processes?: number;
}

/** How a call ended, as a value: the breaker counts it, then it is passed on. */
type Settled = { readonly isBlamed: boolean } & ({ readonly answer: unknown } | { readonly error: unknown });

/**
 * Guards the engine: limits the calls at once, lets a short queue wait, and sends no call for a moment after several failures in
 * a row (circuit breaker). Rejects with 503 `overloaded` when the queue is full or the time ran out because of other calls, with
 * `EngineRestingError` while the breaker is open, and otherwise as `ask` does.
 */
export function createEngineGate({ ask, telemetry, logger, processes = 1 }: GateOptions): Ask {
  const breaker = createBreaker();
  reportChanges(breaker, { telemetry, logger });
  const [atOnce, maxWaiting, shortQueue] = [MAX_SOCKETS, MAX_WAITING, SHORT_QUEUE].map((most) =>
    Math.ceil(most / processes),
  ) as [number, number, number];
  const takeTurn = createTurns({ atOnce, maxWaiting, maxWaitMs: MAX_WAIT_MS });
  const silence = createSilenceWatch(shortQueue);

  const settle = async (question: Question): Promise<Settled> => {
    const startedAt = performance.now();
    silence.callBegan();
    const end = (outcome: CallOutcome): void => {
      const durationMs = performance.now() - startedAt;
      telemetry.callEnded({ dependency: "engine", operation: question.operation, outcome, durationMs });
      silence.callEnded(outcome === "ok");
    };
    try {
      const answer = await askAgainIfCutOff(ask, question);
      end("ok");
      return { answer, isBlamed: false };
    } catch (error) {
      const outcome = outcomeOf(error, question.signal);
      const isLate = outcome === "timed_out" && !silence.isSilentSince(startedAt);
      end(outcome);
      if (isLate) telemetry.requestShed("engine_queue");
      const isFault = outcome === "failed" || (outcome === "timed_out" && !isLate);
      return { error: isLate ? overloaded() : error, isBlamed: isBlamed(outcome, isFault, breaker.state) };
    }
  };

  const askIfWell = (question: Question): Promise<Settled> => {
    // One call tests whether the engine is back; cockatiel would make all others wait for it.
    if (breaker.state === CircuitState.HalfOpen) throw new EngineRestingError();
    return breaker.execute(() => settle(question));
  };

  const through = (question: Question): Promise<Settled> =>
    // While the breaker is open a call is rejected at once, without waiting in the queue.
    breaker.state === CircuitState.Closed
      ? takeTurn(async () => askIfWell(question), question.signal)
      : askIfWell(question);

  const gated = async (question: Question): Promise<unknown> => {
    let settled: Settled;
    try {
      settled = await through(question);
    } catch (error) {
      throw toRefusal(error, question, telemetry);
    }
    if ("error" in settled) throw settled.error;
    return settled.answer;
  };
  return gated as Ask;
}

/** Tells an engine that hangs from one that has too much to do. */
function createSilenceWatch(shortQueue: number) {
  let underWay = 0;
  let respondedAt = performance.now();
  /** The most calls under way at once since the engine last responded. */
  let longestQueue = 0;
  return {
    callBegan() {
      underWay += 1;
      longestQueue = Math.max(longestQueue, underWay);
    },
    callEnded(hasResponded: boolean) {
      underWay -= 1;
      if (hasResponded) respondedAt = performance.now();
      if (hasResponded || underWay === 0) longestQueue = underWay;
    },
    /** Whether the engine is at fault for a call that began then and had no response in time, and not the number of calls. */
    isSilentSince(startedAt: number): boolean {
      const now = performance.now();
      if (now - startedAt < FAIR_MS || respondedAt > startedAt) return false;
      return longestQueue <= shortQueue || now - respondedAt >= SILENT_MS;
    },
  };
}

const createBreaker = (): CircuitBreakerPolicy =>
  circuitBreaker(
    handleWhenResult((settled) => (settled as Settled).isBlamed),
    { halfOpenAfter: REST_MS, breaker: new ConsecutiveBreaker(FAILURES_TO_OPEN) },
  );

/** The error of a call that was not sent: the queue, the breaker, or the caller that hung up. */
function toRefusal(error: unknown, { operation, signal }: Question, telemetry: Telemetry): unknown {
  const outcome = signal.aborted ? outcomeOf(error, signal) : "rejected";
  telemetry.callEnded({ dependency: "engine", operation, outcome, durationMs: 0 });
  // The time ran out while the call waited in the queue.
  const refusal = outcome === "timed_out" ? overloaded() : error;
  if (refusal instanceof ProblemError) telemetry.requestShed("engine_queue");
  return refusal instanceof ProblemError || signal.aborted ? refusal : new EngineRestingError();
}

/** A restarting engine, or its limit for idle sockets, may close a socket just before it is used. Reading twice is safe. */
async function askAgainIfCutOff(ask: Ask, question: Question): Promise<unknown> {
  try {
    return await ask(question);
  } catch (error) {
    const { code } = (error ?? {}) as { code?: unknown };
    if (question.signal.aborted || (code !== "UND_ERR_SOCKET" && code !== "ECONNRESET")) throw error;
    return ask(question);
  }
}

function outcomeOf(error: unknown, signal: AbortSignal): CallOutcome {
  // An engine that refuses a request, or has no such document, is healthy.
  if (error instanceof EngineResponseError) return error.status >= 500 ? "failed" : "ok";
  if (!signal.aborted) return "failed";
  return (signal.reason as Error).name === "TimeoutError" ? "timed_out" : "aborted";
}

function isBlamed(outcome: CallOutcome, isFault: boolean, state: CircuitState): boolean {
  if (outcome === "ok" || isFault) return isFault;
  // An aborted call says nothing about the engine, so it does not prove that the engine is back either.
  return state === CircuitState.HalfOpen;
}

/** Logs once when the engine is lost and once when it is back, however many calls are rejected in between. */
function reportChanges(breaker: CircuitBreakerPolicy, { telemetry, logger }: Omit<GateOptions, "ask">): void {
  let openedAt: number | undefined;
  breaker.onBreak((reason) => {
    telemetry.breakerChanged("engine", "open");
    if (openedAt !== undefined) return;
    openedAt = performance.now();
    const { error } = ("value" in reason ? reason.value : reason) as { error?: unknown };
    logger.error({ err: error }, "engine_lost");
  });
  breaker.onHalfOpen(() => telemetry.breakerChanged("engine", "half_open"));
  breaker.onReset(() => {
    telemetry.breakerChanged("engine", "closed");
    const durationMs = performance.now() - (openedAt ?? performance.now());
    openedAt = undefined;
    logger.info({ duration_ms: Math.round(durationMs) }, "engine_back");
  });
}

interface TurnOptions {
  /** How many calls run at the same time. */
  readonly atOnce: number;
  /** How many calls may wait for their turn; one more is rejected. */
  readonly maxWaiting: number;
  /** A call that has waited this long is rejected. */
  readonly maxWaitMs: number;
}

/** Runs a call when it is its turn. Rejects with 503 `overloaded` when the queue is full, and with the signal's reason. */
export type TakeTurn = <T>(run: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** Waiting calls in order of arrival; each function starts its call. */
type Queue = Set<() => void>;

/** First come, first served. A call that is aborted leaves the queue at once. */
export function createTurns({ atOnce, maxWaiting, maxWaitMs }: TurnOptions): TakeTurn {
  let running = 0;
  const queue: Queue = new Set();

  return async (run, signal) => {
    if (running < atOnce) running += 1;
    else if (queue.size >= maxWaiting) throw overloaded();
    else await waitInQueue(queue, maxWaitMs, signal);
    try {
      return await run();
    } finally {
      // The turn passes to the next in the queue, so no later call can take it.
      const next = queue.values().next();
      if (next.done) running -= 1;
      else next.value();
    }
  };
}

function waitInQueue(queue: Queue, maxWaitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      queue.delete(begin);
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
    };
    const begin = (): void => {
      leave();
      resolve();
    };
    const giveUp = (): void => {
      leave();
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      leave();
      reject(overloaded());
    }, maxWaitMs);
    signal.addEventListener("abort", giveUp, { once: true });
    queue.add(begin);
  });
}
