import { openStateHoldsUntilMs, type OpenStatePlace } from "./open-state.ts";

const MS_PER_MINUTE = 60_000;

/**
 * Whole seconds, `capSeconds` at most, for which everything that an answer says of these places stays true. Rounded down, so that
 * no cache is late.
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

/** Whole seconds until the next minute begins: hours are known to the minute, so until then no place opens or closes. */
export function secondsUntilNextMinute(now: Temporal.Instant): number {
  return Math.floor((MS_PER_MINUTE - (now.epochMilliseconds % MS_PER_MINUTE)) / 1000);
}
