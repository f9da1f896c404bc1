import { expect, test } from "vitest";
import { areOtherHouses, houseNumbersOf } from "../../../src/same-place/contacts.ts";

test.each([
  ["", []],
  ["Hàng Bè", []],
  ["Ngõ 12 Láng Hạ", []],
  ["Đường 3 Tháng 2", []],
  ["3 Tháng 2", []],
  ["30 tháng 4", []],
  ["12th Street", []],
  ["12 Hàng Bè", ["12"]],
  ["12A Hàng Bè", ["12a"]],
  ["12", ["12"]],
  ["Số 12, Hàng Bè", ["12"]],
  ["SỐ NHÀ 12 Hàng Bè", ["12"]],
  ["12/3/5 Nguyễn Trãi", ["12/3/5"]],
  ["12-14 Đồng Khởi", ["12", "14"]],
  ["1234567 Hàng Bè", []],
])("%o names the houses %o", (street, houses) => {
  expect(houseNumbersOf(street)).toEqual(houses);
});

test.each([
  [[], ["12"], false],
  [["12"], [], false],
  [["12"], ["12"], false],
  [["12", "14"], ["14"], false],
  [["12"], ["14"], true],
])("%o and %o are other houses: %o", (one, other, expected) => {
  expect(areOtherHouses(one, other)).toBe(expected);
});
