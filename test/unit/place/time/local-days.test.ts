import { describe, expect, test } from "vitest";
import {
  readLocalDays,
  TODAY,
  toEpochMs,
  type LocalDay,
  type LocalDays,
} from "../../../../src/place/time/local-days.ts";

const at = (moment: string): number => Temporal.ZonedDateTime.from(moment).epochMilliseconds;

function daysAt(moment: string): LocalDays {
  const { timeZoneId, epochMilliseconds } = Temporal.ZonedDateTime.from(moment);
  const days = readLocalDays(timeZoneId, epochMilliseconds);
  if (days === undefined) throw new Error(`no days in ${timeZoneId}`);
  return days;
}

const dateAt = (moment: string, index: number): string | undefined => daysAt(moment).days[index]?.date;
const wallClock = (timezone: string, epochMs: number): string =>
  Temporal.Instant.fromEpochMilliseconds(epochMs)
    .toZonedDateTimeISO(timezone)
    .toString({ timeZoneName: "never", smallestUnit: "minute" });

describe("the local days", () => {
  test("begin with yesterday and reach ten days ahead", () => {
    const { days } = daysAt("2026-11-20T12:00[Asia/Ho_Chi_Minh]");
    expect(days[TODAY - 1]?.date).toBe("2026-11-19");
    expect(days[TODAY]?.date).toBe("2026-11-20");
    expect(days.at(-1)?.date).toBe("2026-11-30");
  });

  test("have their weekdays, Monday first, and begin at midnight of the place", () => {
    const { days } = daysAt("2026-11-20T12:00[Asia/Ho_Chi_Minh]");
    expect(days[TODAY]).toEqual<LocalDay>({
      date: "2026-11-20",
      weekday: 4,
      startMs: at("2026-11-20T00:00[Asia/Ho_Chi_Minh]"),
      hasEvenClock: true,
    });
    expect(days.map(({ weekday }) => weekday)).toEqual(
      [3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 0, 1].slice(0, days.length),
    );
  });

  test.each([
    ["Asia/Ho_Chi_Minh", "17:00 UTC"],
    ["Asia/Kolkata", "half past the hour of UTC"],
    ["Asia/Kathmandu", "a quarter past the hour of UTC"],
  ])("change at midnight in %s, at %s, whatever was read in the same hour", (timezone) => {
    const midnight = at(`2026-11-21T00:00[${timezone}]`);
    const dateOf = (epochMs: number) => readLocalDays(timezone, epochMs)?.days[TODAY]?.date;
    expect(dateOf(midnight - 1)).toBe("2026-11-20");
    expect(dateOf(midnight)).toBe("2026-11-21");
    expect(dateOf(midnight - 1)).toBe("2026-11-20");
    expect(dateOf(midnight + 86_399_999)).toBe("2026-11-21");
  });

  test("are computed once an hour", () => {
    const one = daysAt("2026-11-20T12:00[Asia/Tokyo]");
    expect(daysAt("2026-11-20T12:59:59.999[Asia/Tokyo]")).toBe(one);
    expect(daysAt("2026-11-20T12:00[Asia/Seoul]")).not.toBe(one);
  });

  test("are unknown in an unknown time zone", () => {
    expect(readLocalDays("Asia/Nowhere", 0)).toBeUndefined();
    expect(readLocalDays("Asia/Nowhere", 0)).toBeUndefined();
  });

  test("are correct after more hours than the cache keeps", () => {
    for (let hour = 0; hour < 1_200; hour += 1) readLocalDays("Asia/Manila", hour * 3_600_000);
    expect(dateAt("1970-01-01T12:00[Asia/Manila]", TODAY)).toBe("1970-01-01");
  });

  test("have an uneven clock only on days with a change of the clock", () => {
    const uneven = (moment: string) =>
      daysAt(moment)
        .days.filter(({ hasEvenClock }) => !hasEvenClock)
        .map(({ date }) => date);
    expect(uneven("2026-03-25T12:00[Europe/Berlin]")).toEqual(["2026-03-29"]);
    expect(uneven("2026-10-20T12:00[Europe/Berlin]")).toEqual(["2026-10-25"]);
    expect(uneven("2026-10-20T12:00[Asia/Ho_Chi_Minh]")).toEqual([]);
  });
});

describe("the moment of a minute", () => {
  const spring = daysAt("2026-03-28T12:00[Europe/Berlin]");
  const autumn = daysAt("2026-10-24T12:00[Europe/Berlin]");

  test.each([
    ["the first of the day", 0, "2026-03-28T00:00+01:00"],
    ["one of the day", 90, "2026-03-28T01:30+01:00"],
    ["the last of the day", 1439, "2026-03-28T23:59+01:00"],
    ["midnight at its end", 1440, "2026-03-29T00:00+01:00"],
    ["the night after it", 1440 + 119, "2026-03-29T01:59+01:00"],
    ["one that the clock jumps over", 1440 + 150, "2026-03-29T03:00+02:00"],
    ["the one it jumps to", 1440 + 180, "2026-03-29T03:00+02:00"],
    ["one after the jump", 1440 + 601, "2026-03-29T10:01+02:00"],
  ])("is that of the clock on the wall: %s", (_, minute, expected) => {
    expect(wallClock("Europe/Berlin", toEpochMs(spring, TODAY, minute))).toBe(expected);
  });

  test("that comes twice is the first", () => {
    expect(wallClock("Europe/Berlin", toEpochMs(autumn, TODAY + 1, 150))).toBe("2026-10-25T02:30+02:00");
    expect(wallClock("Europe/Berlin", toEpochMs(autumn, TODAY + 1, 210))).toBe("2026-10-25T03:30+01:00");
  });

  test("beyond the known days is undefined", () => {
    const last = spring.days.length - 1;
    expect(toEpochMs(spring, last, 1439)).toBeLessThan(Infinity);
    expect(toEpochMs(spring, last, 1440)).toBe(Infinity);
    expect(toEpochMs(spring, last + 1, 0)).toBe(Infinity);
  });
});
