import type { Middleware, ParameterizedContext } from "koa";
import { type ProblemCode, CallerGoneError } from "../errors.ts";
import type { Caller } from "../keys/key-record.ts";
import { randomUUID } from "node:crypto";

/** What the middleware learns about a request and passes on, as `ctx.state`. */
export interface RequestState {
  requestId: string;
  caller?: Caller;
  /** How many places the response has. */
  results?: number;
  problem?: ProblemCode;
  /** A search whose first page is empty. */
  foundNothing?: boolean;
  /** The trace it is in, when there are traces and it is sampled. */
  traceId?: string | undefined;
}

export type HttpContext = ParameterizedContext<RequestState>;
export type HttpMiddleware = Middleware<RequestState>;

/** Ids that are accepted from outside: they go into logs and headers as they are. */
const ACCEPTED_ID = /^[\w-]{1,64}$/;

/**
 * Gives every request an id and sends it back; the caller's `x-request-id` is used when it is a plain one. A key that somebody sends
 * in both headers stays out of the log.
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

/** The logged status of a request whose caller hung up before the response, as in nginx. It is never sent. */
export const CALLER_GONE_STATUS = 499;

/** Whether the connection closed before the response was written. */
export const hasHungUp = (ctx: HttpContext): boolean => ctx.res.closed && !ctx.res.writableEnded;

/** An abort signal for the work of a request, aborted when the caller hangs up. */
export function hangUpSignal(ctx: HttpContext): AbortSignal {
  const controller = new AbortController();
  const check = (): void => {
    if (hasHungUp(ctx)) controller.abort(new CallerGoneError());
  };
  check();
  ctx.res.once("close", check);
  return controller.signal;
}
