import { expect, test } from "vitest";
import { parseDay } from "../../../../../indexer/sources/native/native-hours.ts";

test.each([
  ["Thứ Hai", 0],
  ["thứ hai", 0],
  ["Thu Ba", 1],
  ["Thứ 4", 2],
  ["T5", 3],
  ["Friday", 4],
  ["SAT", 5],
  ["Chủ Nhật", 6],
  ["Chủ nhật".normalize("NFD"), 6],
  ["CN", 6],
])("%s is day %i of the week", (name, index) => {
  expect(parseDay(name)).toBe(index);
});

test.each(["", "Lundi", "Thứ Tám", "T1", "__proto__", "toString"])("%s is no day", (name) => {
  expect(parseDay(name)).toBeUndefined();
});
