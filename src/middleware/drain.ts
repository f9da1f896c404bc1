import { shuttingDown } from "../errors.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { HttpMiddleware } from "./request-state.ts";

/** Once the end has begun every answer is the last one of its connection: the caller's next request finds another server. */
export function closeConnections(lifecycle: Lifecycle): HttpMiddleware {
  return async (ctx, next) => {
    await next();
    if (lifecycle.phase !== "serving") ctx.set("Connection", "close");
  };
}

/** Nobody can connect any more; who still had a connection is sent elsewhere, so that the end comes. */
export function refuseWhileClosing(lifecycle: Lifecycle, telemetry: Telemetry): HttpMiddleware {
  return (_ctx, next) => {
    if (lifecycle.phase !== "closing") return next();
    telemetry.requestShed("draining");
    throw shuttingDown();
  };
}
