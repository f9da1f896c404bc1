import { LRUCache } from "lru-cache";

/** The lengths of windows. `usage` limits how often a caller may read its own usage. */
export const WINDOW_SECONDS = { minute: 60, day: 86_400, usage: 60 } as const;

type LimitName = keyof typeof WINDOW_SECONDS;

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/** A caller's state in one window of time. */
export interface LimitWindow {
  readonly name: LimitName;
  /** `Infinity` means no limit. */
  readonly limit: number;
  /** Requests that were allowed, including this one. */
  readonly used: number;
  /** Requests that are still allowed after this one. */
  readonly remaining: number;
  /** Whole seconds until more requests are allowed: at least 1, at most the length of the window. */
  readonly secondsToReset: number;
}

/** The outcome of counting one request. */
export interface LimitDecision {
  /** The window that refused the request; missing when the request may pass. */
  readonly refusedBy?: LimitWindow;
  readonly windows: readonly LimitWindow[];
}

/** What a caller has used and has left. */
export interface Usage {
  readonly minute: LimitWindow;
  readonly day: LimitWindow;
  /** Requests by UTC date, oldest first, without days that have none. Empty while Redis does not respond. */
  readonly days: ReadonlyMap<string, number>;
  /** True when the figures cover all processes, false for this one alone. */
  readonly isShared: boolean;
}

type WindowCount = Readonly<Record<"limit" | "used" | "msToReset", number>>;

/** The seconds are whole ones, rounded up, so that a caller who waits that long is not early. */
export function buildWindow(name: LimitName, { limit, used, msToReset }: WindowCount): LimitWindow {
  const secondsToReset = Math.min(WINDOW_SECONDS[name], Math.max(1, Math.ceil(msToReset / 1_000)));
  return { name, limit, used: Math.min(used, limit), remaining: Math.max(0, limit - used), secondsToReset };
}

/** The UTC date of a moment in epoch milliseconds, such as `2026-11-20`. */
export const utcDateOf = (nowMs: number): string =>
  new Date(nowMs).toISOString().slice(0, "2026-11-20".length);

/** The end of the UTC day that contains a moment, both in epoch milliseconds. All UTC days have the same length. */
export const endOfUtcDay = (nowMs: number): number => (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;

/** An entry takes about 200 bytes. Above this number the least recently used one is dropped. */
const MAX_COUNTS = 10_000;

type Counts = ReturnType<typeof createCounts>;

const afterAMinute = (nowMs: number): number => nowMs + MINUTE_MS;

/**
 * Counts by id in the memory of this process, each window from its first event to the end that `endOf` says of this moment, by default a
 * minute later; both in milliseconds of `clock`.
 */
export function createCounts(name: LimitName, endOf = afterAMinute, clock = () => performance.now()) {
  const counts = new LRUCache<string, { readonly used: number; readonly endsAtMs: number }>({
    max: MAX_COUNTS,
  });
  const read = (id: string) => {
    const known = counts.get(id);
    return known && clock() < known.endsAtMs ? known : { used: 0, endsAtMs: endOf(clock()) };
  };
  return {
    read,
    /** Adds events, or takes some back. Returns how many there are now. */
    add(id: string, events: number): number {
      const { used, endsAtMs } = read(id);
      counts.set(id, { used: used + events, endsAtMs });
      return used + events;
    },
    windowOf(id: string, limit: number): LimitWindow {
      const { used, endsAtMs } = read(id);
      return buildWindow(name, { limit, used, msToReset: endsAtMs - clock() });
    },
  };
}

/** Counts a request as so many, in all of these windows or in none. */
export function takeAll(
  id: string,
  units: number,
  limits: readonly (readonly [Counts, number])[],
): LimitDecision {
  const read = (): LimitWindow[] => limits.map(([counts, limit]) => counts.windowOf(id, limit));
  const windows = read();
  const refusedBy = windows.find(({ remaining }) => remaining < units);
  if (refusedBy) return { refusedBy, windows };
  for (const [counts] of limits) counts.add(id, units);
  return { windows: read() };
}
