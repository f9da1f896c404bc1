import type { Caller } from "../keys/key-record.ts";

/** `usage` limits how often a caller may read its own usage. */
export type LimitName = "minute" | "day" | "usage";

/** Requests per window, by name; `Infinity` means no limit. */
export type LimitPolicy = Readonly<Partial<Record<LimitName, number>>>;

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
  /** The windows that were checked. After a refusal the others may not be checked. */
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

export const WINDOW_SECONDS: Readonly<Record<LimitName, number>> = { minute: 60, day: 86_400, usage: 60 };

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/** The limits of a caller. A daily limit of 0 means none; requests still count for the usage figures. */
export const policyOf = ({ limits: { perMinute, perDay } }: Caller) => ({
  minute: perMinute,
  day: perDay === 0 ? Infinity : perDay,
});

interface WindowCount {
  readonly limit: number;
  readonly used: number;
  /** Epoch milliseconds, or another clock if `nowMs` uses the same one. */
  readonly resetMs: number;
  readonly nowMs: number;
}

export function buildWindow(name: LimitName, { limit, used, resetMs, nowMs }: WindowCount): LimitWindow {
  return {
    name,
    limit,
    used: Math.min(used, limit),
    remaining: Math.max(0, limit - used),
    secondsToReset: countSecondsToReset(resetMs, nowMs, WINDOW_SECONDS[name]),
  };
}

/**
 * Whole seconds from `nowMs` to `resetMs` within 1…`windowSeconds`, rounded up so that a caller who waits
 * that long is not early.
 */
export function countSecondsToReset(resetMs: number, nowMs: number, windowSeconds: number): number {
  return Math.min(windowSeconds, Math.max(1, Math.ceil((resetMs - nowMs) / 1000)));
}

/** The UTC date of a moment in epoch milliseconds, such as `2026-11-20`. */
export const utcDateOf = (nowMs: number): string =>
  new Date(nowMs).toISOString().slice(0, "2026-11-20".length);

/** The end of the UTC day that contains a moment, both in epoch milliseconds. All UTC days have the same length. */
export const endOfUtcDay = (nowMs: number): number => (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;

/** The window that will stop the caller first. Of two with the same remainder, the one that resets later. */
export function pickTighterWindow(windows: readonly LimitWindow[]): LimitWindow | undefined {
  return windows.toSorted((a, b) => compareLeft(a, b) || b.secondsToReset - a.secondsToReset)[0];
}

/** Two windows without a limit have the same remainder; the one with the higher count knows more. */
function compareLeft(a: LimitWindow, b: LimitWindow): number {
  return a.remaining === b.remaining ? b.used - a.used : a.remaining - b.remaining;
}
