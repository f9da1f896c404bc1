import type { Middleware, ParameterizedContext } from "koa";
import type { ProblemCode } from "../errors.ts";
import type { Caller } from "../keys/caller.ts";

export type { Caller, CallerLimits, Scope } from "../keys/caller.ts";

/** What the middleware learns about a request and hands on, as `ctx.state`. */
export interface RequestState {
  requestId: string;
  caller?: Caller;
  /** How many places the answer holds. */
  results?: number;
  problem?: ProblemCode;
}

export type HttpContext = ParameterizedContext<RequestState>;
export type HttpMiddleware = Middleware<RequestState>;
