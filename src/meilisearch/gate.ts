import { addAbortListener } from "node:events";
import { handleWhen, retry } from "cockatiel";
import { createBreaker, type Ended } from "../breaker.ts";
import { ProblemError, overloaded } from "../errors.ts";
import type { Logger } from "../telemetry/logger.ts";
import { atNoCost, chargeEngine } from "../telemetry/request-cost.ts";
import type { CallOutcome, Telemetry } from "../telemetry/telemetry.ts";
import * as v from "valibot";
import { EngineResponseError, type Ask, type Question } from "./connection.ts";

/** Failures in a row. An engine that is down or hangs fails every call; a slow one does not. */
const FAILURES_TO_OPEN = 5;

/** An engine that is back is used within this time. While it hangs, one caller waits in vain in this time. */
const REST_MS = 500;

/**
 * While calls are under way, time is counted in steps, each as one however long it took: a process that was blocked, or had no processor,
 * could not hear the engine either.
 */
const STEP_MS = 50;

/** After so many steps without any response, the engine is asked whether it is well. */
const STEPS_TO_PROBE = 2;

/** A call that had fewer steps than this says nothing about the engine. */
const FAIR_STEPS = 4;

/** The engine is silent when it has not responded to anything for this long, not even whether it is well. */
const STEPS_TO_SILENCE = 14;
const SILENT_MS = STEPS_TO_SILENCE * STEP_MS;

/** However well it says it is, an engine that ends no call in five seconds is of no use. */
const STEPS_TO_STUCK = 5_000 / STEP_MS;

/** Of the time until a call was cut off, the engine is taken to have worked on it: beside others it takes twice as long as alone. */
const WORKED_SHARE = 0.5;

/** The call was not sent, since the engine failed several times in a row a moment ago. */
export class EngineRestingError extends Error {
  override readonly name = "EngineRestingError";
}

/** The engine responds to nothing. */
class EngineSilentError extends Error {
  override readonly name = "EngineSilentError";
}

interface GateOptions {
  readonly ask: Ask;
  readonly telemetry: Telemetry;
  readonly logger: Logger;
}

/** A restarting engine, or its limit for idle sockets, may close a socket just before it is used. Reading twice is safe. */
const again = retry(
  handleWhen((error) => ["UND_ERR_SOCKET", "ECONNRESET"].includes((error as { code?: string }).code ?? "")),
  { maxAttempts: 1 },
);

/**
 * Guards the engine: sends no call for a moment after several failures in a row (circuit breaker), and tells an engine that does not
 * respond from one that has much to do. Rejects with the reason of a signal whose time ran out while the engine was at work (503
 * `overloaded` if it has none of its own), with `EngineRestingError` while the breaker is open, with `EngineSilentError` when the engine
 * responds to nothing, and otherwise as `ask` does.
 */
export function createEngineGate({ ask, telemetry, logger }: GateOptions): Ask {
  const breaker = createBreaker({
    dependency: "engine",
    failuresToOpen: FAILURES_TO_OPEN,
    restMs: REST_MS,
    telemetry,
    onLost: (err) => logger.error({ err }, "engine_lost"),
    onBack: (outage) => logger.info(outage, "engine_back"),
  });
  const watch = createSilenceWatch(ask);

  const settle = async (question: Question): Promise<Ended<unknown>> => {
    const startedAt = performance.now();
    using call = watch.begin(question.signal);
    try {
      question.signal.throwIfAborted();
      const { signal } = call.giveUp;
      const answer = await again.execute(() => ask({ ...question, signal }), signal);
      watch.noteEnd();
      return { outcome: "ok", answer };
    } catch (error) {
      if (error instanceof EngineResponseError) watch.noteEnd();
      const outcome = outcomeOf(error, question.signal);
      const isSilent = watch.isSilentTo(call);
      if (outcome === "timed_out" && isSilent)
        return { outcome, isFailure: true, error: new EngineSilentError("The engine does not respond.") };
      // The engine does not say what it did for a call that is cut off, and goes on with it.
      if (question.signal.aborted && !isSilent) chargeEngine(WORKED_SHARE * (performance.now() - startedAt));
      // A call that was cut off does not prove that the engine is back either.
      const isFailure = outcome === "failed" || (outcome !== "ok" && breaker.isTried());
      if (outcome !== "timed_out") return { outcome, isFailure, error };
      // The time ran out, but the engine is well.
      const refusal = error instanceof ProblemError ? error : overloaded();
      if (refusal.code === "overloaded") telemetry.requestShed("engine_queue");
      return { outcome, isFailure, error: refusal };
    }
  };

  const refuse = ({ operation, signal }: Question): Error => {
    const isGone = signal.aborted && outcomeOf(undefined, signal) === "aborted";
    const outcome = isGone ? "aborted" : "rejected";
    telemetry.callEnded({ dependency: "engine", operation, outcome, durationMs: 0 });
    return isGone ? (signal.reason as Error) : new EngineRestingError("It failed several times in a row.");
  };

  const gated = async (question: Question): Promise<unknown> => {
    const ended = await breaker.run(question.operation, () => settle(question));
    if (!ended) throw refuse(question);
    if (ended.error !== undefined) throw ended.error as Error;
    return ended.answer;
  };
  return gated as Ask;
}

/** A call under way: when it began, how many responses came before, and what gives it up. */
interface Call {
  readonly startedIn: number;
  readonly heardBefore: number;
  readonly giveUp: AbortController;
}

/** Tells an engine that does not respond from one that has much to do: asks it whether it is well when a call takes long. */
function createSilenceWatch(ask: Ask) {
  const calls = new Set<Call>();
  let [step, heard] = [0, 0];
  /** The steps in which the engine last responded to anything and ended a call, and when it was found silent. */
  const last = { response: 0, end: 0, silentAtMs: -Infinity };
  let timer: NodeJS.Timeout | undefined;
  let probe: Promise<unknown> | undefined;
  const noteResponse = (): void => {
    heard += 1;
    Object.assign(last, { response: step, silentAtMs: -Infinity });
  };
  const askWhetherWell = (): void => {
    const signal = AbortSignal.timeout(SILENT_MS);
    probe ??= atNoCost(() => ask({ operation: "health", path: "/health", signal, outline: v.unknown() }))
      .then(noteResponse)
      .catch(() => undefined)
      .finally(() => (probe = undefined));
  };
  const isSilentTo = ({ startedIn, heardBefore }: Call): boolean => {
    const isUnheard = heard === heardBefore || step - last.end >= STEPS_TO_STUCK;
    if (isUnheard && step - startedIn >= FAIR_STEPS) last.silentAtMs = performance.now();
    // A call that had little time is told by those before it.
    return performance.now() - last.silentAtMs < SILENT_MS;
  };
  const countStep = (): void => {
    step += 1;
    if (step - last.response >= STEPS_TO_PROBE) askWhetherWell();
    for (const call of calls)
      if (step - call.startedIn >= STEPS_TO_SILENCE && isSilentTo(call))
        call.giveUp.abort(new EngineSilentError());
  };
  return {
    isSilentTo,
    /** Notes that the engine has ended a call. */
    noteEnd(): void {
      noteResponse();
      last.end = step;
    },
    /** Begins a call, which is given up when its signal says so, or when the engine is silent. */
    begin(signal: AbortSignal): Call & Disposable {
      const call = { startedIn: step, heardBefore: heard, giveUp: new AbortController() };
      const following = addAbortListener(signal, () => call.giveUp.abort(signal.reason));
      if (calls.size === 0) timer = setInterval(countStep, STEP_MS);
      calls.add(call);
      const end = (): void => {
        calls.delete(call);
        if (calls.size === 0) clearInterval(timer);
        following[Symbol.dispose]();
      };
      return { ...call, [Symbol.dispose]: end };
    },
  };
}

function outcomeOf(error: unknown, signal: AbortSignal): CallOutcome {
  // An engine that refuses a request, or has no such document, is healthy.
  if (error instanceof EngineResponseError) return error.status >= 500 ? "failed" : "ok";
  if (!signal.aborted) return error instanceof EngineSilentError ? "timed_out" : "failed";
  const { reason } = signal as { reason: Error };
  return reason instanceof ProblemError || reason.name === "TimeoutError" ? "timed_out" : "aborted";
}
