import { BoundedMap } from "./bounded-map.ts";
import { countSecondsToReset, MINUTE_SECONDS } from "./limit-windows.ts";

/** More mistakes than any program makes before somebody looks at it; fewer than make guessing or flooding worth the while. */
const MAX_FAILURES_PER_MINUTE = 120;

/** An address and its count take about 200 bytes. Of more addresses than this the oldest are forgotten. */
const MAX_ADDRESSES = 10_000;

/** Counts one more request without an accepted key from an address. The seconds to wait where that was too many, else undefined. */
export type CountFailedKey = (address: string) => number | undefined;

/**
 * Counts for this process alone: a flood of bad keys should cost Redis nothing. A minute begins with its first failure. `clock`
 * counts milliseconds and never jumps.
 */
export function createFailedKeyCounter(
  limit = MAX_FAILURES_PER_MINUTE,
  clock: () => number = () => performance.now(),
): CountFailedKey {
  const minutes = new BoundedMap<string, { readonly endsAt: number; failures: number }>(MAX_ADDRESSES);

  const minuteOf = (address: string) => {
    const known = minutes.get(address);
    if (known && known.endsAt > clock()) return known;
    // Taken out first, so that it counts among the newest.
    minutes.delete(address);
    const minute = { endsAt: clock() + MINUTE_SECONDS * 1000, failures: 0 };
    minutes.set(address, minute);
    return minute;
  };

  return (address) => {
    const minute = minuteOf(address);
    minute.failures += 1;
    if (minute.failures <= limit) return undefined;
    return countSecondsToReset(minute.endsAt, clock(), MINUTE_SECONDS);
  };
}
