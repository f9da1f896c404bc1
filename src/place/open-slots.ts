import type { OpeningHours, PlaceDocument } from "./place-document.ts";

/**
 * A coarse copy of opening hours that can be filtered by value: the parts of a week, three hours each, in which a place is
 * open at some time. Finer parts would sift better at the edges of a day but cost the index twice the entries; what they let
 * through is checked to the minute afterwards.
 */
const SLOT_MINUTES = 180;
const MINUTES_PER_WEEK = 7 * 1440;
const SLOTS_PER_WEEK = MINUTES_PER_WEEK / SLOT_MINUTES;

const slotName = (timezone: string, slot: number): string => `${timezone} ${slot % SLOTS_PER_WEEK}`;

/**
 * The slots of a place by its week, each with the time zone whose clock it means, such as `Asia/Ho_Chi_Minh 18`; none for
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

/** The slots that hold the moment, one for each time zone; zones that are unknown here have none. */
export function slotsAt(moment: Temporal.Instant, timezones: Iterable<string>): string[] {
  return [...timezones].flatMap((timezone) => {
    const minute = minuteOfWeek(moment, timezone);
    return minute === undefined ? [] : [slotName(timezone, Math.floor(minute / SLOT_MINUTES))];
  });
}

function minuteOfWeek(moment: Temporal.Instant, timezone: string): number | undefined {
  try {
    const { dayOfWeek, hour, minute } = moment.toZonedDateTimeISO(timezone);
    return (dayOfWeek - 1) * 1440 + hour * 60 + minute;
  } catch {
    return undefined;
  }
}

/** The dates that may be today or, for what opened before midnight, yesterday somewhere on Earth (UTC−12 to UTC+14). */
export function datesAround(moment: Temporal.Instant): string[] {
  const today = moment.toZonedDateTimeISO("UTC").toPlainDate();
  return [-2, -1, 0, 1].map((days) => today.add({ days }).toString());
}
