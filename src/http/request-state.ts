import type { Middleware, ParameterizedContext } from "koa";
import { type ProblemCode, CallerGoneError } from "../errors.ts";
import type { Caller } from "../keys/key-record.ts";
import { randomUUID } from "node:crypto";

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

/** What may be taken over from outside: it goes into logs and headers as it is. */
const ACCEPTED_ID = /^[\w-]{1,64}$/;

/**
 * Gives every request an id, the caller's own `x-request-id` when it is a plain one, and sends it back. A key that somebody sends in
 * both headers stays out of the log.
 */
export function requestId(): HttpMiddleware {
  return (ctx, next) => {
    const asked = ctx.get("x-request-id");
    const isAccepted = ACCEPTED_ID.test(asked) && asked !== ctx.get("x-api-key");
    ctx.state.requestId = isAccepted ? asked : randomUUID();
    ctx.set("X-Request-Id", ctx.state.requestId);
    return next();
  };
}

/** How a request is logged whose caller has hung up before the answer; nginx made the number known. It is never sent. */
export const CALLER_GONE_STATUS = 499;

/** The connection closed before the answer was written. */
export const hasHungUp = (ctx: HttpContext): boolean => ctx.res.closed && !ctx.res.writableEnded;

/** Is aborted when the caller hangs up: what is still being done for the request may end. */
export function hangUpSignal(ctx: HttpContext): AbortSignal {
  const controller = new AbortController();
  const check = (): void => {
    if (hasHungUp(ctx)) controller.abort(new CallerGoneError());
  };
  check();
  ctx.res.once("close", check);
  return controller.signal;
}
