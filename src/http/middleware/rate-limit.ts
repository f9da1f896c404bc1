import { ProblemError } from "../../errors.ts";
import { callerOf } from "./authenticate.ts";
import { toLimitHeaders, toPolicyHeader, type LimitWindow } from "../../limits/windows.ts";
import type { Limiter } from "../../limits/limiter.ts";
import type { HttpMiddleware } from "../request-state.ts";

/** Stops a caller whose minute or day is used up, and tells every caller how much is left. */
export function rateLimit(limiter: Limiter, now: () => Temporal.Instant): HttpMiddleware {
  return async (ctx, next) => {
    const caller = callerOf(ctx);
    const verdicts = await limiter.take(caller);
    const windows = verdicts.map(({ window }) => window);
    const { perMinute: minute, perDay: day } = caller.limits;
    ctx.set(toLimitHeaders(windows, now().epochMilliseconds));
    ctx.set("RateLimit-Policy", toPolicyHeader({ minute, day }));
    const refused = verdicts.find(({ allowed }) => !allowed);
    if (refused !== undefined) throw limitExceeded(refused.window);
    await next();
  };
}

/** 429 with the seconds to wait. */
export function limitExceeded({ name, limit, secondsToReset }: LimitWindow): ProblemError {
  const isDay = name === "day";
  const detail = `More than ${limit} requests in a ${isDay ? "day" : "minute"}. Try again in ${secondsToReset} s.`;
  return new ProblemError(429, isDay ? "rate_limit_day" : "rate_limit_minute", detail, {
    headers: { "Retry-After": String(secondsToReset) },
  });
}
