import { LRUCache } from "lru-cache";
import { countSecondsToReset, MINUTE_SECONDS } from "./windows.ts";

/** More mistakes than any program makes before somebody looks at it; fewer than make guessing or flooding worth the while. */
const MAX_FAILURES_PER_MINUTE = 120;

/** An address and its count take about 200 bytes. Of more addresses than this the one that was away longest is forgotten. */
const MAX_ADDRESSES = 10_000;

/** The requests without an accepted key, by the address (or network) they come from. */
export interface FailedKeys {
  /** Counts one more. The seconds to wait where that was too many, else undefined. */
  readonly count: (address: string) => number | undefined;
  /** Takes one back that turned out to be none. */
  readonly forgive: (address: string) => void;
}

/**
 * Counts for this process alone: a flood of bad keys should cost Redis nothing. A minute begins with its first failure. `clock`
 * counts milliseconds and never jumps.
 */
export function createFailedKeys(
  limit = MAX_FAILURES_PER_MINUTE,
  clock: () => number = () => performance.now(),
): FailedKeys {
  const minutes = new LRUCache<string, { readonly endsAt: number; failures: number }>({ max: MAX_ADDRESSES });

  const minuteOf = (address: string) => {
    const known = minutes.get(address);
    if (known && known.endsAt > clock()) return known;
    const minute = { endsAt: clock() + MINUTE_SECONDS * 1000, failures: 0 };
    minutes.set(address, minute);
    return minute;
  };

  return {
    count(address) {
      const minute = minuteOf(address);
      minute.failures += 1;
      if (minute.failures <= limit) return undefined;
      return countSecondsToReset(minute.endsAt, clock(), MINUTE_SECONDS);
    },
    forgive(address) {
      const minute = minutes.get(address);
      if (minute && minute.failures > 0) minute.failures -= 1;
    },
  };
}
