import { setTimeout as sleep } from "node:timers/promises";
import { overloaded, ProblemError } from "../../errors.ts";
import { FairQueue } from "../../limits/fair-queue.ts";
import { createCounts } from "../../limits/windows.ts";
import type { Telemetry } from "../../telemetry/telemetry.ts";
import { hangUpSignal, type HttpMiddleware } from "../request-state.ts";
import { callerOf, readClientNetwork } from "./authenticate.ts";

interface ShareFairlyOptions {
  /** How many processes share the machine. */
  readonly processes: number;
  readonly telemetry: Pick<Telemetry, "requestShed" | "requestCharged">;
}

/** What requests wait for is the engine, when it failed others so short a time ago: they wait for a second at least. */
const FAULT_MS = 1_000;

/**
 * Lets a request through when it is its caller's turn (`FairQueue`), or refuses it: with 503, or as those before it failed when the engine
 * does not respond. All routes share one queue. Comes after the limits, so that a refused request counts against its caller's minute.
 */
export function shareFairly({ telemetry, processes }: ShareFairlyOptions): HttpMiddleware {
  let fault = { error: overloaded(), atMs: -Infinity };
  const queue = new FairQueue({
    processes,
    refuse() {
      if (performance.now() - fault.atMs < FAULT_MS) return fault.error;
      telemetry.requestShed("in_flight");
      return overloaded();
    },
    charged: telemetry.requestCharged,
  });
  return (ctx, next) => {
    const { callerId, limits } = callerOf(ctx);
    const work = (): Promise<unknown> =>
      next().catch((error: unknown) => {
        const isFault = error instanceof ProblemError && error.code === "engine_unavailable";
        if (isFault) fault = { error, atMs: performance.now() };
        throw error;
      });
    return queue.run({ callerId, weight: limits.weight }, work, hangUpSignal(ctx));
  };
}

/** Refusals that cost the caller nothing. A program that ignores them is stopped only by a delay. */
const PACED_STATUSES: ReadonlySet<number> = new Set([403, 429, 503]);

/** A program that makes a mistake now and then, or reaches its limit, gets its refusal at once. */
const AT_ONCE_PER_SECOND = 20;

/** A program that sends the next request after each response then gets one response a second on each connection. */
const HOLD_MS = 1_000;

/** Each takes a few kilobytes. Above this number no refusal is delayed. */
const MAX_HELD = 1_000;

/**
 * Delays the refusals of a caller that gets many of them in a second, and of an address that sends many keys that fail: each costs a
 * fraction of a millisecond, but a program that ignores them sends thousands a second and blocks the event loop for everyone.
 */
export function paceRefusals(): HttpMiddleware {
  const refusals = createCounts("minute", (nowMs) => nowMs + HOLD_MS);
  let held = 0;
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const { caller } = ctx.state;
      const status = error instanceof ProblemError ? error.status : 500;
      // A new connection costs a program without a key more than it costs the server.
      if (!caller && status === 429) ctx.set("Connection", "close");
      const isPaced = caller ? PACED_STATUSES.has(status) : status === 429;
      const count = isPaced ? refusals.add(caller?.callerId ?? readClientNetwork(ctx), 1) : 0;
      if (count >= AT_ONCE_PER_SECOND && held < MAX_HELD) {
        held += 1;
        await sleep(HOLD_MS);
        held -= 1;
      }
      throw error;
    }
  };
}
