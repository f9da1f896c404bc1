import { createBreaker, type Breaker, type Ended } from "../breaker.ts";
import type { Logger } from "../telemetry/logger.ts";
import { reportWorst, type Telemetry } from "../telemetry/telemetry.ts";

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
  readonly failuresToOpen: number;
  /** During an outage, one request in this time tries Redis. */
  readonly restMs: number;
}

/** The first failure is enough: one second in which each process enforces limits alone is cheap. */
const LIMITS: Use = { name: "rate_limiter", failuresToOpen: 1, restMs: 1_000 };

/**
 * One failure may be a short stall of this process, which would refuse keys that it does not know yet. A
 * change of a key takes effect within five seconds: src/keys/record-cache.ts counts on this pause.
 */
const KEYS: Use = { name: "key_store", failuresToOpen: 2, restMs: 250 };

/** Creates a circuit breaker for each use of Redis. Logs the beginning and the end of an outage. */
export function createRedisGuard({ logger, telemetry, deadlineMs = DEADLINE_MS }: GuardOptions): RedisGuard {
  const reportState = reportWorst((state) => telemetry.breakerChanged("redis", state));
  const createUse = ({ name, ...bounds }: Use): Breaker =>
    createBreaker({
      ...bounds,
      onState: (state) => reportState(name, state),
      onLost: (err) => logger.warn({ err }, `${name}_unavailable`),
      onBack: (outage) => logger.info(outage, `${name}_recovered`),
    });
  const [limits, keys] = [createUse(LIMITS), createUse(KEYS)];
  const askFor =
    (breaker: Breaker): AskRedis =>
    async (operation, ask) => {
      const startedAt = performance.now();
      const ended = await breaker.run(() => settle(ask, deadlineMs));
      const durationMs = performance.now() - startedAt;
      if (ended) telemetry.callEnded({ dependency: "redis", operation, outcome: ended.outcome, durationMs });
      return ended?.answer;
    };
  return {
    askForLimits: askFor(limits),
    async askForKey(operation, ask) {
      const startedAt = performance.now();
      const answer = await askFor(keys)(operation, ask);
      if (answer === undefined && performance.now() - startedAt > QUICK_FAILURE_MS)
        await limits.fail(new DeadlineError("Redis did not answer in time when it was asked for a key"));
      return answer;
    },
  };
}

async function settle<T>(ask: () => Promise<T>, deadlineMs: number): Promise<Ended<T>> {
  try {
    return { outcome: "ok", answer: await withinDeadline(ask(), deadlineMs) };
  } catch (error) {
    return { outcome: error instanceof DeadlineError ? "timed_out" : "failed", isFailure: true, error };
  }
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
