import { ProblemError } from "../errors.ts";
import type { Callers } from "./callers.ts";
import type { Caller, HttpContext, HttpMiddleware } from "./request-state.ts";

/** HTTP asks for a challenge with every 401; this scheme says which header is meant. */
const CHALLENGE = { "WWW-Authenticate": 'ApiKey realm="hereabouts", header="x-api-key"' };

/** Lets a request pass whose `x-api-key` belongs to a caller, and notes the caller in `ctx.state`. */
export function authenticate(callers: Callers): HttpMiddleware {
  return (ctx, next) => {
    const key = ctx.get("x-api-key");
    if (key === "") throw unauthorized("missing_api_key", "The header x-api-key is missing.");
    const caller = callers.findCaller(key);
    if (caller === undefined) throw unauthorized("invalid_api_key", "The API key is not accepted.");
    ctx.state.caller = caller;
    return next();
  };
}

/** The caller of a request that `authenticate` let pass. */
export function callerOf(ctx: HttpContext): Caller {
  if (ctx.state.caller === undefined) throw new Error("authenticate must stand before this middleware");
  return ctx.state.caller;
}

function unauthorized(code: "missing_api_key" | "invalid_api_key", detail: string): ProblemError {
  return new ProblemError(401, code, detail, { headers: CHALLENGE });
}
