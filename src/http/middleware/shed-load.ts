import { overloaded, ProblemError } from "../../errors.ts";
import { createFairQueue, type FairQueueOptions } from "../../limits/fair-queue.ts";
import type { RefusalPace } from "../../limits/floods.ts";
import type { Telemetry } from "../../telemetry/telemetry.ts";
import { hangUpSignal, type HttpMiddleware } from "../request-state.ts";
import { callerOf } from "./authenticate.ts";

interface ShareFairlyOptions extends Pick<FairQueueOptions, "cores" | "processes"> {
  readonly telemetry: Pick<Telemetry, "requestShed" | "requestCharged">;
}

/**
 * Lets a request through when it is its caller's turn (`createFairQueue`), or refuses it with 503. All routes share one queue.
 * Comes after the limits, so that a refused request counts against its caller's minute.
 */
export function shareFairly({ telemetry, ...options }: ShareFairlyOptions): HttpMiddleware {
  const queue = createFairQueue({
    ...options,
    refuse() {
      telemetry.requestShed("in_flight");
      return overloaded();
    },
    charged: telemetry.requestCharged,
  });
  return (ctx, next) => {
    const { callerId, limits } = callerOf(ctx);
    return queue.run({ callerId, weight: limits.weight }, next, hangUpSignal(ctx));
  };
}

/** Refusals that cost the caller nothing. A program that ignores them is stopped only by a delay. */
const PACED_STATUSES: ReadonlySet<number> = new Set([403, 429, 503]);

/** Delays the refusals of a caller that gets many of them in a second. */
export function paceRefusals(pace: RefusalPace): HttpMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (error instanceof ProblemError && PACED_STATUSES.has(error.status))
        await pace.hold(callerOf(ctx).callerId);
      throw error;
    }
  };
}
