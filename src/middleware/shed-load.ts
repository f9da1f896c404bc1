import { overloaded } from "../errors.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { LoopGauge } from "./loop-gauge.ts";
import type { HttpMiddleware } from "./request-state.ts";

/**
 * Requests in the works at once. One that has to ask the engine costs this process 2.3 ms, so this many are ended within a third of
 * a second; more would only wait, and the last of them beyond the engine's deadline of 800 ms.
 */
export const MAX_IN_FLIGHT = 128;

/** A loop that is later than this makes every caller wait for others. Below it the number in flight is bound enough. */
export const CALM_DELAY_MS = 50;

/** So many are let in however late the loop is: else nothing would tell that it has become better. */
const MIN_IN_FLIGHT = 8;

/** Who asks whether the server is well should hear so most of all when it has too much to do. */
const EXEMPT: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);

interface ShedLoadOptions {
  readonly gauge: Pick<LoopGauge, "delayMs">;
  readonly telemetry: Telemetry;
  readonly maxInFlight?: number;
}

/**
 * Turns requests away with 503 before all of them become slow: a request more than can be worked on costs some twenty microseconds
 * here, and would cost everybody milliseconds further in. The later the event loop is, the fewer are let in.
 */
export function shedLoad({ gauge, telemetry, maxInFlight = MAX_IN_FLIGHT }: ShedLoadOptions): HttpMiddleware {
  let inFlight = 0;
  return async (ctx, next) => {
    if (EXEMPT.has(ctx.path)) {
      await next();
      return;
    }
    if (inFlight >= allowedInFlight(maxInFlight, gauge.delayMs())) {
      telemetry.requestShed(inFlight >= maxInFlight ? "in_flight" : "event_loop");
      throw overloaded();
    }
    inFlight += 1;
    try {
      await next();
    } finally {
      inFlight -= 1;
    }
  };
}

/** Half as many for a loop that is twice as late as it may be. */
function allowedInFlight(maxInFlight: number, delayMs: number): number {
  if (delayMs <= CALM_DELAY_MS) return maxInFlight;
  return Math.max(MIN_IN_FLIGHT, Math.floor((maxInFlight * CALM_DELAY_MS) / delayMs));
}
