import { shuttingDown } from "../../errors.ts";
import type { Telemetry } from "../../telemetry/telemetry.ts";
import type { HttpMiddleware } from "../request-state.ts";

/**
 * The phase of a server. `draining`: it still serves everything, but `/readyz` makes load balancers use other
 * servers, and connections close after their next response. `closing`: it only finishes the requests under way.
 */
export interface Lifecycle {
  phase: "serving" | "draining" | "closing";
  /** Responses wait for it while the listener closes: whoever waits for a response does not connect again in that moment. */
  listenerCloses?: Promise<void> | undefined;
}

export const createLifecycle = (): Lifecycle => ({ phase: "serving" });

/**
 * Once the server is stopping, closes each connection after its response, so that the caller's next request
 * reaches another server.
 */
export function closeConnections(lifecycle: Lifecycle): HttpMiddleware {
  return async (ctx, next) => {
    await next();
    if (lifecycle.listenerCloses) await lifecycle.listenerCloses;
    if (lifecycle.phase !== "serving") ctx.set("Connection", "close");
  };
}

/** Refuses requests on open connections while the server is closing, so that it can end. */
export function refuseWhileClosing(lifecycle: Lifecycle, telemetry: Telemetry): HttpMiddleware {
  return (_ctx, next) => {
    if (lifecycle.phase !== "closing") return next();
    telemetry.requestShed("draining");
    throw shuttingDown();
  };
}
