import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  isOpenAt,
  nextChange,
  readOpenState,
  type OpenStatePlace,
} from "../../../../src/place/time/open-state.ts";
import { mergeRanges } from "../../../../src/place/time/opening-hours.ts";
import type { OpeningHours, OpenRange } from "../../../../src/place/document/place-document.ts";

/**
 * The oracle walks a clock minute by minute through twelve days. It knows nothing of how wall times are resolved: a range
 * begins at the first minute on which the clock shows its opening time or a later one, and ends likewise.
 */

const MINUTE_MS = 60_000;
const DAYS = 12;

interface WallMinute {
  readonly epochMs: number;
  /** Minutes since an arbitrary day, as the clock shows them. */
  readonly shown: number;
}

interface Wall {
  readonly firstDate: Temporal.PlainDate;
  readonly minutes: readonly WallMinute[];
}

function walkClock(timezone: string, firstDay: string): Wall {
  const firstDate = Temporal.PlainDate.from(firstDay);
  const startMs = firstDate.toZonedDateTime(timezone).epochMilliseconds;
  const minutes = Array.from({ length: DAYS * 1440 }, (_, index) => {
    const epochMs = startMs + index * MINUTE_MS;
    const local = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(timezone);
    const day = firstDate.until(local.toPlainDate()).days;
    return { epochMs, shown: day * 1440 + local.hour * 60 + local.minute };
  });
  return { firstDate, minutes };
}

/** Open or not for each minute of the walk. */
function walkHours({ firstDate, minutes }: Wall, hours: OpeningHours): boolean[] {
  const isOpen = minutes.map(() => false);
  const firstShowing = (shown: number): number => {
    const index = minutes.findIndex((minute) => minute.shown >= shown);
    return index === -1 ? minutes.length : index;
  };
  for (let day = 0; day < DAYS; day++) {
    const date = firstDate.add({ days: day });
    const special = hours.special_days.find((candidate) => candidate.date === date.toString());
    for (const [opens, closes] of special?.ranges ?? hours.week[date.dayOfWeek - 1] ?? []) {
      isOpen.fill(true, firstShowing(day * 1440 + opens), firstShowing(day * 1440 + closes));
    }
  }
  return isOpen;
}

const WALLS = [
  { name: "Ho Chi Minh City", timezone: "Asia/Ho_Chi_Minh", firstDay: "2026-02-14" },
  { name: "Berlin in spring", timezone: "Europe/Berlin", firstDay: "2026-03-27" },
  { name: "Berlin in autumn", timezone: "Europe/Berlin", firstDay: "2026-10-23" },
  { name: "New York in spring", timezone: "America/New_York", firstDay: "2026-03-06" },
  { name: "New York in autumn", timezone: "America/New_York", firstDay: "2026-10-30" },
  { name: "Cairo, where midnight is skipped", timezone: "Africa/Cairo", firstDay: "2026-04-22" },
  {
    name: "Lord Howe Island, which moves half an hour",
    timezone: "Australia/Lord_Howe",
    firstDay: "2026-04-03",
  },
  { name: "Kathmandu", timezone: "Asia/Kathmandu", firstDay: "2026-03-27" },
];

/** Many ranges near the hours at which clocks are changed, many whole days, many edges that meet. */
const anyMinute = fc.oneof(fc.constantFrom(0, 60, 90, 120, 150, 180, 240, 720, 1380), fc.nat(1439));
const anyLength = fc.oneof(fc.constantFrom(30, 60, 1380, 1440), fc.integer({ min: 1, max: 1440 }));
const anyDay = fc
  .array(fc.tuple(anyMinute, anyLength), { maxLength: 3 })
  .map((ranges) => mergeRanges(ranges.map(([opens, length]): OpenRange => [opens, opens + length])));
const anyWeek = fc.array(fc.oneof(anyDay, fc.constant<OpenRange[]>([[0, 1440]])), {
  minLength: 7,
  maxLength: 7,
});

test.each(WALLS)("agrees with a clock walked minute by minute: $name", ({ timezone, firstDay }) => {
  const wall = walkClock(timezone, firstDay);
  const anySpecialDays = fc.uniqueArray(fc.record({ day: fc.nat(DAYS - 1), ranges: anyDay }), {
    maxLength: 3,
    selector: ({ day }) => day,
  });
  fc.assert(
    fc.property(
      anyWeek,
      anySpecialDays,
      fc.array(fc.integer({ min: 1440, max: 3 * 1440 })),
      (week, specialDays, samples) => {
        const hours: OpeningHours = {
          week,
          special_days: specialDays.map(({ day, ranges }) => ({
            date: wall.firstDate.add({ days: day }).toString(),
            ranges,
          })),
        };
        const place: OpenStatePlace = {
          business_status: "operational",
          location: { timezone },
          opening_hours: hours,
        };
        const isOpen = walkHours(wall, hours);
        const edges = isOpen.flatMap((open, index) =>
          index >= 1440 && index < 3 * 1440 && open !== isOpen[index - 1] ? [index - 1, index] : [],
        );
        for (const index of [...samples, ...edges]) expectAgreement(place, wall, isOpen, index);
      },
    ),
    { numRuns: 25 },
  );
});

function expectAgreement(place: OpenStatePlace, wall: Wall, isOpen: readonly boolean[], index: number): void {
  const epochMs = wall.minutes[index]?.epochMs ?? Number.NaN;
  // Any millisecond of a minute is as its first.
  const now = Temporal.Instant.fromEpochMilliseconds(epochMs + (index % 2) * (MINUTE_MS - 1));
  const changeIndex = isOpen.findIndex((open, later) => later > index && open !== isOpen[index]);
  const changeMs = wall.minutes[changeIndex]?.epochMs ?? Number.POSITIVE_INFINITY;
  const isInSight = changeMs - now.epochMilliseconds <= 8 * 86_400_000;

  expect(isOpenAt(place, now)).toBe(isOpen[index]);
  expect(nextChange(place, now)?.epochMilliseconds).toBe(isInSight ? changeMs : undefined);
  const state = readOpenState(place, now, "en");
  expect(state.is_open_now).toBe(isOpen[index]);
  expect(state.text === "").toBe(!state.is_open_now);
  expect(state.text === "Open 24 hours").toBe(state.is_open_now && !isInSight);
}
