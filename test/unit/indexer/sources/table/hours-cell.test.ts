import { expect, test } from "vitest";
import { parseHoursCell } from "../../../../../indexer/sources/table/hours-cell.ts";
import { formatOpeningRanges } from "../../../../../src/place/time/opening-hours.ts";

const daysOf = (text: string) =>
  parseHoursCell(text)?.week.map((ranges) => formatOpeningRanges(ranges) || "x");

const every = (hours: string) => Array.from({ length: 7 }, () => hours);
const week = (workdays: string, saturday: string, sunday: string) => [
  ...Array.from({ length: 5 }, () => workdays),
  saturday,
  sunday,
];

test.each([
  ["nghỉ thứ 2"],
  ["every now and then"],
  ["T2-T6"],
  ["nghỉ"],
  ["7h-22h nghỉ khi mưa"],
  ["sáng"],
  ["sáng 7h-11h, chiều"],
  ["chiều 9h-17h"],
  ["x".repeat(301)],
])("%s does not say the hours of a week", (text) => expect(parseHoursCell(text)).toBeUndefined());

test.each([
  ["T2-T6: 7h-22h, T7-CN: 8h-23h", week("07:00–22:00", "08:00–23:00", "08:00–23:00")],
  ["10h–22h T2–T6; 9h–23h T7, CN", week("10:00–22:00", "09:00–23:00", "09:00–23:00")],
  ["7h30–22h", every("07:30–22:00")],
  ["7-22", every("07:00–22:00")],
  ["cả ngày", every("00:00–24:00")],
  ["Mở cửa cả ngày", every("00:00–24:00")],
  ["T2-CN 24/24", every("00:00–24:00")],
  ["8h sáng đến 10h tối", every("08:00–22:00")],
  ["Hàng ngày từ 7h đến 22h", every("07:00–22:00")],
  ["7h-22h, nghỉ thứ 2", ["x", ...every("07:00–22:00").slice(1)]],
  ["7h-22h (nghỉ T2 và T3)", ["x", "x", ...every("07:00–22:00").slice(2)]],
  ["CN nghỉ, T2-T7 8h-17h30", week("08:00–17:30", "08:00–17:30", "x")],
  ["T2 - T6 7h-11h30, 13h30-17h; T7 7h-11h; CN: nghỉ", week("07:00–11:30, 13:30–17:00", "07:00–11:00", "x")],
  ["Thứ Hai đến Thứ Sáu 8 giờ - 17 giờ", week("08:00–17:00", "x", "x")],
  ["Mon-Fri 8am-5pm, Sat 9am-12pm", week("08:00–17:00", "09:00–12:00", "x")],
  ["18h-2h", every("18:00–02:00")],
  ["7 giờ 30 sáng đến 10 giờ tối", every("07:30–22:00")],
  ["7h30p - 22h00 phút", every("07:30–22:00")],
  ["Mở cửa 7h, đóng cửa lúc 22h", every("07:00–22:00")],
  ["8h-12h/13h-17h", every("08:00–12:00, 13:00–17:00")],
  ["0700-2200", every("07:00–22:00")],
  ["7h-22h (trừ thứ 2)", ["x", ...every("07:00–22:00").slice(1)]],
  ["7h-22h trừ CN", week("07:00–22:00", "07:00–22:00", "x")],
  ["08h00-22h00 (T2-T6); 09h00-23h00 (T7,CN)", week("08:00–22:00", "09:00–23:00", "09:00–23:00")],
  ["18h–2h sáng hôm sau", every("18:00–02:00")],
  ["sáng 7h-11h, chiều 13h-17h", every("07:00–11:00, 13:00–17:00")],
  ["Sáng: 7h30 - 11h30 Chiều: 1h30 - 5h", every("07:30–11:30, 13:30–17:00")],
  [
    "T2-T6: sáng 8h-11h30, chiều 13h-17h; T7: sáng 8h-11h",
    week("08:00–11:30, 13:00–17:00", "08:00–11:00", "x"),
  ],
  ["trưa 10h-14h, tối 17h-22h", every("10:00–14:00, 17:00–22:00")],
])("%s is %j", (text, days) => expect(daysOf(text)).toEqual(days));

test("closed on holidays is said apart from the week", () => {
  const hours = parseHoursCell("Thứ 2 - Chủ nhật 7:00-22:00, ngày lễ nghỉ");
  expect(hours?.week[0]).toEqual([[420, 1320]]);
  expect(hours?.holidays).toEqual(every("").map(() => []));
});
