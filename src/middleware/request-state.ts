import type { Middleware, ParameterizedContext } from "koa";
import type { ProblemCode } from "../errors.ts";

/** Who holds the key of a request. `callerId` is a hash; nothing here opens anything. */
export interface Caller {
  readonly callerId: string;
}

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
