/** What is left to a caller in one window of time. */
export interface LimitWindow {
  readonly name: "minute" | "day";
  readonly limit: number;
  /** Requests that are still allowed after this one. */
  readonly remaining: number;
  readonly windowSeconds: number;
  /** Whole seconds until more is allowed: at least 1, at most the window. */
  readonly secondsToReset: number;
}

/** Whether a request may pass a window, and how the window stands after it. */
export interface LimitVerdict {
  readonly allowed: boolean;
  readonly window: LimitWindow;
}

export const MINUTE_SECONDS = 60;
export const DAY_SECONDS = 86_400;

/** Whole seconds from `nowMs` to `resetMs`, rounded up so that who waits them is not early, within 1…`windowSeconds`. */
export function countSecondsToReset(resetMs: number, nowMs: number, windowSeconds: number): number {
  return Math.min(windowSeconds, Math.max(1, Math.ceil((resetMs - nowMs) / 1000)));
}

/** The window that will stop the caller first; of two with equally much left the one that stops longer. */
export function pickTighterWindow(windows: readonly LimitWindow[]): LimitWindow | undefined {
  return windows.toSorted((a, b) => a.remaining - b.remaining || b.secondsToReset - a.secondsToReset)[0];
}

/**
 * How much is left: `X-RateLimit-*` of the tighter window (Reset in whole epoch seconds), `RateLimit` of all of them in
 * the form of the IETF draft "RateLimit header fields for HTTP".
 */
export function toLimitHeaders(windows: readonly LimitWindow[], nowMs: number): Record<string, string> {
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

/** The `RateLimit-Policy` header of the same draft. `perDay` 0 means that the day has no limit. */
export function toPolicyHeader(perMinute: number, perDay: number): string {
  const minute = `"minute";q=${perMinute};w=${MINUTE_SECONDS}`;
  return perDay === 0 ? minute : `${minute}, "day";q=${perDay};w=${DAY_SECONDS}`;
}
