import { openStateHoldsUntilMs, type OpenStatePlace } from "./open-state.ts";
import { MS_PER_MINUTE } from "./time-units.ts";

/**
 * How long everything that a response says about these places stays true, in whole seconds, at most
 * `capSeconds`. Rounded down, so that no cache keeps a response too long.
 */
export function secondsUntilChange(
  places: readonly OpenStatePlace[],
  now: Temporal.Instant,
  capSeconds: number,
): number {
  const nowMs = now.epochMilliseconds;
  const untilMs = places.map((place) => openStateHoldsUntilMs(place, now) - nowMs);
  return Math.floor(Math.min(capSeconds * 1000, ...untilMs) / 1000);
}

/**
 * Whole seconds until the next minute begins. Hours are known to the minute, so no place opens or closes
 * before then.
 */
export function secondsUntilNextMinute(now: Temporal.Instant): number {
  return Math.floor((MS_PER_MINUTE - (now.epochMilliseconds % MS_PER_MINUTE)) / 1000);
}

/** Data that is older is worth a warning: one missed monthly release, and two weeks more. */
export const MAX_AGE_DAYS = 45;
