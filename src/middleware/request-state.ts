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
  /** A search whose first page is empty. */
  foundNothing?: boolean;
  /** The trace it is in, when there are traces and it is sampled. */
  traceId?: string | undefined;
}

export type HttpContext = ParameterizedContext<RequestState>;
export type HttpMiddleware = Middleware<RequestState>;
