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

/** As many wait as are running: at a few milliseconds a call that is some hundred of them. */
const MAX_WAITING = 64;

/** A search asks two to four times within its 800 ms: it may wait this long each time and still end well. */
const MAX_WAIT_MS = 150;

/** One call that fails may be a fault of its own. An engine that is gone or hangs fails all; of one that is slow some succeed. */
const FAILURES_TO_OPEN = 5;

/** An engine that is back is used half a second later at the latest; one that hangs costs one caller in this time a wait. */
const REST_MS = 500;

/** An engine that had less time than this cannot be blamed: the caller had waited for others. */
const FAIR_MS = 250;

/** The engine was not asked, since it failed a moment ago. */
export class EngineRestingError extends Error {
  override readonly name = "EngineRestingError";

  constructor() {
    super("The engine failed several times in a row and is left alone for a moment.");
  }
}

interface GateOptions {
  readonly ask: Ask;
  readonly telemetry: Telemetry;
  readonly logger: Logger;
}

/** How a call ended, as a value: the breaker judges it, and then it is handed on. */
type Settled = { readonly isBlamed: boolean } & ({ readonly answer: unknown } | { readonly error: unknown });

/**
 * The way of all questions of callers to the engine: no more at once than it can work on, a short line of those who wait, and none
 * at all for a moment when it has failed several times in a row. Rejects with 503 `overloaded` when the line is full and with
 * `EngineRestingError` while the engine is left alone; else as `ask` does.
 */
export function createEngineGate({ ask, telemetry, logger }: GateOptions): Ask {
  const breaker = createBreaker();
  tellChanges(breaker, { telemetry, logger });
  const takeTurn = createTurns({ atOnce: MAX_SOCKETS, maxWaiting: MAX_WAITING, maxWaitMs: MAX_WAIT_MS });

  const settle = async (question: Question): Promise<Settled> => {
    const startedAt = performance.now();
    const end = (outcome: CallOutcome): number => {
      const durationMs = performance.now() - startedAt;
      telemetry.callEnded({ dependency: "engine", operation: question.operation, outcome, durationMs });
      return durationMs;
    };
    try {
      const answer = await askAgainIfCutOff(ask, question);
      end("ok");
      return { answer, isBlamed: false };
    } catch (error) {
      const outcome = outcomeOf(error, question.signal);
      const durationMs = end(outcome);
      return { error, isBlamed: isBlamed(outcome, durationMs, breaker.state) };
    }
  };

  const askIfWell = (question: Question): Promise<Settled> => {
    // One question is out to find out whether the engine is back; cockatiel would let all others wait for it.
    if (breaker.state === CircuitState.HalfOpen) throw new EngineRestingError();
    return breaker.execute(() => settle(question));
  };

  const through = (question: Question): Promise<Settled> =>
    // While the engine is left alone nobody needs to stand in line for that to be said.
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

const createBreaker = (): CircuitBreakerPolicy =>
  circuitBreaker(
    handleWhenResult((settled) => (settled as Settled).isBlamed),
    { halfOpenAfter: REST_MS, breaker: new ConsecutiveBreaker(FAILURES_TO_OPEN) },
  );

/** What kept a question from being asked: the line, the breaker, or that nobody waits any more. */
function toRefusal(error: unknown, { operation, signal }: Question, telemetry: Telemetry): unknown {
  const outcome = signal.aborted ? outcomeOf(error, signal) : "rejected";
  telemetry.callEnded({ dependency: "engine", operation, outcome, durationMs: 0 });
  if (error instanceof ProblemError) telemetry.requestShed("engine_queue");
  return error instanceof ProblemError || signal.aborted ? error : new EngineRestingError();
}

/** A restart of the engine, or its own limit for idle sockets, cuts a socket that was just about to be used. Reading twice is safe. */
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
  // The engine is well when it says that a question is wrong, or that there is no such document.
  if (error instanceof EngineResponseError) return error.status >= 500 ? "failed" : "ok";
  if (!signal.aborted) return "failed";
  return (signal.reason as Error).name === "TimeoutError" ? "timed_out" : "aborted";
}

function isBlamed(outcome: CallOutcome, durationMs: number, state: CircuitState): boolean {
  if (outcome === "ok") return false;
  if (outcome === "failed" || (outcome === "timed_out" && durationMs >= FAIR_MS)) return true;
  // Says nothing about the engine; so it does not tell either that one which failed before is back.
  return state === CircuitState.HalfOpen;
}

/** One line of log when the engine goes and one when it is back, however many requests are turned away between. */
function tellChanges(breaker: CircuitBreakerPolicy, { telemetry, logger }: Omit<GateOptions, "ask">): void {
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
  /** How many run at the same time. */
  readonly atOnce: number;
  /** How many may wait for their turn; one more is turned away. */
  readonly maxWaiting: number;
  /** Who has waited this long is turned away. */
  readonly maxWaitMs: number;
}

/** Runs when it is its turn. Rejects with 503 `overloaded` when the line is too long, and with the signal's reason. */
export type TakeTurn = <T>(run: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** Who waits: called when it is its turn. In the order they came. */
type Line = Set<() => void>;

/** First come, first served. Who no longer waits leaves the line at once, so it holds only those who still want something. */
export function createTurns({ atOnce, maxWaiting, maxWaitMs }: TurnOptions): TakeTurn {
  let running = 0;
  const line: Line = new Set();

  return async (run, signal) => {
    if (running < atOnce) running += 1;
    else if (line.size >= maxWaiting) throw overloaded();
    else await waitInLine(line, maxWaitMs, signal);
    try {
      return await run();
    } finally {
      // A turn is handed on, so nobody who comes later can take it.
      const next = line.values().next();
      if (next.done) running -= 1;
      else next.value();
    }
  };
}

function waitInLine(line: Line, maxWaitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      line.delete(begin);
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
    line.add(begin);
  });
}
