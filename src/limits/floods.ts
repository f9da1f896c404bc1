import { setTimeout as sleep } from "node:timers/promises";
import { createCounts, takeAll } from "./windows.ts";

/** More mistakes than a program makes before its owner notices, but too few for guessing keys or flooding. */
const MAX_FAILURES_PER_MINUTE = 120;

export type FailedKeys = ReturnType<typeof createFailedKeys>;

/**
 * Counts requests without an accepted key by client address or network, in each process alone, so that a flood of bad keys does not reach
 * Redis.
 */
export function createFailedKeys(limit = MAX_FAILURES_PER_MINUTE) {
  const failures = createCounts("minute");
  return {
    /** Counts one failure. Returns the seconds to wait after too many, else undefined. */
    count: (address: string) => takeAll(address, 1, [[failures, limit]]).refusedBy?.secondsToReset,
    /** Takes back one failure, because the key turned out to be valid. */
    forgive: (address: string): void => {
      if (failures.read(address).used > 0) failures.add(address, -1);
    },
  };
}

/** A program that makes a mistake now and then, or reaches its limit, gets its refusal at once. */
const AT_ONCE_PER_SECOND = 20;

/** A program that sends the next request after each response then gets one response a second on each connection. */
const HOLD_MS = 1_000;

/** Each takes a few kilobytes. Above this number no refusal is delayed. */
const MAX_HELD = 1_000;

/**
 * Delays the refusals of a flood: each costs a fraction of a millisecond, but a program that ignores them sends thousands a second and
 * blocks the event loop for everyone.
 */
export function createRefusalPace() {
  const refusals = createCounts("minute", (nowMs) => nowMs + HOLD_MS);
  let held = 0;
  return {
    /** Resolves when the refusal may be sent to this caller or address: at once, or after a second when there are many. */
    async hold(id: string): Promise<void> {
      if (refusals.add(id, 1) < AT_ONCE_PER_SECOND || held >= MAX_HELD) return;
      held += 1;
      await sleep(HOLD_MS).finally(() => (held -= 1));
    },
  };
}
