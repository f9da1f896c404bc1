import { ProblemError } from "../errors.ts";
import type { Callers } from "./callers.ts";
import type { CountFailedKey } from "./failed-keys.ts";
import type { Caller, HttpContext, HttpMiddleware } from "./request-state.ts";

/** HTTP asks for a challenge with every 401; this scheme says which header is meant. */
const CHALLENGE = { "WWW-Authenticate": 'ApiKey realm="hereabouts", header="x-api-key"' };

/**
 * Lets a request pass whose `x-api-key` belongs to a caller, and notes the caller in `ctx.state`. An address that fails too often is
 * told to wait; a good key passes from there all the same, so that nobody suffers for others behind one proxy.
 */
export function authenticate(callers: Callers, countFailedKey: CountFailedKey): HttpMiddleware {
  return (ctx, next) => {
    const key = ctx.get("x-api-key");
    const caller = key === "" ? undefined : callers.findCaller(key);
    if (caller === undefined) throw refuse(key, countFailedKey(ctx.ip));
    ctx.state.caller = caller;
    return next();
  };
}

/** The caller of a request that `authenticate` let pass. */
export function callerOf(ctx: HttpContext): Caller {
  if (ctx.state.caller === undefined) throw new Error("authenticate must stand before this middleware");
  return ctx.state.caller;
}

function refuse(key: string, secondsToWait: number | undefined): ProblemError {
  if (secondsToWait !== undefined) return tooManyFailures(secondsToWait);
  return key === ""
    ? unauthorized("missing_api_key", "The header x-api-key is missing.")
    : unauthorized("invalid_api_key", "The API key is not accepted.");
}

function unauthorized(code: "missing_api_key" | "invalid_api_key", detail: string): ProblemError {
  return new ProblemError(401, code, detail, { headers: CHALLENGE });
}

function tooManyFailures(seconds: number): ProblemError {
  const detail = `Too many requests without an accepted key. Try again in ${seconds} s.`;
  return new ProblemError(429, "rate_limit_minute", detail, { headers: { "Retry-After": String(seconds) } });
}
