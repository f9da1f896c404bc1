import { ProblemError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { RedisConnection } from "../redis/connection.ts";
import { callerOf } from "./authenticate.ts";
import { createBreaker } from "./circuit-breaker.ts";
import { createDayLimit } from "./day-limit.ts";
import { toLimitHeaders, toPolicyHeader } from "./limit-windows.ts";
import type { LimitVerdict, LimitWindow } from "./limit-windows.ts";
import { createMinuteLimit } from "./minute-limit.ts";
import type { HttpMiddleware } from "./request-state.ts";

interface RateLimitOptions {
  /** Absent: each process limits on its own. */
  readonly redis: RedisConnection | undefined;
  readonly perMinute: number;
  /** 0 means no limit for the day. */
  readonly perDay: number;
  readonly logger: Logger;
  readonly now: () => Temporal.Instant;
}

/** While Redis is gone one request in this time pays for asking it. */
const REDIS_PAUSE_MS = 1_000;

/**
 * Limits the requests of each caller by minute and by day and tells every caller how much is left. What the minute refuses
 * does not count for the day. Without Redis requests go on, and each process holds the limits by itself.
 */
export function rateLimit(options: RateLimitOptions): HttpMiddleware {
  const { redis, perMinute, perDay, logger, now } = options;
  const breaker = createRedisBreaker(logger);
  const takeMinute = createMinuteLimit({ redis, limit: perMinute, breaker });
  const takeDay = perDay === 0 ? undefined : createDayLimit({ redis, limit: perDay, breaker });
  const policy = toPolicyHeader(perMinute, perDay);

  return async (ctx, next) => {
    const minute = await takeMinute(ctx);
    const day = minute.allowed ? await takeDay?.(callerOf(ctx).callerId, now()) : undefined;
    const verdicts: LimitVerdict[] = day === undefined ? [minute] : [minute, day];
    ctx.set(
      toLimitHeaders(
        verdicts.map((verdict) => verdict.window),
        now().epochMilliseconds,
      ),
    );
    ctx.set("RateLimit-Policy", policy);
    const refused = verdicts.find((verdict) => !verdict.allowed);
    if (refused !== undefined) throw limitExceeded(refused.window);
    await next();
  };
}

function createRedisBreaker(logger: Logger) {
  return createBreaker({
    pauseMs: REDIS_PAUSE_MS,
    onOpen: (err) => logger.warn({ err }, "rate_limiter_unavailable"),
    onClose: ({ durationMs, fallbacks }) =>
      logger.info(
        { duration_ms: Math.round(durationMs), checks_held_locally: fallbacks },
        "rate_limiter_recovered",
      ),
  });
}

function limitExceeded({ name, limit, secondsToReset }: LimitWindow): ProblemError {
  const detail = `More than ${limit} requests in a ${name}. Try again in ${secondsToReset} s.`;
  return new ProblemError(429, name === "minute" ? "rate_limit_minute" : "rate_limit_day", detail, {
    headers: { "Retry-After": String(secondsToReset) },
  });
}
