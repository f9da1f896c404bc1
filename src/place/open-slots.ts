import type { OpeningHours, PlaceDocument } from "./place-document.ts";

/**
 * A coarse copy of opening hours that can be filtered by value: the parts of a week, three hours each, in which a place is
 * open at some time. Finer parts would sift better at the edges of a day but cost the index twice the entries; what they let
 * through is checked to the minute afterwards.
 */
const SLOT_MINUTES = 180;
const MINUTES_PER_WEEK = 7 * 1440;
const SLOTS_PER_WEEK = MINUTES_PER_WEEK / SLOT_MINUTES;

/**
 * Forty of these lie in every document, so they are short: two letters for the time zone and the slot's number. Zones that share
 * their letters only let a few too many places through.
 */
function slotName(timezone: string, slot: number): string {
  const hash = Array.from(timezone).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1296, 0);
  return `${hash.toString(36).padStart(2, "0")}${slot % SLOTS_PER_WEEK}`;
}

/**
 * The slots of a place by its week, each with the time zone whose clock it means, such as `k318`; none for
 * unknown hours and closed businesses.
 */
export function openSlotsOf(place: PlaceDocument): string[] {
  if (place.opening_hours === null || place.business_status !== "operational") return [];
  const slots = new Set(weekSlots(place.opening_hours));
  return [...slots].map((slot) => slotName(place.location.timezone, slot));
}

function weekSlots({ week }: OpeningHours): number[] {
  return week.flatMap((ranges, day) =>
    ranges.flatMap(([opens, closes]) => {
      const first = Math.floor((day * 1440 + opens) / SLOT_MINUTES);
      const last = Math.ceil((day * 1440 + closes) / SLOT_MINUTES) - 1;
      return Array.from({ length: last - first + 1 }, (_, index) => (first + index) % SLOTS_PER_WEEK);
    }),
  );
}

/**
 * The slots that hold the moment, one for each time zone; zones that are unknown here have none. While a clock that was put back
 * shows again what it showed before, what opened shortly before the change is open still: then a zone may have two.
 */
export function slotsAt(moment: Temporal.Instant, timezones: Iterable<string>): string[] {
  return [...timezones].flatMap((timezone) => {
    const slots = minutesOfWeek(moment, timezone).map((minute) => Math.floor(minute / SLOT_MINUTES));
    return [...new Set(slots)].map((slot) => slotName(timezone, slot));
  });
}

/** No clock is put back by more (Antarctica/Troll). */
const LONGEST_STEP_BACK = { hours: 2 };

const NS_PER_MINUTE = 60e9;

/** What the clock shows and, after it was put back, what it would show without that; none in an unknown time zone. */
function minutesOfWeek(moment: Temporal.Instant, timezone: string): number[] {
  try {
    const clock = moment.toZonedDateTimeISO(timezone);
    const before = moment.subtract(LONGEST_STEP_BACK).toZonedDateTimeISO(timezone);
    const minute = (clock.dayOfWeek - 1) * 1440 + clock.hour * 60 + clock.minute;
    const putBack = (before.offsetNanoseconds - clock.offsetNanoseconds) / NS_PER_MINUTE;
    return putBack > 0 ? [minute, minute + putBack] : [minute];
  } catch {
    return [];
  }
}

/** The dates that may be today or, for what opened before midnight, yesterday somewhere on Earth (UTC−12 to UTC+14). */
export function datesAround(moment: Temporal.Instant): string[] {
  const today = moment.toZonedDateTimeISO("UTC").toPlainDate();
  return [-2, -1, 0, 1].map((days) => today.add({ days }).toString());
}
