import type { Middleware, ParameterizedContext } from "koa";
import { type ProblemCode, CallerGoneError } from "../errors.ts";
import type { Caller } from "../keys/key-record.ts";
import { randomUUID } from "node:crypto";

/** What the middleware learns about a request and passes on in `ctx.state`. */
export interface RequestState {
  requestId: string;
  caller?: Caller;
  /** The number of places in the response. */
  results?: number;
  problem?: ProblemCode;
  /** True for a search whose first page is empty. */
  foundNothing?: boolean;
  /** What was searched, for the log of queries; absent for a later page, and in responses with an error. */
  searched?: string;
  /** The id of its trace, when tracing is on and the request is sampled. */
  traceId?: string | undefined;
  /** Made by the first `hangUpSignal`. */
  hangUp?: AbortSignal;
}

export type HttpContext = ParameterizedContext<RequestState>;
export type HttpMiddleware = Middleware<RequestState>;

/** Ids that are accepted from outside, because they go into logs and headers unchanged. */
const ACCEPTED_ID = /^[\w-]{1,64}$/;

const BEARER = /^bearer +(\S+)$/i;

/** The key of a request: `x-api-key`, or else `Authorization: Bearer`; empty when there is none. */
export const readKey = (ctx: HttpContext): string =>
  ctx.get("x-api-key") || (BEARER.exec(ctx.get("authorization"))?.[1] ?? "");

/**
 * Gives every request an id and returns it in the response. The caller's `x-request-id` is used when it is a
 * plain one. A key that is sent in both headers stays out of the log.
 */
export function requestId(): HttpMiddleware {
  return (ctx, next) => {
    const asked = ctx.get("x-request-id");
    const isAccepted = ACCEPTED_ID.test(asked) && asked !== readKey(ctx);
    ctx.state.requestId = isAccepted ? asked : randomUUID();
    ctx.set("X-Request-Id", ctx.state.requestId);
    return next();
  };
}

/** The logged status of a request whose caller hung up before the response, as in nginx. Never sent. */
export const CALLER_GONE_STATUS = 499;

/** True when the connection closed before the response was written. */
export const hasHungUp = (ctx: HttpContext): boolean => ctx.res.closed && !ctx.res.writableEnded;

/** The abort signal for the work of a request. It is aborted when the caller hangs up. */
export const hangUpSignal = (ctx: HttpContext): AbortSignal => (ctx.state.hangUp ??= watchForHangUp(ctx));

function watchForHangUp(ctx: HttpContext): AbortSignal {
  const controller = new AbortController();
  const check = (): void => {
    if (hasHungUp(ctx)) controller.abort(new CallerGoneError());
  };
  check();
  ctx.res.once("close", check);
  return controller.signal;
}
