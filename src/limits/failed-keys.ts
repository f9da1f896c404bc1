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
