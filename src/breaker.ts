import { circuitBreaker, CircuitState, ConsecutiveBreaker, handleWhenResult } from "cockatiel";
import type { BreakerState, CallOutcome } from "./telemetry/telemetry.ts";

/** How a call ended, as a value: a breaker counts it, then it is passed on. */
export interface Ended<T> {
  readonly outcome: CallOutcome;
  /** Whether what was called is to blame. */
  readonly isFailure?: boolean;
  /** Absent when there is an error. */
  readonly answer?: T;
  readonly error?: unknown;
}

/** An outage that has ended, as the log has it. */
interface Outage {
  readonly duration_ms: number;
  /** Calls during the outage that failed or were not sent. */
  readonly unanswered: number;
}

interface BreakerOptions {
  /** Failures in a row after which nothing is sent for a while. */
  readonly failuresToOpen: number;
  /** After so long one call tries again. */
  readonly restMs: number;
  readonly onState: (state: BreakerState) => void;
  /** Called once for each outage, with the error of the last of those failures. */
  readonly onLost: (error: unknown) => void;
  readonly onBack: (outage: Outage) => void;
}

export type Breaker = ReturnType<typeof createBreaker>;

/** Creates a circuit breaker. It uses the wall clock. */
export function createBreaker({ failuresToOpen, restMs, onState, onLost, onBack }: BreakerOptions) {
  const breaker = circuitBreaker(
    handleWhenResult((ended) => (ended as Ended<unknown>).isFailure === true),
    { halfOpenAfter: restMs, breaker: new ConsecutiveBreaker(failuresToOpen) },
  );
  let lost: { readonly atMs: number; unanswered: number } | undefined;
  breaker.onStateChange((state) => onState(STATES[state]));
  breaker.onBreak((reason) => {
    // A trial that failed opens the breaker again; it is the same outage.
    if (lost !== undefined) return;
    lost = { atMs: performance.now(), unanswered: 0 };
    onLost("value" in reason ? (reason.value as Ended<unknown>).error : undefined);
  });
  breaker.onReset(() => {
    const { atMs, unanswered } = lost!;
    lost = undefined;
    onBack({ duration_ms: Math.round(performance.now() - atMs), unanswered });
  });
  const isTried = (): boolean => breaker.state === CircuitState.HalfOpen;
  // cockatiel would make all others wait for the one call that tries.
  const send = async <T>(call: () => Promise<Ended<T>>): Promise<Ended<T> | undefined> =>
    isTried() ? undefined : breaker.execute(call).catch(() => undefined);
  return {
    /** Whether one call is under way that tests whether the outage is over. */
    isTried,
    /** Sends a call, which must not reject. Resolves to `undefined` when it was not sent, since several failed a moment ago. */
    async run<T>(call: () => Promise<Ended<T>>): Promise<Ended<T> | undefined> {
      const ended = await send(call);
      if (lost && (ended?.isFailure ?? true)) lost.unanswered += 1;
      return ended;
    },
    /** Counts a failure that happened elsewhere. */
    async fail(error: Error): Promise<void> {
      await send(async () => ({ outcome: "failed", isFailure: true, error }));
    },
  };
}

const STATES: Readonly<Record<CircuitState, BreakerState>> = {
  [CircuitState.Closed]: "closed",
  [CircuitState.Open]: "open",
  [CircuitState.HalfOpen]: "half_open",
  [CircuitState.Isolated]: "open",
};
