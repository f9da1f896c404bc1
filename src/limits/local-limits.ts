import { dayLimitOf } from "./day-limit.ts";
import {
  buildWindow,
  endOfUtcDay,
  MINUTE_MS,
  type LimitName,
  type LimitVerdict,
  type LimitWindow,
} from "./windows.ts";
import type { Caller } from "../http/request-state.ts";
import { LRUCache } from "lru-cache";

export interface LocalLimitsOptions {
  readonly now: () => Temporal.Instant;
  /** Milliseconds that never jump. */
  readonly clock: () => number;
}

/** One window of a caller: what was used of it, and by which clock. */
interface LocalCount {
  readonly name: LimitName;
  readonly limit: number;
  readonly nowMs: number;
  readonly open: OpenWindow;
}

/** The limits of all callers as this process alone has counted them. */
export interface LocalLimits {
  /** The window in which a caller has nothing left here, and so nowhere: nobody else needs to be asked. */
  readonly findUsedUp: (caller: Caller) => LimitVerdict | undefined;
  /** Counts a request; what the minute refuses does not count for the day. `isShared`: Redis has counted it, too. */
  readonly take: (caller: Caller, options: { readonly isShared: boolean }) => LimitVerdict[];
  readonly peek: (caller: Caller) => { readonly minute: LimitWindow; readonly day: LimitWindow };
  /** How many requests of today Redis does not know of. Who takes them passes them on. */
  readonly takeOwed: (caller: Caller) => number;
  /** They could not be passed on. */
  readonly giveBackOwed: (caller: Caller, requests: number) => void;
}

/** A minute begins with the caller's first request in it, a day at midnight UTC. */
export function createLocalLimits({ now, clock }: LocalLimitsOptions): LocalLimits {
  const minutes = createLocalWindows();
  const days = createLocalWindows();

  const minuteOf = ({ callerId, limits }: Caller): LocalCount => {
    const nowMs = clock();
    const open = minutes(callerId, { nowMs, endsAtMs: nowMs + MINUTE_MS });
    return { name: "minute", limit: limits.perMinute, nowMs, open };
  };
  const dayOf = ({ callerId, limits }: Caller): LocalCount => {
    const nowMs = now().epochMilliseconds;
    const open = days(callerId, { nowMs, endsAtMs: endOfUtcDay(nowMs) });
    return { name: "day", limit: dayLimitOf(limits), nowMs, open };
  };

  return {
    findUsedUp(caller) {
      const usedUp = [minuteOf(caller), dayOf(caller)].find(isUsedUp);
      return usedUp && { allowed: false, window: toWindow(usedUp) };
    },
    take(caller, { isShared }) {
      const minute = takeFrom(minuteOf(caller));
      if (!minute.allowed) return [minute];
      const count = dayOf(caller);
      const day = takeFrom(count);
      if (day.allowed && !isShared) count.open.owed += 1;
      return [minute, day];
    },
    peek: (caller) => ({ minute: toWindow(minuteOf(caller)), day: toWindow(dayOf(caller)) }),
    takeOwed(caller) {
      const { open } = dayOf(caller);
      const { owed } = open;
      open.owed = 0;
      return owed;
    },
    giveBackOwed(caller, requests) {
      dayOf(caller).open.owed += requests;
    },
  };
}

const isUsedUp = ({ open, limit }: LocalCount): boolean => open.used >= limit;

function takeFrom(count: LocalCount): LimitVerdict {
  const allowed = !isUsedUp(count);
  if (allowed) count.open.used += 1;
  return { allowed, window: toWindow(count) };
}

function toWindow({ name, limit, nowMs, open }: LocalCount): LimitWindow {
  return buildWindow(name, { limit, used: open.used, resetMs: open.endsAtMs, nowMs });
}

/** What a caller has used in the current window, in this process. Whoever counts a request writes it here. */
interface OpenWindow {
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
