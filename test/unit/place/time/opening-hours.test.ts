import * as fc from "fast-check";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import {
  formatOpeningRanges,
  mergeRanges,
  packHours,
  parseOpeningRanges,
  toOpeningHoursWeek,
  unpackHours,
} from "../../../../src/place/time/opening-hours.ts";
import {
  openingHoursSchema,
  openRangeSchema,
  type OpeningHours,
  type OpenRange,
} from "../../../../src/place/document/place-document.ts";

const anyRange = fc
  .tuple(fc.nat(1439), fc.integer({ min: 1, max: 1440 }))
  .map(([opens, length]): OpenRange => [opens, opens + length]);
const anyRanges = fc.array(anyRange, { maxLength: 6 });

const minutesOf = (ranges: readonly OpenRange[]): string => {
  const minutes = Array.from({ length: 2880 }, (_, minute) =>
    ranges.some(([opens, closes]) => opens <= minute && minute < closes) ? "x" : "..",
  );
  return minutes.join("");
};

describe("parseOpeningRanges", () => {
  test.each([
    "soon",
    "07:00",
    "07:00–",
    "–07:00",
    "07:00–11:00–12:00",
    "07:00–11:00,",
    "07:60–11:00",
    "25:00–26:00",
    "24:00–02:00",
    "24:01–25:00",
    "7-22",
    "13 PM–2 PM",
    "0 AM–2 AM",
    "07:00–11:00 except holidays",
    "daily 07:00–11:00",
    "Mo-Fr 07:00-11:00",
    "-",
    ",",
    "07:00--11:00",
    `${" ".repeat(600)}07:00–11:00`,
  ])("does not parse %j", (text) => {
    expect(parseOpeningRanges(text)).toBeUndefined();
  });

  test.each<[string, OpenRange[]]>([
    ["", []],
    ["  ", []],
    ["Closed", []],
    ["Đóng cửa", []],
    [
      "07:00–11:30, 13:00–22:00",
      [
        [420, 690],
        [780, 1320],
      ],
    ],
    ["07:00-22:00", [[420, 1320]]],
    ["7:00 — 22:00", [[420, 1320]]],
    ["07:00 ~ 22:00", [[420, 1320]]],
    ["07:00\u202f–\u00a022:00", [[420, 1320]]],
    ["07：00～22：00", [[420, 1320]]],
    ["7:00 to 22:00", [[420, 1320]]],
    ["7h30 đến 22h", [[450, 1320]]],
    ["6\u202fPM – 2\u202fAM", [[1080, 1560]]],
    ["7–10 PM", [[1140, 1320]]],
    ["11:30 a.m.–12 p.m.", [[690, 720]]],
    ["12 AM–12 PM", [[0, 720]]],
    ["18:00–02:00", [[1080, 1560]]],
    ["18:00–24:00", [[1080, 1440]]],
    ["18:00–00:00", [[1080, 1440]]],
    ["00:00–24:00", [[0, 1440]]],
    ["00:00–00:00", [[0, 1440]]],
    ["Mở cửa 24 giờ", [[0, 1440]]],
    ["Open 24 hours", [[0, 1440]]],
    ["Open  24 \n hours", [[0, 1440]]],
    ["24 hours", [[0, 1440]]],
    ["24/7", [[0, 1440]]],
    ["Mở cửa cả ngày", [[0, 1440]]],
    ["1:00PM–2PM", [[780, 840]]],
    [
      "13:00–22:00; 07:00–11:30",
      [
        [420, 690],
        [780, 1320],
      ],
    ],
    ["07:00–12:00, 11:00–14:00, 14:00–15:00", [[420, 900]]],
  ])("reads %j", (text, ranges) => {
    expect(parseOpeningRanges(text)).toEqual(ranges);
  });

  test("never throws, and its result can be stored", () => {
    const almostHours = fc.string({
      unit: fc.constantFrom("0", "1", "7", ":", "–", "-", " ", ",", "h", "p", "m", "to"),
    });
    fc.assert(
      fc.property(almostHours, (text) => {
        expect((parseOpeningRanges(text) ?? []).every((range) => v.is(openRangeSchema, range))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("formatOpeningRanges", () => {
  test.each<[OpenRange[], string]>([
    [[], ""],
    [[[0, 1440]], "00:00–24:00"],
    [[[1080, 1560]], "18:00–02:00"],
    [[[1080, 1440]], "18:00–24:00"],
    [
      [
        [420, 690],
        [780, 1320],
      ],
      "07:00–11:30, 13:00–22:00",
    ],
    [[[480, 1920]], "08:00–08:00"],
  ])("writes %j as %j", (ranges, text) => {
    expect(formatOpeningRanges(ranges)).toBe(text);
  });

  test("its output parses to the same ranges", () => {
    fc.assert(
      fc.property(anyRanges, (ranges) => {
        const merged = mergeRanges(ranges);
        expect(parseOpeningRanges(formatOpeningRanges(merged))).toEqual(merged);
      }),
    );
  });
});

describe("mergeRanges", () => {
  test("keeps every minute and adds none", () => {
    fc.assert(
      fc.property(anyRanges, (ranges) => {
        expect(minutesOf(mergeRanges(ranges))).toBe(minutesOf(ranges));
      }),
    );
  });

  test("orders the ranges, leaves no overlap and nothing to merge", () => {
    fc.assert(
      fc.property(anyRanges, (ranges) => {
        const merged = mergeRanges(ranges);
        expect(merged.every((range, index) => index === 0 || range[0] >= (merged[index - 1]?.[1] ?? 0))).toBe(
          true,
        );
        expect(merged.every((range) => v.is(openRangeSchema, range))).toBe(true);
        expect(mergeRanges(merged)).toEqual(merged);
      }),
    );
  });

  test("does not change its input", () => {
    const ranges: OpenRange[] = [
      [600, 700],
      [500, 650],
    ];
    mergeRanges(ranges);
    expect(ranges).toEqual([
      [600, 700],
      [500, 650],
    ]);
  });
});

describe("toOpeningHoursWeek", () => {
  test("unknown hours are seven named days without a text", () => {
    const week = toOpeningHoursWeek(null, "vi");
    expect(week).toHaveLength(7);
    expect(week[0]).toEqual({ day: "Thứ Hai", hours: "" });
    expect(week.every(({ hours }) => hours === "")).toBe(true);
  });

  test("a week begins on Monday, and special days do not show in it", () => {
    const hours = v.parse(openingHoursSchema, {
      week: [[[420, 1320]], [], [], [], [], [[1080, 1560]], [[0, 1440]]],
      special_days: [{ date: "2026-01-01", ranges: [] }],
    });
    const week = toOpeningHoursWeek(hours, "en");
    expect(week[0]).toEqual({ day: "Monday", hours: "07:00–22:00" });
    expect(week[1]).toEqual({ day: "Tuesday", hours: "" });
    expect(week[5]).toEqual({ day: "Saturday", hours: "18:00–02:00" });
    expect(week[6]).toEqual({ day: "Sunday", hours: "00:00–24:00" });
  });
});

describe("packed hours", () => {
  const DAY: OpenRange[] = [[420, 1320]];
  const weekOf = (...days: OpenRange[][]): OpenRange[][] =>
    Array.from({ length: 7 }, (_, day) => days[day] ?? days.at(-1)!);

  test.each<[string, OpeningHours | null, string]>([
    ["unknown hours are an empty text", null, ""],
    ["the same hours every day stand there once", { week: weekOf(DAY), special_days: [] }, "420-1320"],
    [
      "a day with other hours begins a new part",
      {
        week: weekOf(DAY, DAY, [
          [420, 690],
          [780, 1320],
        ]),
        special_days: [],
      },
      "420-1320;;420-690,780-1320",
    ],
    ["a closed day is not like the day before it", { week: weekOf(DAY, []), special_days: [] }, "420-1320;x"],
    ["a place that never opens is not unknown", { week: weekOf([]), special_days: [] }, "x"],
    [
      "special days follow with their dates",
      {
        week: weekOf(DAY),
        special_days: [
          { date: "2026-12-24", ranges: [[420, 720]] },
          { date: "2026-12-25", ranges: [] },
        ],
      },
      "420-1320@2026-12-24420-720@2026-12-25x",
    ],
  ])("%s", (_, hours, packed) => {
    expect(packHours(hours)).toBe(packed);
    expect(unpackHours(packed)).toEqual(hours);
  });

  test("any hours read back the same", () => {
    const anyHours = fc.record({
      week: fc.array(anyRanges.map(mergeRanges), { minLength: 7, maxLength: 7 }),
      special_days: fc.array(
        fc.record({ date: fc.constantFrom("2026-12-24", "2027-02-06"), ranges: anyRanges.map(mergeRanges) }),
        { maxLength: 2 },
      ),
    });
    fc.assert(
      fc.property(anyHours, (hours) => {
        expect(unpackHours(packHours(hours))).toEqual(hours);
      }),
    );
  });
});
