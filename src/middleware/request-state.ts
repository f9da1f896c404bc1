import type { Middleware, ParameterizedContext } from "koa";
import type { ProblemCode } from "../errors.ts";

/** How many requests a caller may make. */
export interface CallerLimits {
  readonly perMinute: number;
  /** 0 means no limit for the day. */
  readonly perDay: number;
}

/** What a key may be used for. */
export type Scope = "search" | "place" | "autocomplete";

/** Who holds the key of a request. `callerId` is a hash or the public part of the key; nothing here opens anything. */
export interface Caller {
  readonly callerId: string;
  readonly limits: CallerLimits;
  readonly scopes: ReadonlySet<Scope>;
}

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
