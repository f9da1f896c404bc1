import { describe, expect, test } from "vitest";
import type { NoteField } from "../../../../../indexer/clean/place-draft.ts";
import { readHours } from "../../../../../indexer/sources/native/native-hours.ts";

const DAYS = ["Thứ Hai", "Thứ Ba", "Thứ Tư", "Thứ Năm", "Thứ Sáu", "Thứ Bảy", "Chủ Nhật"];

function read(values: Record<string, unknown>) {
  const notes: string[] = [];
  const note: NoteField = (field, kind) => notes.push(`${field}: ${kind}`);
  return { hours: readHours({ values, path: "", note }), notes };
}

const week = (hours: string[]) => hours.map((text, index) => ({ day: DAYS[index], hours: text }));

describe("readHours", () => {
  test.each([
    ["no field", {}],
    ["null", { opening_hours: null }],
    ["an empty list", { opening_hours: [] }],
    [
      "seven empty texts, the API's own word for unknown",
      { opening_hours: week(["", "", "", "", "", "", ""]) },
    ],
  ])("%s means unknown hours, without a note", (_, values) => {
    expect(read(values)).toEqual({ hours: null, notes: [] });
  });

  test.each([
    ["a text instead of a list", "08:00–22:00", "opening_hours: not of the documented form"],
    ["hours that are no hours", week(["soon", "", "", "", "", "", ""]), "opening_hours: not understood"],
    ["a day without hours", [{ day: "Thứ Hai" }], "opening_hours: not understood"],
    [
      "three days without names",
      [{ hours: "08:00–09:00" }, { hours: "" }, { hours: "" }],
      "opening_hours: not understood",
    ],
    [
      "a day that is none among others",
      [...week(["08:00–09:00"]), { day: "Someday", hours: "" }],
      "opening_hours: not understood",
    ],
  ])("%s makes the hours unknown and is noted", (_, openingHours, note) => {
    expect(read({ opening_hours: openingHours })).toEqual({ hours: null, notes: [note] });
  });

  test("days may be in any order, and a missing day is closed", () => {
    const opening_hours = [
      { day: "Sunday", hours: "09:00–12:00" },
      { day: "Thứ Hai", hours: "18:00–02:00" },
    ];
    expect(read({ opening_hours }).hours?.week).toEqual([[[1080, 1560]], [], [], [], [], [], [[540, 720]]]);
  });

  test("seven days with unknown names are taken by position, Monday first", () => {
    const opening_hours = ["lun", "mar", "mer", "jeu", "ven", "sam", "dim"].map((day, index) => ({
      day,
      hours: index < 5 ? "08:00–12:00, 13:00–17:00" : "",
    }));
    const weekday = [
      [480, 720],
      [780, 1020],
    ];
    expect(read({ opening_hours }).hours?.week).toEqual([
      weekday,
      weekday,
      weekday,
      weekday,
      weekday,
      [],
      [],
    ]);
  });

  test("two entries of a day are two ranges", () => {
    const opening_hours = [
      { day: "Mon", hours: "13:00–17:00" },
      { day: "Mon", hours: "08:00–12:00" },
    ];
    expect(read({ opening_hours }).hours?.week[0]).toEqual([
      [480, 720],
      [780, 1020],
    ]);
  });

  test("a special day replaces its date, PH stands for all public holidays, and the later entry of a date counts", () => {
    const { hours, notes } = read({
      opening_hours: week(["08:00–17:00", "", "", "", "", "", ""]),
      special_days: [
        { date: "2026-12-24", hours: "08:00–09:00" },
        { date: "2026-12-24", hours: "08:00–12:00" },
        { date: "PH", hours: "" },
      ],
    });
    expect(notes).toEqual([]);
    expect(hours?.special_days).toEqual([{ date: "2026-12-24", ranges: [[480, 720]] }]);
    expect(hours?.holidays).toEqual([[], [], [], [], [], [], []]);
  });

  test.each(["2026-02-30", "24.12.2026", "2026-12", "", 20_261_224])(
    "%s is no date of a special day",
    (date) => {
      const { hours, notes } = read({
        opening_hours: week(["08:00–17:00", "", "", "", "", "", ""]),
        special_days: [{ date, hours: "" }],
      });
      expect(hours?.special_days).toEqual([]);
      expect(notes).toContain("special_days[]: not of the documented form");
    },
  );

  test("special days alone say nothing about the other days and are dropped with a note", () => {
    expect(read({ special_days: [{ date: "PH", hours: "" }] })).toEqual({
      hours: null,
      notes: ["special_days: dropped, they need opening_hours"],
    });
  });
});
