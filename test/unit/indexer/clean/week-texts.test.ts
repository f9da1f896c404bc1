import { describe, expect, test } from "vitest";
import { parseWeekTexts } from "../../../../indexer/clean/day-text.ts";

const days = (week: Record<string, string>) =>
  Object.entries(week).map(([day, text]) => ({ day, texts: [text] }));

describe("parseWeekTexts", () => {
  test.each([
    ["unknown", {}],
    ["unknown", { Monday: "", Tuesday: " " }],
    ["not a day of the week", { Monday: "9 AM–5 PM", Someday: "9 AM–5 PM" }],
    ["not understood", { Monday: "9 AM–5 PM", Tuesday: "by appointment" }],
  ])("says that a week is %s", (problem, week) => {
    expect(parseWeekTexts(days(week))).toEqual({ problem });
  });

  test.each([
    [{ monday: "9 AM–5 PM", SUNDAY: "10 AM–2 PM" }],
    [{ "Chủ Nhật": "10:00–14:00", "thứ hai": "09:00–17:00", "Thứ Ba": "Đóng cửa" }],
    [{ "Monday (Labour Day)": "9 AM–5 PM", Sunday: "10 AM–2 PM" }],
  ])("%j is a Monday and a Sunday, closed between", (week) => {
    expect(parseWeekTexts(days(week))).toEqual({
      week: [[[540, 1020]], [], [], [], [], [], [[600, 840]]],
    });
  });

  test("several texts of a day are joined", () => {
    expect(parseWeekTexts([{ day: "Friday", texts: ["8–11 AM", "1–5 PM"] }])).toMatchObject({
      week: {
        4: [
          [480, 660],
          [780, 1020],
        ],
      },
    });
  });
});
