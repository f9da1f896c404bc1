import { overloaded } from "../../errors.ts";
import type { Telemetry } from "../../telemetry/telemetry.ts";
import { createAdaptiveLimit, type AdaptiveLimit, type LoopGauge } from "../../limits/load.ts";
import type { HttpMiddleware } from "../request-state.ts";

/** A later event loop delays every caller, three to five times in a search. */
const CALM_DELAY_MS = 50;

/** So many are let in however late the loop is; otherwise nothing would show that it has recovered. */
const MIN_IN_FLIGHT = 4;

/** Health checks matter most when the server is busy. */
const EXEMPT: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

interface ShedLoadOptions {
  readonly gauge: Pick<LoopGauge, "delayMs">;
  readonly telemetry: Telemetry;
  readonly limit?: AdaptiveLimit;
}

/**
 * Turns requests away with 503 before all of them become slow: a request more than can be worked on costs a fraction of a
 * millisecond here, and would cost everybody milliseconds further in. The later the event loop is, the fewer are let in.
 */
export function shedLoad({
  gauge,
  telemetry,
  limit = createAdaptiveLimit(),
}: ShedLoadOptions): HttpMiddleware {
  let inFlight = 0;
  return async (ctx, next) => {
    if (EXEMPT.has(ctx.path)) {
      await next();
      return;
    }
    const allowed = limit.allowed();
    if (inFlight >= allowed || inFlight >= allowedBy(gauge.delayMs(), allowed)) {
      telemetry.requestShed(inFlight >= allowed ? "in_flight" : "event_loop");
      throw overloaded();
    }
    inFlight += 1;
    limit.begin(inFlight);
    const startedAt = performance.now();
    try {
      await next();
    } finally {
      inFlight -= 1;
      limit.end(performance.now() - startedAt);
    }
  };
}

/** Half as many for a loop that is twice as late as it may be. */
const allowedBy = (delayMs: number, allowed: number): number =>
  delayMs <= CALM_DELAY_MS ? allowed : Math.max(MIN_IN_FLIGHT, (allowed * CALM_DELAY_MS) / delayMs);
