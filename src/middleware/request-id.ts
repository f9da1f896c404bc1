import { randomUUID } from "node:crypto";
import type { HttpMiddleware } from "./request-state.ts";

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
