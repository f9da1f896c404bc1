import { LRUCache } from "lru-cache";

/** What a caller has used in the current window, in this process. Whoever counts a request writes it here. */
export interface OpenWindow {
  readonly endsAtMs: number;
  used: number;
  /** Of these, what is not counted on Redis and should be. */
  owed: number;
}

/** The window of a caller that is open at `nowMs`; a new one that ends at `endsAtMs` where there is none. */
export type OpenLocalWindow = (
  callerId: string,
  times: { readonly nowMs: number; readonly endsAtMs: number },
) => OpenWindow;

/** Only known callers get into this memory, each with about 200 bytes. Of more than these the one that was away longest is forgotten. */
const MAX_CALLERS = 10_000;

/** Counts for this process alone, one window for each caller. */
export function createLocalWindows(): OpenLocalWindow {
  const windows = new LRUCache<string, OpenWindow>({ max: MAX_CALLERS });
  return (callerId, { nowMs, endsAtMs }) => {
    const known = windows.get(callerId);
    if (known !== undefined && nowMs < known.endsAtMs) return known;
    const opened = { endsAtMs, used: 0, owed: 0 };
    windows.set(callerId, opened);
    return opened;
  };
}
