import { expect, test } from "vitest";
import { describeNearest, kindOfCell, parseKind } from "../../../../../indexer/sources/table/kind-cell.ts";

test.each([
  ["coffee", "COFFEE"],
  ["Coffee shop", "COFFEE"],
  ["café", "COFFEE"],
  ["QUÁN CÀ PHÊ", "COFFEE"],
  ["Quán cà phê sân vườn", "COFFEE"],
  ["Cà phê, bánh ngọt", "COFFEE"],
  ["nha thuoc", "PHARMACY"],
  ["cây xăng", "GAS_STATION"],
  ["khách sạn 3 sao", "HOTEL"],
  ["xyzzy", undefined],
  ["dịch vụ", undefined],
])("the cell %s is the kind %s", (cell, kind) => expect(kindOfCell(cell)).toBe(kind));

test("an unknown kind names the nearest ones, and nothing where none is near", () => {
  expect(describeNearest("RESTARANT")).toBe("nearest: RESTAURANT (Nhà hàng)");
  expect(describeNearest("xyzzy")).toBe("");
  expect(() => parseKind("RESTARANT")).toThrow('"RESTARANT" is no kind; nearest: RESTAURANT (Nhà hàng).');
});
