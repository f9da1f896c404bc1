import type { DayCounter } from "../redis/day-counter.ts";
import { buildWindow, endOfUtcDay, utcDateOf, type LimitVerdict, type LimitWindow } from "./windows.ts";
import type { Caller, CallerLimits } from "../http/request-state.ts";

/** A day as all processes have counted it, and the ones before. */
export interface SharedDays {
  readonly window: LimitWindow;
  /** Requests by date, oldest first. */
  readonly counts: ReadonlyMap<string, number>;
}

/** The limit of a day; 0 in the settings means none. Requests are counted all the same: the figures are wanted. */
export const dayLimitOf = ({ perDay }: CallerLimits): number => (perDay === 0 ? Infinity : perDay);

/** Redis counts whole numbers. */
const toCountable = (limit: number): number => Math.min(limit, Number.MAX_SAFE_INTEGER);

/** Counts the request for its day of UTC on Redis, unless it is one too many. Rejects when Redis does not answer. */
export async function takeSharedDay(
  counter: DayCounter,
  { callerId, limits }: Caller,
  nowMs: number,
): Promise<LimitVerdict> {
  const limit = dayLimitOf(limits);
  const { allowed, used } = await counter.take(callerId, utcDateOf(nowMs), toCountable(limit));
  return { allowed, window: buildWindow("day", { limit, used, resetMs: endOfUtcDay(nowMs), nowMs }) };
}

/** How the days stand, without counting. Rejects when Redis does not answer. */
export async function peekSharedDays(
  counter: DayCounter,
  { callerId, limits }: Caller,
  nowMs: number,
): Promise<SharedDays> {
  const date = utcDateOf(nowMs);
  const counts = await counter.read(callerId, date);
  const used = counts.get(date) ?? 0;
  const resetMs = endOfUtcDay(nowMs);
  const window = buildWindow("day", { limit: dayLimitOf(limits), used, resetMs, nowMs });
  return { window, counts };
}
