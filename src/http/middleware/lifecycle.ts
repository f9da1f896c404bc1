import { shuttingDown } from "../../errors.ts";
import type { Telemetry } from "../../telemetry/telemetry.ts";
import type { HttpMiddleware } from "../request-state.ts";

/**
 * How far a server is in its life. `draining`: it still takes everything, but tells balancers to go elsewhere. `closing`: nobody can
 * connect any more, and only what is under way is ended.
 */
export interface Lifecycle {
  phase: "serving" | "draining" | "closing";
}

export const createLifecycle = (): Lifecycle => ({ phase: "serving" });

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
