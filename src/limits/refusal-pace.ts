import { setTimeout as sleep } from "node:timers/promises";
import { createLocalWindows } from "./local-limits.ts";

/** A program that makes a mistake now and then, or meets its limit, is told at once. */
const AT_ONCE_PER_SECOND = 20;

/** A program that sends the next request when it has the response to the last gets one response a second on each connection. */
const HOLD_MS = 1_000;

/** Each takes a few kilobytes. When there are more, nobody is held. */
const MAX_HELD = 1_000;

const SECOND_MS = 1_000;

/** Holds refusals of a flood back, so that refusing it costs next to nothing. */
export interface RefusalPace {
  /** Resolves when the refusal may be sent to this caller or address: at once, or after a second when there are many. */
  readonly hold: (id: string) => Promise<void>;
}

/**
 * A refused request costs a fraction of a millisecond, and a program that ignores refusals sends thousands a second, which
 * takes the event loop from everybody. `clock` never jumps (milliseconds).
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
