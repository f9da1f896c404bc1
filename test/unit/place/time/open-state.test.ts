import { describe, expect, test } from "vitest";
import {
  isOpenAt,
  nextChange,
  readOpenState,
  type OpenStatePlace,
} from "../../../../src/place/time/open-state.ts";
import type { OpenRange } from "../../../../src/place/document/place-document.ts";

const CLOSED = { is_open_now: false, text: "" };

interface Hours {
  /** By the day's place in the week, 0 is Monday; days that are not named are closed. */
  readonly week?: Readonly<Record<number, OpenRange[]>>;
  readonly daily?: OpenRange[];
  readonly special?: Readonly<Record<string, OpenRange[]>>;
  readonly timezone?: string;
}

function buildPlace({
  week = {},
  daily = [],
  special = {},
  timezone = "Asia/Ho_Chi_Minh",
}: Hours): OpenStatePlace {
  return {
    business_status: "operational",
    location: { timezone },
    opening_hours: {
      week: Array.from({ length: 7 }, (_, day) => week[day] ?? daily),
      special_days: Object.entries(special).map(([date, ranges]) => ({ date, ranges })),
    },
  };
}

/** A moment as the clock at the place shows it. 2026-03-02 is a Monday. */
const at = (clock: string, timezone = "Asia/Ho_Chi_Minh"): Temporal.Instant =>
  Temporal.PlainDateTime.from(clock).toZonedDateTime(timezone).toInstant();

const clockOf = (instant: Temporal.Instant | undefined, timezone = "Asia/Ho_Chi_Minh"): string | undefined =>
  instant?.toZonedDateTimeISO(timezone).toPlainDateTime().toString({ smallestUnit: "minute" });

const allDay = buildPlace({ daily: [[0, 1440]] });

describe("is not open and has no text", () => {
  test.each<[string, OpenStatePlace]>([
    ["with unknown hours", { ...allDay, opening_hours: null }],
    ["when closed for good", { ...allDay, business_status: "closed_permanently" }],
    ["when closed for a while", { ...allDay, business_status: "closed_temporarily" }],
    ["in an unknown time zone", { ...allDay, location: { timezone: "Asia/Nowhere" } }],
    ["in a time zone that is an empty text", { ...allDay, location: { timezone: "" } }],
    ["when every day is closed", buildPlace({})],
    ["on a special day without ranges", buildPlace({ daily: [[0, 1440]], special: { "2026-03-02": [] } })],
  ])("%s", (_, place) => {
    expect(readOpenState(place, at("2026-03-02T12:00"), "vi")).toEqual(CLOSED);
    expect(isOpenAt(place, at("2026-03-02T12:00"))).toBe(false);
  });

  test("beyond the last day of the calendar", () => {
    expect(readOpenState(allDay, Temporal.Instant.from("+275760-09-12T00:00Z"), "vi")).toEqual(CLOSED);
  });
});

describe("a day with a lunch break", () => {
  const place = buildPlace({
    week: {
      0: [
        [420, 690],
        [780, 1320],
      ],
    },
  });

  test.each([
    ["2026-03-02T06:59", false, "2026-03-02T07:00"],
    ["2026-03-02T07:00", true, "2026-03-02T11:30"],
    ["2026-03-02T11:29:59.999", true, "2026-03-02T11:30"],
    ["2026-03-02T11:30", false, "2026-03-02T13:00"],
    ["2026-03-02T21:59", true, "2026-03-02T22:00"],
    ["2026-03-02T22:00", false, "2026-03-09T07:00"],
  ])("at %s it is open: %s, until %s", (clock, isOpen, change) => {
    expect(isOpenAt(place, at(clock))).toBe(isOpen);
    expect(clockOf(nextChange(place, at(clock)))).toBe(change);
  });

  test("says when it closes for lunch, and in the evening", () => {
    expect(readOpenState(place, at("2026-03-02T08:00"), "vi").text).toBe("Đang mở cửa · Đóng cửa lúc 11:30");
    expect(readOpenState(place, at("2026-03-02T15:00"), "vi").text).toBe("Đang mở cửa · Đóng cửa lúc 22:00");
    expect(readOpenState(place, at("2026-03-02T15:00"), "en").text).toBe("Open · Closes 10:00 PM");
  });

  test("the same moment is another time of day elsewhere", () => {
    const inBerlin = { ...place, location: { timezone: "Europe/Berlin" } };
    const moment = at("2026-03-02T12:30");
    expect(isOpenAt(place, moment)).toBe(false);
    expect(isOpenAt(inBerlin, moment)).toBe(false);
    expect(isOpenAt(inBerlin, moment.add({ hours: 1, minutes: 30 }))).toBe(true);
  });
});

describe("a night", () => {
  const bar = buildPlace({ week: { 4: [[1080, 1560]] } });

  test.each([
    ["2026-03-06T01:59", false],
    ["2026-03-06T18:00", true],
    ["2026-03-07T00:00", true],
    ["2026-03-07T01:59", true],
    ["2026-03-07T02:00", false],
    ["2026-03-08T01:00", false],
  ])("an overnight range of yesterday still counts after midnight: %s is %s", (clock, isOpen) => {
    expect(isOpenAt(bar, at(clock))).toBe(isOpen);
  });

  test("names the day only if the closing time is not today", () => {
    expect(readOpenState(bar, at("2026-03-06T23:00"), "vi").text).toBe(
      "Đang mở cửa · Đóng cửa lúc 02:00 Thứ Bảy",
    );
    expect(readOpenState(bar, at("2026-03-06T23:00"), "en").text).toBe("Open · Closes 2:00 AM Saturday");
    expect(readOpenState(bar, at("2026-03-07T01:00"), "vi").text).toBe("Đang mở cửa · Đóng cửa lúc 02:00");
  });

  test("midnight ends today", () => {
    const place = buildPlace({ week: { 4: [[1080, 1440]] } });
    expect(readOpenState(place, at("2026-03-06T23:00"), "vi").text).toBe("Đang mở cửa · Đóng cửa lúc 24:00");
    expect(readOpenState(place, at("2026-03-06T23:00"), "en").text).toBe("Open · Closes 12:00 AM");
    expect(isOpenAt(place, at("2026-03-07T00:00"))).toBe(false);
  });

  test("a midnight of another day is named as its first moment", () => {
    const place = buildPlace({ week: { 4: [[0, 1440]], 5: [[0, 1440]] } });
    expect(readOpenState(place, at("2026-03-06T12:00"), "en").text).toBe("Open · Closes 12:00 AM Sunday");
  });

  test("from one midnight to the next, ranges follow on each other", () => {
    const place = buildPlace({
      week: {
        4: [[480, 1440]],
        5: [
          [0, 120],
          [120, 180],
        ],
      },
    });
    expect(readOpenState(place, at("2026-03-06T09:00"), "en").text).toBe("Open · Closes 3:00 AM Saturday");
    expect(clockOf(nextChange(place, at("2026-03-06T09:00")))).toBe("2026-03-07T03:00");
  });

  test("an overnight range that runs into the next morning's range closes when that one does", () => {
    const place = buildPlace({ week: { 4: [[1080, 1800]], 5: [[300, 600]] } });
    expect(clockOf(nextChange(place, at("2026-03-06T20:00")))).toBe("2026-03-07T10:00");
  });
});

describe("around the clock", () => {
  test("has no closing time and no next change", () => {
    expect(readOpenState(allDay, at("2026-03-06T09:00"), "vi")).toEqual({
      is_open_now: true,
      text: "Mở cửa 24 giờ",
    });
    expect(readOpenState(allDay, at("2026-03-06T09:00"), "en").text).toBe("Open 24 hours");
    expect(nextChange(allDay, at("2026-03-06T09:00"))).toBeUndefined();
  });

  test("ends where a special day within eight days ends it", () => {
    const place = buildPlace({ daily: [[0, 1440]], special: { "2026-03-11": [] } });
    expect(readOpenState(place, at("2026-03-06T09:00"), "vi").text).toBe(
      "Đang mở cửa · Đóng cửa lúc 00:00 Thứ Tư",
    );
    expect(clockOf(nextChange(place, at("2026-03-06T09:00")))).toBe("2026-03-11T00:00");
    expect(clockOf(nextChange(place, at("2026-03-11T09:00")))).toBe("2026-03-12T00:00");
  });

  test("ignores a change more than eight days ahead", () => {
    const place = buildPlace({ special: { "2026-03-14": [[540, 600]] } });
    expect(nextChange(place, at("2026-03-06T08:59"))).toBeUndefined();
    expect(clockOf(nextChange(place, at("2026-03-06T09:00")))).toBe("2026-03-14T09:00");
  });
});

describe("special days", () => {
  const bar = buildPlace({
    daily: [[1080, 1560]],
    special: { "2026-03-06": [], "2026-03-08": [[600, 1620]] },
  });

  test.each([
    ["2026-03-06T01:00", true, "the night before reaches into it"],
    ["2026-03-06T20:00", false, "it replaces that day's range"],
    ["2026-03-07T01:00", false, "it has no night of its own"],
    ["2026-03-08T12:00", true, "its own range counts"],
    ["2026-03-09T02:30", true, "its own range reaches into the next day"],
    ["2026-03-10T02:30", false, "the next day is as ever"],
  ])("%s: open is %s, since %s", (clock, isOpen) => {
    expect(isOpenAt(bar, at(clock))).toBe(isOpen);
  });
});

describe("when the clocks change", () => {
  const timezone = "Europe/Berlin";
  const bar = buildPlace({ daily: [[1320, 1680]], timezone });
  const hoursOpen = (from: string): number => {
    const opening = at(from, timezone);
    const closing = nextChange(bar, opening);
    return closing === undefined ? Number.NaN : closing.since(opening).total("hours");
  };

  test("a night from 22:00 to 04:00 is an hour shorter in spring and longer in autumn", () => {
    expect(hoursOpen("2026-03-27T22:00")).toBe(6);
    expect(hoursOpen("2026-03-28T22:00")).toBe(5);
    expect(hoursOpen("2026-10-24T22:00")).toBe(7);
  });

  test("a time that the clock jumps over is the moment of the jump", () => {
    const place = buildPlace({ daily: [[60, 150]], timezone });
    expect(nextChange(place, at("2026-03-29T01:30", timezone))?.toString()).toBe("2026-03-29T01:00:00Z");
    const early = buildPlace({ daily: [[150, 300]], timezone });
    expect(nextChange(early, at("2026-03-29T01:30", timezone))?.toString()).toBe("2026-03-29T01:00:00Z");
  });

  test("a range that the clock jumps over whole does not open", () => {
    const place = buildPlace({ daily: [[130, 170]], timezone });
    expect(nextChange(place, at("2026-03-29T01:00", timezone))?.toString()).toBe("2026-03-30T00:10:00Z");
  });

  test("a time that comes twice counts the first time, and the place does not open again", () => {
    const place = buildPlace({ daily: [[60, 150]], timezone });
    const firstHalfPastTwo = Temporal.Instant.from("2026-10-25T00:30Z");
    expect(nextChange(place, at("2026-10-25T01:30", timezone))).toEqual(firstHalfPastTwo);
    expect(isOpenAt(place, firstHalfPastTwo.subtract({ minutes: 1 }))).toBe(true);
    expect(isOpenAt(place, Temporal.Instant.from("2026-10-25T01:15Z"))).toBe(false);
  });

  test("a day that begins at one o'clock is today", () => {
    const place = buildPlace({ daily: [[0, 120]], timezone: "Africa/Cairo" });
    expect(nextChange(place, at("2026-04-23T23:30", "Africa/Cairo"))?.toString()).toBe(
      "2026-04-23T22:00:00Z",
    );
    expect(isOpenAt(place, at("2026-04-24T01:00", "Africa/Cairo"))).toBe(true);
    expect(isOpenAt(place, at("2026-04-24T02:00", "Africa/Cairo"))).toBe(false);
  });
});
