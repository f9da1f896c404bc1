import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleAll } from "cockatiel";
import type { CircuitBreakerPolicy } from "cockatiel";
import type { Logger } from "../logger.ts";
import type { BreakerState, Telemetry } from "../telemetry/telemetry.ts";
import { withinDeadline } from "./within-deadline.ts";

interface GuardOptions {
  readonly logger: Pick<Logger, "info" | "warn">;
  readonly telemetry: Pick<Telemetry, "breakerChanged" | "callEnded">;
  readonly deadlineMs?: number | undefined;
}

/** Asks Redis, unless it failed a moment ago. `undefined`: it gave no answer in time, or was not asked. Never rejects. */
export type AskRedis = <T>(operation: string, ask: () => Promise<T>) => Promise<T | undefined>;

/** All that a request may lose to a Redis that hangs is 60 ms; what is left is for timers that are late. */
const DEADLINE_MS = 50;

/** While Redis is gone one request in this time pays for asking it. The first failure is enough: a second without it is cheap. */
const PAUSE_MS = 1_000;

const STATES: Readonly<Record<CircuitState, BreakerState>> = {
  [CircuitState.Closed]: "closed",
  [CircuitState.Open]: "open",
  [CircuitState.HalfOpen]: "half_open",
  [CircuitState.Isolated]: "open",
};

/** Creates a circuit breaker around what is asked of Redis. An outage is told with one line when it begins and one when it ends. */
export function createRedisGuard(options: GuardOptions): AskRedis {
  const { telemetry, deadlineMs = DEADLINE_MS } = options;
  const breaker = circuitBreaker(handleAll, {
    halfOpenAfter: PAUSE_MS,
    breaker: new ConsecutiveBreaker(1),
  });
  const countUnanswered = tellOutages(breaker, options);

  return async (operation, ask) => {
    try {
      // Somebody tries already. cockatiel would let all others wait for what comes of it.
      if (breaker.state === CircuitState.HalfOpen) return countUnanswered();
      return await breaker.execute(() => measure(operation, ask, { telemetry, deadlineMs }));
    } catch {
      return countUnanswered();
    }
  };
}

async function measure<T>(
  operation: string,
  ask: () => Promise<T>,
  { telemetry, deadlineMs }: Pick<GuardOptions, "telemetry"> & { readonly deadlineMs: number },
): Promise<T> {
  const startedAt = performance.now();
  const tell = (outcome: "ok" | "failed" | "timed_out"): void => {
    telemetry.callEnded({
      dependency: "redis",
      operation,
      outcome,
      durationMs: performance.now() - startedAt,
    });
  };
  try {
    const answer = await withinDeadline(ask(), deadlineMs);
    tell("ok");
    return answer;
  } catch (error) {
    tell(performance.now() - startedAt < deadlineMs ? "failed" : "timed_out");
    throw error;
  }
}

/** Returns what counts the answers that Redis did not give during an outage. */
function tellOutages(breaker: CircuitBreakerPolicy, { logger, telemetry }: GuardOptions): () => undefined {
  let outage: { readonly startedAt: number; unanswered: number } | undefined;
  breaker.onStateChange((state) => telemetry.breakerChanged("redis", STATES[state]));
  breaker.onBreak((reason) => {
    // A trial that fails opens the breaker again; the outage is the same.
    if (outage !== undefined) return;
    outage = { startedAt: performance.now(), unanswered: 0 };
    logger.warn({ err: "error" in reason ? reason.error : undefined }, "rate_limiter_unavailable");
  });
  breaker.onReset(() => {
    if (outage === undefined) return;
    const { startedAt, unanswered } = outage;
    outage = undefined;
    const durationMs = Math.round(performance.now() - startedAt);
    logger.info({ duration_ms: durationMs, checks_held_locally: unanswered }, "rate_limiter_recovered");
  });
  return () => {
    if (outage !== undefined) outage.unanswered += 1;
    return undefined;
  };
}
