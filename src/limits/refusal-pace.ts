import { setTimeout as sleep } from "node:timers/promises";
import { createLocalWindows } from "./local-limits.ts";

/** A program that makes a mistake now and then, or reaches its limit, gets its refusal at once. */
const AT_ONCE_PER_SECOND = 20;

/**
 * A program that sends the next request after each response then gets one response a second on each
 * connection.
 */
const HOLD_MS = 1_000;

/** Each takes a few kilobytes. Above this number no refusal is delayed. */
const MAX_HELD = 1_000;

const SECOND_MS = 1_000;

/** Delays the refusals of a flood, so that refusing it costs next to nothing. */
export interface RefusalPace {
  /**
   * Resolves when the refusal may be sent to this caller or address: at once, or after a second when there
   * are many.
   */
  readonly hold: (id: string) => Promise<void>;
}

/**
 * A refusal costs a fraction of a millisecond, but a program that ignores refusals sends thousands a second
 * and blocks the event loop for everyone. `clock` is monotonic, in milliseconds.
 */
export function createRefusalPace(clock: () => number = () => performance.now()): RefusalPace {
  const windowOf = createLocalWindows("minute", clock, (nowMs) => nowMs + SECOND_MS);
  let held = 0;
  return {
    async hold(id) {
      const window = windowOf(id, AT_ONCE_PER_SECOND);
      window.add(1);
      if (window.read().remaining > 0 || held >= MAX_HELD) return;
      held += 1;
      await sleep(HOLD_MS).finally(() => (held -= 1));
    },
  };
}
