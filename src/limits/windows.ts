/** What is left to a caller in one window of time. */
export interface LimitWindow {
  readonly name: LimitName;
  /** `Infinity` where there is no limit. */
  readonly limit: number;
  /** Requests that have passed, this one with them. */
  readonly used: number;
  /** Requests that are still allowed after this one. */
  readonly remaining: number;
  readonly windowSeconds: number;
  /** Whole seconds until more is allowed: at least 1, at most the window. */
  readonly secondsToReset: number;
}

/** `usage` limits how often a caller may ask for its figures. */
export type LimitName = "minute" | "day" | "usage";

/** Whether a request may pass a window, and how the window stands after it. */
export interface LimitVerdict {
  readonly allowed: boolean;
  readonly window: LimitWindow;
}

export const MINUTE_SECONDS = 60;
export const DAY_SECONDS = 86_400;

export const MINUTE_MS = MINUTE_SECONDS * 1000;
const DAY_MS = DAY_SECONDS * 1000;

const WINDOW_SECONDS: Readonly<Record<LimitName, number>> = {
  minute: MINUTE_SECONDS,
  day: DAY_SECONDS,
  usage: MINUTE_SECONDS,
};

interface WindowCount {
  readonly limit: number;
  readonly used: number;
  /** Both by the same clock, whichever that is. */
  readonly resetMs: number;
  readonly nowMs: number;
}

export function buildWindow(name: LimitName, { limit, used, resetMs, nowMs }: WindowCount): LimitWindow {
  const windowSeconds = WINDOW_SECONDS[name];
  return {
    name,
    limit,
    used: Math.min(used, limit),
    remaining: Math.max(0, limit - used),
    windowSeconds,
    secondsToReset: countSecondsToReset(resetMs, nowMs, windowSeconds),
  };
}

/** Whole seconds from `nowMs` to `resetMs`, rounded up so that who waits them is not early, within 1…`windowSeconds`. */
export function countSecondsToReset(resetMs: number, nowMs: number, windowSeconds: number): number {
  return Math.min(windowSeconds, Math.max(1, Math.ceil((resetMs - nowMs) / 1000)));
}

/** Of a date such as `2026-11-20`. */
const DATE_LENGTH = 10;

/** The date in UTC of a moment in epoch milliseconds. */
export function utcDateOf(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, DATE_LENGTH);
}

/** When the day of UTC ends that holds a moment, both in epoch milliseconds. */
export function endOfUtcDay(nowMs: number): number {
  // Days of UTC all have the same length: plain numbers do, at a hundredth of the time of a calendar.
  return (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
}

/** The window that will stop the caller first; of two with equally much left the one that stops longer. */
export function pickTighterWindow(windows: readonly LimitWindow[]): LimitWindow | undefined {
  return windows.toSorted((a, b) => compareLeft(a, b) || b.secondsToReset - a.secondsToReset)[0];
}

/** Without a limit equally much is left to both, and the one that has used more knows more. */
function compareLeft(a: LimitWindow, b: LimitWindow): number {
  return a.remaining === b.remaining ? b.used - a.used : a.remaining - b.remaining;
}

/**
 * How much is left: `X-RateLimit-*` of the tighter window (Reset in whole epoch seconds), `RateLimit` of all that have a limit
 * in the form of the IETF draft "RateLimit header fields for HTTP".
 */
export function toLimitHeaders(all: readonly LimitWindow[], nowMs: number): Record<string, string> {
  const windows = all.filter(({ limit }) => Number.isFinite(limit));
  const tighter = pickTighterWindow(windows);
  if (tighter === undefined) return {};
  return {
    "X-RateLimit-Limit": String(tighter.limit),
    "X-RateLimit-Remaining": String(tighter.remaining),
    "X-RateLimit-Reset": String(Math.ceil(nowMs / 1000) + tighter.secondsToReset),
    RateLimit: windows
      .map((window) => `"${window.name}";r=${window.remaining};t=${window.secondsToReset}`)
      .join(", "),
  };
}

/** The `RateLimit-Policy` header of the same draft. A limit of 0 or `Infinity` is none. */
export function toPolicyHeader(limits: Partial<Readonly<Record<LimitName, number>>>): string {
  return (Object.entries(limits) as [LimitName, number][])
    .filter(([, limit]) => limit !== 0 && Number.isFinite(limit))
    .map(([name, limit]) => `"${name}";q=${limit};w=${WINDOW_SECONDS[name]}`)
    .join(", ");
}
