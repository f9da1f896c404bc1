import { shuttingDown } from "../../errors.ts";
import type { Telemetry } from "../../telemetry/telemetry.ts";
import type { HttpMiddleware } from "../request-state.ts";

/**
 * The phase a server is in. `draining`: it still serves everything, but tells load balancers to go elsewhere. `closing`: it takes no
 * new connections, and only finishes the requests under way.
 */
export interface Lifecycle {
  phase: "serving" | "draining" | "closing";
}

export const createLifecycle = (): Lifecycle => ({ phase: "serving" });

/** Once the server is stopping, it closes each connection after the response: the caller's next request finds another server. */
export function closeConnections(lifecycle: Lifecycle): HttpMiddleware {
  return async (ctx, next) => {
    await next();
    if (lifecycle.phase !== "serving") ctx.set("Connection", "close");
  };
}

/** Refuses requests on connections that are still open while the server closes, so that it comes to an end. */
export function refuseWhileClosing(lifecycle: Lifecycle, telemetry: Telemetry): HttpMiddleware {
  return (_ctx, next) => {
    if (lifecycle.phase !== "closing") return next();
    telemetry.requestShed("draining");
    throw shuttingDown();
  };
}
