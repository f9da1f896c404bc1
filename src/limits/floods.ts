import { LRUCache } from "lru-cache";
import { setTimeout as sleep } from "node:timers/promises";
import { countSecondsToReset, MINUTE_MS, WINDOW_SECONDS } from "./windows.ts";

/** An entry takes about 200 bytes. Above this number the least recently used one is dropped. */
const MAX_COUNTS = 10_000;

/** Counts by id. A count begins with its first event, at a moment of `clock`, and ends `lengthMs` later. */
function createCounts(lengthMs: number, clock: () => number) {
  const counts = new LRUCache<string, { readonly endsAtMs: number; events: number }>({ max: MAX_COUNTS });
  return (id: string) => {
    const known = counts.get(id);
    if (known && clock() < known.endsAtMs) return known;
    const count = { endsAtMs: clock() + lengthMs, events: 0 };
    counts.set(id, count);
    return count;
  };
}

/** More mistakes than a program makes before its owner notices, but too few for guessing keys or flooding. */
const MAX_FAILURES_PER_MINUTE = 120;

/** Requests without an accepted key, by client address or network. */
export interface FailedKeys {
  /** Counts one failure. Returns the seconds to wait after too many, else undefined. */
  readonly count: (address: string) => number | undefined;
  /** Takes back one failure, because the key turned out to be valid. */
  readonly forgive: (address: string) => void;
}

/**
 * Each process counts failed keys alone, so that a flood of bad keys does not reach Redis. `clock` is
 * monotonic, in milliseconds.
 */
export function createFailedKeys(
  limit = MAX_FAILURES_PER_MINUTE,
  clock: () => number = () => performance.now(),
): FailedKeys {
  const countOf = createCounts(MINUTE_MS, clock);
  return {
    count(address) {
      const count = countOf(address);
      if (count.events >= limit) return countSecondsToReset(count.endsAtMs, clock(), WINDOW_SECONDS.minute);
      count.events += 1;
      return undefined;
    },
    forgive(address) {
      const count = countOf(address);
      if (count.events > 0) count.events -= 1;
    },
  };
}

/** A program that makes a mistake now and then, or reaches its limit, gets its refusal at once. */
const AT_ONCE_PER_SECOND = 20;

/** A program that sends the next request after each response then gets one response a second on each connection. */
const HOLD_MS = 1_000;

/** Each takes a few kilobytes. Above this number no refusal is delayed. */
const MAX_HELD = 1_000;

/** Delays the refusals of a flood, so that refusing it costs next to nothing. */
export interface RefusalPace {
  /** Resolves when the refusal may be sent to this caller or address: at once, or after a second when there are many. */
  readonly hold: (id: string) => Promise<void>;
}

/**
 * A refusal costs a fraction of a millisecond, but a program that ignores refusals sends thousands a second
 * and blocks the event loop for everyone. `clock` is monotonic, in milliseconds.
 */
export function createRefusalPace(clock: () => number = () => performance.now()): RefusalPace {
  const countOf = createCounts(HOLD_MS, clock);
  let held = 0;
  return {
    async hold(id) {
      const count = countOf(id);
      count.events += 1;
      if (count.events < AT_ONCE_PER_SECOND || held >= MAX_HELD) return;
      held += 1;
      await sleep(HOLD_MS).finally(() => (held -= 1));
    },
  };
}
