import { CallerGoneError } from "../errors.ts";
import type { HttpContext } from "./request-state.ts";

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
