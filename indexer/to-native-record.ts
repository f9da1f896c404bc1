import { dayName } from "../src/place/localized-texts.ts";
import { formatOpeningRanges } from "../src/place/opening-hours.ts";
import type { OpeningHours, OpenRange, PlaceDocument } from "../src/place/place-document.ts";

/** A place in the native format (docs/data-format.md): an import of it makes the same document again. */
export function toNativeRecord(place: PlaceDocument): object {
  const { opening_hours: hours, popular_times: busyness, ...rest } = place;
  return {
    ...rest,
    ...(hours && { opening_hours: toWeek(hours) }),
    ...(hours && hours.special_days.length > 0 && { special_days: toSpecialDays(hours) }),
    popular_times: toPopularTimes(busyness),
  };
}

/** Seven empty texts would mean that the hours are unknown: a week without any hour is written out. */
const CLOSED = "closed";

function toWeek({ week }: OpeningHours): { day: string; hours: string }[] {
  const isAlwaysClosed = week.every((ranges) => ranges.length === 0);
  const format = (ranges: readonly OpenRange[]): string =>
    isAlwaysClosed ? CLOSED : formatOpeningRanges(ranges);
  return week.map((ranges, index) => ({ day: dayName(index, "vi"), hours: format(ranges) }));
}

const toSpecialDays = ({ special_days: days }: OpeningHours): { date: string; hours: string }[] =>
  days.map(({ date, ranges }) => ({ date, hours: formatOpeningRanges(ranges) }));

const toPopularTimes = (days: PlaceDocument["popular_times"]) =>
  days.map((hours, index) => ({ day: dayName(index, "vi"), hours }));
