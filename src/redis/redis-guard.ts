import {
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleAll,
  type CircuitBreakerPolicy,
} from "cockatiel";
import type { Logger } from "../telemetry/logger.ts";
import type { Telemetry, BreakerState } from "../telemetry/telemetry.ts";

interface GuardOptions {
  readonly logger: Pick<Logger, "info" | "warn">;
  readonly telemetry: Pick<Telemetry, "breakerChanged" | "callEnded">;
  readonly deadlineMs?: number | undefined;
}

/**
 * Calls Redis unless it failed a moment ago. Resolves to `undefined` when it did not respond in time or was
 * not called; never rejects.
 */
export type AskRedis = <T>(operation: string, ask: () => Promise<T>) => Promise<T | undefined>;

/** The two uses of Redis while a request waits. One, such as writing, may fail while the other works. */
export interface RedisGuard {
  readonly askForKey: AskRedis;
  readonly askForLimits: AskRedis;
}

/** A request may lose at most 60 ms to a Redis that hangs; the rest is for late timers. */
const DEADLINE_MS = 50;

/**
 * A request that lost more than this on its key does not wait for the limits too, because the total would
 * exceed 60 ms.
 */
const QUICK_FAILURE_MS = 10;

interface Use {
  /** `rate_limiter_unavailable`, `rate_limiter_recovered` */
  readonly name: string;
  readonly failuresToPause: number;
  /** During an outage, one request per pause tries Redis. */
  readonly pauseMs: number;
}

/** The first failure is enough: one second in which each process enforces limits alone is cheap. */
const LIMITS: Use = { name: "rate_limiter", failuresToPause: 1, pauseMs: 1_000 };

/**
 * One failure may be a short stall of this process, which would refuse keys that it does not know yet. A
 * change of a key takes effect within five seconds: src/keys/record-cache.ts counts on this pause.
 */
const KEYS: Use = { name: "key_store", failuresToPause: 2, pauseMs: 250 };

/** Creates a circuit breaker for each use of Redis. Logs the beginning and the end of an outage. */
export function createRedisGuard(options: GuardOptions): RedisGuard {
  const reportState = createBreakerReport(options.telemetry);
  const limits = guard(LIMITS, options, reportState);
  const keys = guard(KEYS, options, reportState);
  return {
    askForLimits: limits.ask,
    async askForKey(operation, ask) {
      const startedAt = performance.now();
      const answer = await keys.ask(operation, ask);
      if (answer === undefined && performance.now() - startedAt > QUICK_FAILURE_MS) await limits.giveUp();
      return answer;
    },
  };
}

interface Guarded {
  readonly ask: AskRedis;
  /** Counts a failure that happened elsewhere. */
  readonly giveUp: () => Promise<void>;
}

function guard(
  use: Use,
  options: GuardOptions,
  reportState: ReturnType<typeof createBreakerReport>,
): Guarded {
  const breaker = circuitBreaker(handleAll, {
    halfOpenAfter: use.pauseMs,
    breaker: new ConsecutiveBreaker(use.failuresToPause),
  });
  breaker.onStateChange((state) => reportState(use.name, state));
  const countUnanswered = logOutages(breaker, use.name, options.logger);
  // Another request is trying already; cockatiel would make this one wait for its outcome.
  const isTried = (): boolean => breaker.state === CircuitState.HalfOpen;
  return {
    async ask(operation, ask) {
      if (isTried()) return countUnanswered();
      try {
        return await breaker.execute(() => measure(operation, ask, options));
      } catch {
        return countUnanswered();
      }
    },
    async giveUp() {
      if (isTried()) return;
      const failure = new DeadlineError("Redis did not answer in time when it was asked for a key");
      await breaker.execute(() => Promise.reject(failure)).catch(() => undefined);
    },
  };
}

async function measure<T>(
  operation: string,
  ask: () => Promise<T>,
  { telemetry, deadlineMs = DEADLINE_MS }: GuardOptions,
): Promise<T> {
  const startedAt = performance.now();
  const tell = (outcome: "ok" | "failed" | "timed_out"): void => {
    const durationMs = performance.now() - startedAt;
    telemetry.callEnded({ dependency: "redis", operation, outcome, durationMs });
  };
  try {
    const answer = await withinDeadline(ask(), deadlineMs);
    tell("ok");
    return answer;
  } catch (error) {
    tell(error instanceof DeadlineError ? "timed_out" : "failed");
    throw error;
  }
}

/** Returns a function that counts the calls that Redis did not respond to during an outage. */
function logOutages(
  breaker: CircuitBreakerPolicy,
  name: string,
  logger: GuardOptions["logger"],
): () => undefined {
  let outage: { readonly startedAt: number; unanswered: number } | undefined;
  breaker.onBreak((reason) => {
    // A failed trial opens the breaker again; it is the same outage.
    if (outage !== undefined) return;
    outage = { startedAt: performance.now(), unanswered: 0 };
    logger.warn({ err: "error" in reason ? reason.error : undefined }, `${name}_unavailable`);
  });
  breaker.onReset(() => {
    if (outage === undefined) return;
    const { startedAt, unanswered } = outage;
    outage = undefined;
    logger.info({ duration_ms: Math.round(performance.now() - startedAt), unanswered }, `${name}_recovered`);
  });
  return () => {
    if (outage !== undefined) outage.unanswered += 1;
    return undefined;
  };
}

const STATES: Readonly<Record<CircuitState, BreakerState>> = {
  [CircuitState.Closed]: "closed",
  [CircuitState.Open]: "open",
  [CircuitState.HalfOpen]: "half_open",
  [CircuitState.Isolated]: "open",
};

const WORST_FIRST = ["open", "half_open", "closed"] as const;

/** Reports several breakers of Redis as one, with the worst state of them. */
function createBreakerReport(
  telemetry: Pick<Telemetry, "breakerChanged">,
): (breaker: string, state: CircuitState) => void {
  const states = new Map<string, BreakerState>();
  let reported: BreakerState = "closed";
  return (breaker, state) => {
    states.set(breaker, STATES[state]);
    const worst = WORST_FIRST.find((one) => states.values().some((other) => other === one)) ?? "closed";
    if (worst !== reported) telemetry.breakerChanged("redis", worst);
    reported = worst;
  };
}

/** A deadline is counted in steps. Time in which this process was blocked counts as at most one step. */
const STEPS = 5;

/** There was no response in time. */
class DeadlineError extends Error {
  override readonly name = "DeadlineError";
}

/**
 * Rejects with a `DeadlineError` when `promise` takes longer than `deadlineMs`. A busy process reads a
 * response later than it arrives. Only time in which it could have read one counts, so that its own stall is
 * not taken for a fault of Redis.
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
