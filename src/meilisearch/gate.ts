import {
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  handleWhenResult,
  type CircuitBreakerPolicy,
} from "cockatiel";
import { ProblemError, overloaded } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { atNoCost, chargeEngine } from "../telemetry/request-cost.ts";
import type { CallOutcome, Telemetry } from "../telemetry/telemetry.ts";
import * as v from "valibot";
import { EngineResponseError, type Ask, type Question } from "./connection.ts";

/** Failures in a row. An engine that is down or hangs fails every call; a slow one does not. */
const FAILURES_TO_OPEN = 5;

/** An engine that is back is used within this time. While it hangs, one caller waits in vain in this time. */
const REST_MS = 500;

/** After this time of a call without any response, the engine is asked whether it is well. */
const PROBE_AFTER_MS = 100;

/** The engine is silent when it has not responded to anything for this long, not even whether it is well. */
const SILENT_MS = 700;

/** A call that had less time than this says nothing about the engine. */
const FAIR_MS = 250;

/** However well it says it is, an engine that ends no call for this long is of no use. */
const STUCK_MS = 5_000;

/** Of the time until a call was cut off, the engine is taken to have worked on it: beside others it takes twice as long as alone. */
const WORKED_SHARE = 0.5;

/** The call was not sent, since the engine failed several times in a row a moment ago. */
export class EngineRestingError extends Error {
  override readonly name = "EngineRestingError";

  constructor() {
    super("The engine failed several times in a row and is not called for a moment.");
  }
}

/** The engine responds to nothing. */
class EngineSilentError extends Error {
  override readonly name = "EngineSilentError";

  constructor() {
    super("The engine does not respond.");
  }
}

interface GateOptions {
  readonly ask: Ask;
  readonly telemetry: Telemetry;
  readonly logger: Logger;
}

/** How a call ended, as a value: the breaker counts it, then it is passed on. */
type Settled = { readonly isBlamed: boolean } & ({ readonly answer: unknown } | { readonly error: unknown });

/**
 * Guards the engine: sends no call for a moment after several failures in a row (circuit breaker), and tells an engine that does not
 * respond from one that has much to do. Rejects with the reason of a signal whose time ran out while the engine was at work (503
 * `overloaded` if it has none of its own), with `EngineRestingError` while the breaker is open, and otherwise as `ask` does.
 */
export function createEngineGate({ ask, telemetry, logger }: GateOptions): Ask {
  const breaker = createBreaker();
  reportChanges(breaker, { telemetry, logger });
  const watch = createSilenceWatch(ask);

  const settle = async (question: Question): Promise<Settled> => {
    const startedAt = performance.now();
    const end = (outcome: CallOutcome): void => {
      const durationMs = performance.now() - startedAt;
      telemetry.callEnded({ dependency: "engine", operation: question.operation, outcome, durationMs });
    };
    try {
      const answer = await watch.during(question, (signal) => askAgainIfCutOff(ask, { ...question, signal }));
      end("ok");
      return { answer, isBlamed: false };
    } catch (error) {
      const outcome = outcomeOf(error, question.signal);
      const isSilent = watch.isSilentSince(startedAt);
      const isLate = outcome === "timed_out" && !isSilent;
      // The engine does not say what it did for a call that is cut off, and goes on with it.
      if (question.signal.aborted && !isSilent) chargeEngine(WORKED_SHARE * (performance.now() - startedAt));
      end(outcome);
      const refusal = isLate ? toLate(error, telemetry) : error;
      const isFault = outcome === "failed" || (outcome === "timed_out" && !isLate);
      return {
        error: isFault && error instanceof ProblemError ? new EngineSilentError() : refusal,
        isBlamed: isBlamed(outcome, isFault, breaker.state),
      };
    }
  };

  const gated = async (question: Question): Promise<unknown> => {
    let settled: Settled;
    try {
      question.signal.throwIfAborted();
      // One call tests whether the engine is back; cockatiel would make all others wait for it.
      if (breaker.state === CircuitState.HalfOpen) throw new EngineRestingError();
      settled = await breaker.execute(() => settle(question));
    } catch (error) {
      throw toRefusal(error, question, telemetry);
    }
    if ("error" in settled) throw settled.error;
    return settled.answer;
  };
  return gated as Ask;
}

/** The time ran out, but the engine is well. */
function toLate(error: unknown, telemetry: Telemetry): unknown {
  const refusal = error instanceof ProblemError ? error : overloaded();
  if (refusal.code === "overloaded") telemetry.requestShed("engine_queue");
  return refusal;
}

/** Tells an engine that does not respond from one that has much to do: asks it whether it is well when a call takes long. */
function createSilenceWatch(ask: Ask) {
  let respondedAt = performance.now();
  let endedAt = performance.now();
  let probe: Promise<unknown> | undefined;
  const askWhetherWell = (): void => {
    const signal = AbortSignal.timeout(SILENT_MS);
    probe ??= atNoCost(() => ask({ operation: "health", path: "/health", signal, outline: v.unknown() }))
      .then(() => (respondedAt = performance.now()))
      .catch(() => undefined)
      .finally(() => (probe = undefined));
  };
  const isSilentSince = (startedAt: number): boolean => {
    const now = performance.now();
    if (now - startedAt < FAIR_MS) return false;
    return respondedAt <= startedAt || (now - endedAt >= STUCK_MS && endedAt <= startedAt);
  };
  return {
    isSilentSince,
    /** Runs a call. Gives it up when the engine is silent, before its time is over. */
    async during<T>(
      { signal }: Pick<Question, "signal">,
      run: (signal: AbortSignal) => Promise<T>,
    ): Promise<T> {
      const startedAt = performance.now();
      const giveUp = new AbortController();
      const follow = (): void => giveUp.abort(signal.reason);
      signal.addEventListener("abort", follow, { once: true });
      const timer = setInterval(() => {
        const now = performance.now();
        if (now - startedAt >= SILENT_MS && isSilentSince(startedAt)) giveUp.abort(new EngineSilentError());
        else if (respondedAt <= startedAt || now - respondedAt >= PROBE_AFTER_MS) askWhetherWell();
      }, PROBE_AFTER_MS);
      try {
        const answer = await run(giveUp.signal);
        respondedAt = endedAt = performance.now();
        return answer;
      } catch (error) {
        if (error instanceof EngineResponseError) respondedAt = endedAt = performance.now();
        throw error;
      } finally {
        clearInterval(timer);
        signal.removeEventListener("abort", follow);
      }
    },
  };
}

const createBreaker = (): CircuitBreakerPolicy =>
  circuitBreaker(
    handleWhenResult((settled) => (settled as Settled).isBlamed),
    { halfOpenAfter: REST_MS, breaker: new ConsecutiveBreaker(FAILURES_TO_OPEN) },
  );

/** The error of a call that was not sent: its time was over, its caller hung up, or the breaker is open. */
function toRefusal(error: unknown, { operation, signal }: Question, telemetry: Telemetry): unknown {
  const outcome = signal.aborted ? outcomeOf(error, signal) : "rejected";
  telemetry.callEnded({ dependency: "engine", operation, outcome, durationMs: 0 });
  if (outcome === "timed_out") return toLate(error, telemetry);
  return signal.aborted ? error : new EngineRestingError();
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
  if (!signal.aborted) return error instanceof EngineSilentError ? "timed_out" : "failed";
  const { reason } = signal as { reason: Error };
  return reason instanceof ProblemError || reason.name === "TimeoutError" ? "timed_out" : "aborted";
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
