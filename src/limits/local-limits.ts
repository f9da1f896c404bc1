import { LRUCache } from "lru-cache";
import { buildWindow, MINUTE_MS, type LimitDecision, type LimitName, type LimitWindow } from "./windows.ts";

/** The current window of one caller or address, as this process alone has counted it. */
export interface LocalWindow {
  readonly read: () => LimitWindow;
  /** Adds requests to the count; a negative number takes them back. */
  readonly add: (requests: number) => void;
}

/** An entry takes about 200 bytes. When there are more, the one that was away longest is forgotten. */
const MAX_COUNTS = 10_000;

/**
 * Counts of one kind of window by id. A window begins with the first request in it, at a moment of `clock` (milliseconds), and ends
 * at `endOf` that moment: a minute later unless said otherwise.
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

/** Counts a request in all of the windows, unless one of them is used up. */
export function takeLocally(windows: readonly LocalWindow[]): LimitDecision {
  const refusedBy = windows.map(({ read }) => read()).find(({ remaining }) => remaining === 0);
  if (refusedBy) return { refusedBy, windows: [refusedBy] };
  for (const { add } of windows) add(1);
  return { windows: windows.map(({ read }) => read()) };
}

/** More mistakes than any program makes before somebody notices; few enough that guessing keys or flooding does not pay. */
const MAX_FAILURES_PER_MINUTE = 120;

/** Requests without an accepted key, by the address (or network) they come from. */
export interface FailedKeys {
  /** Counts one failure. Returns the seconds to wait when there were too many, else undefined. */
  readonly count: (address: string) => number | undefined;
  /** Takes back one failure, because the key turned out to be good. */
  readonly forgive: (address: string) => void;
}

/** Each process counts failed keys for itself: a flood of bad keys should cost Redis nothing. `clock` never jumps. */
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
