import { circuitBreaker, CircuitState, ConsecutiveBreaker, handleWhenResult } from "cockatiel";
import type { BreakerState, CallOutcome, Dependency, Telemetry } from "./telemetry/telemetry.ts";

/** How a call ended, as a value: a breaker counts it, then it is passed on. */
export interface Ended<T> {
  readonly outcome: CallOutcome;
  /** Whether what was called is to blame. */
  readonly isFailure?: boolean;
  /** Absent when there is an error. */
  readonly answer?: T;
  readonly error?: unknown;
}

interface BreakerOptions {
  readonly dependency: Dependency;
  /** Failures in a row after which nothing is sent for a while. */
  readonly failuresToOpen: number;
  /** After so long one call tries again. */
  readonly restMs: number;
  readonly telemetry: Pick<Telemetry, "breakerChanged" | "callEnded">;
  /** Called once for each outage, with the error of the last of those failures. */
  readonly onLost: (error: unknown) => void;
  /** `unanswered` counts the calls during the outage that failed or were not sent. */
  readonly onBack: (outage: { readonly duration_ms: number; readonly unanswered: number }) => void;
}

/** By `CircuitState`. */
const STATES: readonly BreakerState[] = ["closed", "open", "half_open", "open"];

/** Creates a circuit breaker, which reports its state and the calls that were sent. It uses the wall clock. */
export function createBreaker(options: BreakerOptions) {
  const { dependency, failuresToOpen, restMs, telemetry } = options;
  const breaker = circuitBreaker(
    handleWhenResult((ended) => (ended as Ended<unknown>).isFailure === true),
    { halfOpenAfter: restMs, breaker: new ConsecutiveBreaker(failuresToOpen) },
  );
  let lost: { readonly atMs: number; unanswered: number } | undefined;
  breaker.onStateChange((state) => telemetry.breakerChanged(dependency, STATES[state]!));
  breaker.onBreak((reason) => {
    // A trial that failed opens the breaker again; it is the same outage.
    if (lost !== undefined) return;
    lost = { atMs: performance.now(), unanswered: 0 };
    options.onLost("value" in reason ? (reason.value as Ended<unknown>).error : undefined);
  });
  breaker.onReset(() => {
    const { atMs, unanswered } = lost!;
    lost = undefined;
    options.onBack({ duration_ms: Math.round(performance.now() - atMs), unanswered });
  });
  const isTried = (): boolean => breaker.state === CircuitState.HalfOpen;
  // cockatiel would make all others wait for the one call that tries.
  const send = async <T>(call: () => Promise<Ended<T>>): Promise<Ended<T> | undefined> =>
    isTried() ? undefined : breaker.execute(call).catch(() => undefined);
  return {
    /** Whether one call is under way that tests whether the outage is over. */
    isTried,
    /** Sends a call, which must not reject. Resolves to `undefined` when it was not sent, since several failed a moment ago. */
    async run<T>(operation: string, call: () => Promise<Ended<T>>): Promise<Ended<T> | undefined> {
      const startedAt = performance.now();
      const ended = await send(call);
      const durationMs = performance.now() - startedAt;
      if (ended) telemetry.callEnded({ dependency, operation, outcome: ended.outcome, durationMs });
      if (lost && (ended?.isFailure ?? true)) lost.unanswered += 1;
      return ended;
    },
    /** Counts a failure that happened elsewhere. */
    async fail(error: Error): Promise<void> {
      await send(async () => ({ outcome: "failed", isFailure: true, error }));
    },
  };
}
