import { createBreaker, type Ended } from "../breaker.ts";
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

/** The deadline is counted in steps. Time in which this process was blocked counts as at most one step. */
const STEPS = 5;

/**
 * A request that lost more than this on its key does not wait for the limits too, because the total would
 * exceed 60 ms.
 */
const QUICK_FAILURE_MS = 10;

/**
 * The first failure is enough: one second in which each process enforces limits alone is cheap. The log has
 * `rate_limiter_unavailable` and `rate_limiter_recovered`.
 */
const LIMITS = { name: "rate_limiter", failuresToOpen: 1, restMs: 1_000 };

/**
 * One failure may be a short stall of this process, which would refuse keys that it does not know yet. A
 * change of a key takes effect within five seconds: src/keys/record-cache.ts counts on this pause.
 */
const KEYS = { name: "key_store", failuresToOpen: 2, restMs: 250 };

/** Creates a circuit breaker for each use of Redis. Logs the beginning and the end of an outage. */
export function createRedisGuard({ logger, telemetry, deadlineMs = DEADLINE_MS }: GuardOptions): RedisGuard {
  const reportState = reportWorst((state) => telemetry.breakerChanged("redis", state));
  const createUse = ({ name, ...bounds }: typeof LIMITS) => {
    const breaker = createBreaker({
      ...bounds,
      dependency: "redis",
      telemetry: { ...telemetry, breakerChanged: (_redis, state) => reportState(name, state) },
      onLost: (err) => logger.warn({ err }, `${name}_unavailable`),
      onBack: (outage) => logger.info(outage, `${name}_recovered`),
    });
    const ask: AskRedis = async (operation, call) =>
      (await breaker.run(operation, () => settle(call, deadlineMs)))?.answer;
    return { ...breaker, ask };
  };
  const [limits, keys] = [createUse(LIMITS), createUse(KEYS)];
  return {
    askForLimits: limits.ask,
    async askForKey(operation, call) {
      const startedAt = performance.now();
      const answer = await keys.ask(operation, call);
      if (answer === undefined && performance.now() - startedAt > QUICK_FAILURE_MS)
        await limits.fail(new Error("Redis did not answer in time when it was asked for a key"));
      return answer;
    },
  };
}

/**
 * Ends with the call, or when the deadline is over. A busy process reads a response later than it arrives. Only time in which it could
 * have read one counts, so that its own stall is not taken for a fault of Redis.
 */
async function settle<T>(ask: () => Promise<T>, deadlineMs: number): Promise<Ended<T>> {
  const late = Promise.withResolvers<Ended<T>>();
  let steps = 0;
  const timer = setInterval(() => {
    steps += 1;
    const error = new Error(`No answer within ${deadlineMs} ms`);
    if (steps === STEPS) late.resolve({ outcome: "timed_out", isFailure: true, error });
  }, deadlineMs / STEPS);
  const ended = ask().then(
    (answer): Ended<T> => ({ outcome: "ok", answer }),
    (error: unknown): Ended<T> => ({ outcome: "failed", isFailure: true, error }),
  );
  return Promise.race([ended, late.promise]).finally(() => clearInterval(timer));
}
