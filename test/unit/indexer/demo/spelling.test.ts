import { describe, expect, test } from "vitest";
import { removeMarks, toNewTonePlacement, writeAsPeopleDo } from "../../../../indexer/demo/spelling.ts";
import { createRandom } from "../../../../indexer/demo/random.ts";

describe("the place of the tone mark", () => {
  test.each([
    ["Tạp hóa Hòa Bình", "Tạp hoá Hoà Bình"],
    ["Thủy Tiên", "Thuỷ Tiên"],
    ["Phở Hòa Pasteur", "Phở Hoà Pasteur"],
    ["Xòe hoa, múa lụa", "Xoè hoa, múa lụa"],
  ])("%s becomes %s", (old, modern) => {
    expect(toNewTonePlacement(old)).toBe(modern);
  });

  test.each(["Hoàng Long", "Thuyền", "Quý", "Toán thầy Hoàn", "Khoái"])(
    "%s is written one way only",
    (name) => {
      expect(toNewTonePlacement(name)).toBe(name);
    },
  );
});

test("marks are removed from every letter, including đ", () => {
  expect(removeMarks("Phở Đặc Biệt Nguyễn Ưng Quốc lộ 1")).toBe("Pho Dac Biet Nguyen Ung Quoc lo 1");
});

test("most names stay unchanged, some lose their marks, some are in capitals", () => {
  const random = createRandom(1);
  const written = Array.from({ length: 2000 }, () => writeAsPeopleDo("Quán Ốc Đào", random));
  const share = (name: string) => written.filter((text) => text === name).length / written.length;
  expect(share("Quán Ốc Đào")).toBeGreaterThan(0.8);
  expect(share("Quan Oc Dao")).toBeCloseTo(0.06, 1);
  expect(share("QUÁN ỐC ĐÀO")).toBeCloseTo(0.05, 1);
});
