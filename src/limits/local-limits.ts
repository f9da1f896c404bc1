import { LRUCache } from "lru-cache";
import { buildWindow, MINUTE_MS, type LimitDecision, type LimitName, type LimitWindow } from "./windows.ts";

/** The current window of one caller or address, as counted by this process alone. */
export interface LocalWindow {
  readonly read: () => LimitWindow;
  /** Adds requests to the count; a negative number takes them back. */
  readonly add: (requests: number) => void;
}

/** An entry takes about 200 bytes. Above this number the least recently used one is dropped. */
const MAX_COUNTS = 10_000;

/**
 * Counts of one kind of window by id. A window begins with its first request, at a moment of `clock`
 * (milliseconds), and ends at `endOf` that moment, by default a minute later.
 */
export function createLocalWindows(
  name: LimitName,
  clock: () => number,
  endOf = (nowMs: number): number => nowMs + MINUTE_MS,
): (id: string, limit: number) => LocalWindow {
  const counts = new LRUCache<string, { readonly endsAtMs: number; used: number }>({ max: MAX_COUNTS });
  return (id, limit) => {
    const nowMs = clock();
    const known = counts.get(id);
    const count = known && nowMs < known.endsAtMs ? known : { endsAtMs: endOf(nowMs), used: 0 };
    if (count !== known) counts.set(id, count);
    return {
      read: () => buildWindow(name, { limit, used: count.used, resetMs: count.endsAtMs, nowMs }),
      add: (requests) => void (count.used += requests),
    };
  };
}

/** Counts a request, as so many units, in all of the windows, unless one of them has fewer left. */
export function takeLocally(windows: readonly LocalWindow[], units = 1): LimitDecision {
  const refusedBy = windows.map(({ read }) => read()).find(({ remaining }) => remaining < units);
  if (refusedBy) return { refusedBy, windows: [refusedBy] };
  for (const { add } of windows) add(units);
  return { windows: windows.map(({ read }) => read()) };
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
 * monotonic.
 */
export function createFailedKeys(
  limit = MAX_FAILURES_PER_MINUTE,
  clock: () => number = () => performance.now(),
): FailedKeys {
  const windowOf = createLocalWindows("minute", clock);
  return {
    count: (address) => takeLocally([windowOf(address, limit)]).refusedBy?.secondsToReset,
    forgive(address) {
      const { read, add } = windowOf(address, limit);
      if (read().used > 0) add(-1);
    },
  };
}
