import { describe, expect, test } from "vitest";
import { parseOsmHours } from "../../../../../indexer/sources/osm/opening-hours.ts";
import { TODAY } from "../../text-input.ts";

const parse = (text: string) => parseOsmHours(text, TODAY);

const everyDay = (...ranges: [number, number][]) => Array.from({ length: 7 }, () => ranges);

const weekdays = (...ranges: [number, number][]) => [ranges, ranges, ranges, ranges, ranges, [], []];

describe("unreadable hours", () => {
  test.each([
    "From 9 A.M to 11 P.M everyday",
    "T2-CN 7h-22h",
    "Mo-Su",
    "Mo-Fr",
    "by appointment",
    "08:00-12:00; SH off",
    "2020 Mo-Su 08:00-09:00",
    "Mo-Su 25:00-26:00",
    "0",
    "Mo-Su 08:00-".repeat(200),
    `${" ".repeat(24)}1`,
    "20262026 Jan 1",
  ])("%.40s", (text) => {
    expect(parse(text)).toEqual({ hours: null, loss: "not understood" });
  });
});

describe("a regular week", () => {
  test.each<[string, [number, number][][]]>([
    ["24/7", everyDay([0, 1440])],
    ['  Mo-Su   08:00-12:00\nopen "call 0905123456"', everyDay([480, 720])],
    ["Mo-Su 00:00-24:00", everyDay([0, 1440])],
    ["Mo-Su 06:30-23:00", everyDay([390, 1380])],
    ["06:30-23:00", everyDay([390, 1380])],
    ["Mo-Fr 08:00-12:00,13:00-17:00", weekdays([480, 720], [780, 1020])],
    ["18:00-02:00", everyDay([1080, 1560])],
    ["Fr,Sa 22:00-04:00", [[], [], [], [], [[1320, 1680]], [[1320, 1680]], []]],
    [
      "Mo 08:00-24:00; Tu 00:00-24:00; We 00:00-06:00",
      [[[480, 1440]], [[0, 1440]], [[0, 360]], [], [], [], []],
    ],
    ["Mo-Su 08:00-08:00", everyDay([0, 1440])],
    ["7am-10pm", everyDay([420, 1320])],
    ["7h30-22h", everyDay([450, 1320])],
    ["Mo-Su 08:00-20:00; Su off", [...everyDay([480, 1200]).slice(0, 6), []]],
  ])("%s", (text, week) => {
    expect(parse(text)).toEqual({ hours: { week, special_days: [] } });
  });
});

describe("public holidays", () => {
  test("closing on them is kept until the country is resolved", () => {
    expect(parse("Mo-Fr 08:00-17:00; PH off").hours).toEqual({
      week: weekdays([480, 1020]),
      special_days: [],
      holidays: everyDay(),
    });
  });

  test("special hours are also kept", () => {
    expect(parse("Mo-Fr 08:00-17:00; PH 10:00-14:00").hours?.holidays).toEqual(everyDay([600, 840]));
  });

  test("a place open on holidays as usual has no entry for them", () => {
    expect(parse("PH,Mo-Su 08:00-22:00")).toEqual({
      hours: { week: everyDay([480, 1320]), special_days: [] },
    });
  });

  test("a night before a holiday does not change the week", () => {
    expect(parse("Mo-Su 22:00-06:00; PH off").hours?.week).toEqual(everyDay([1320, 1800]));
  });
});

describe("an open end", () => {
  test.each([
    ["Mo-Su 12:00+", 720, 1440],
    ["Mo-Su 18:00-22:00+", 1080, 1320],
  ])("of %j is simplified without closing the place for the evening", (text, opens, closes) => {
    expect(parse(text)).toEqual({
      hours: { week: everyDay([opens, closes]), special_days: [] },
      loss: "simplified",
    });
  });
});

describe("weeks that differ", () => {
  test("a closed date is a special day", () => {
    expect(parse("Mo-Su 08:00-17:00; Dec 25 off")).toEqual({
      hours: { week: everyDay([480, 1020]), special_days: [{ date: "2026-12-25", ranges: [] }] },
    });
  });

  test("the first Saturday of every month is twelve or thirteen special days of the coming year", () => {
    const { hours, loss } = parse("Mo-Sa 08:00-18:00; Sa[1] off");
    expect(loss).toBeUndefined();
    expect(hours?.week[5]).toEqual([[480, 1080]]);
    expect(hours?.special_days.map(({ date }) => date).slice(0, 3)).toEqual([
      "2026-12-05",
      "2027-01-02",
      "2027-02-06",
    ]);
    expect(hours?.special_days.length).toBeGreaterThanOrEqual(12);
  });

  test("the current season becomes the week, with a note", () => {
    const { hours, loss } = parse("Apr-Oct: Mo-Su 09:00-18:00; Nov-Mar: Mo-Su 10:00-16:00");
    expect(hours?.week).toEqual(everyDay([600, 960]));
    expect(hours?.special_days[0]).toEqual({ date: "2027-04-01", ranges: [[540, 1080]] });
    expect(loss).toBe("simplified");
  });

  test.each(["sunrise-sunset", 'Mo-Fr 10:00-18:00 || "on demand"', "Mo-Fr 10:00-18:00,20:00+"])(
    "%s is simplified",
    (text) => {
      const { hours, loss } = parse(text);
      expect(loss).toBe("simplified");
      expect(hours?.week[0]).not.toEqual([]);
    },
  );
});
