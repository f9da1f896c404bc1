import fc from "fast-check";
import { expect, test } from "vitest";
import { parseWkbPoint } from "../../../../../indexer/sources/parquet/read-rows.ts";

interface Form {
  readonly littleEndian: boolean;
  readonly type: number;
  readonly referenceSystem?: boolean;
}

function toWkb(
  numbers: readonly number[],
  { littleEndian, type, referenceSystem = false }: Form,
): Uint8Array {
  const start = referenceSystem ? 9 : 5;
  // An offset, as the bytes of a Buffer have one.
  const bytes = new Uint8Array(new ArrayBuffer(3 + start + numbers.length * 8), 3);
  const view = new DataView(bytes.buffer, 3);
  view.setUint8(0, littleEndian ? 1 : 0);
  view.setUint32(1, type, littleEndian);
  for (const [index, number] of numbers.entries()) view.setFloat64(start + index * 8, number, littleEndian);
  return bytes;
}

test.each([
  ["nothing", new Uint8Array()],
  ["a header only", toWkb([], { littleEndian: true, type: 1 })],
  ["half a point", toWkb([1], { littleEndian: true, type: 1 })],
  ["an empty point", toWkb([Number.NaN, Number.NaN], { littleEndian: true, type: 1 })],
  ["a line", toWkb([1, 2, 3, 4], { littleEndian: true, type: 2 })],
  ["a polygon with Z", toWkb([1, 2, 3, 4], { littleEndian: true, type: 1003 })],
])("%s is not a point", (_, bytes) => {
  expect(parseWkbPoint(bytes)).toBeUndefined();
});

test.each([
  ["little end first", { littleEndian: true, type: 1 }],
  ["big end first", { littleEndian: false, type: 1 }],
  ["with the Z of ISO", { littleEndian: true, type: 1001 }],
  ["with the Z and M of ISO", { littleEndian: true, type: 3001 }],
  ["with the Z of PostGIS", { littleEndian: true, type: 0x8000_0001 }],
  ["with a reference system", { littleEndian: true, type: 0x2000_0001, referenceSystem: true }],
])("a point is read %s", (_, form) => {
  const degrees = (max: number) => fc.double({ min: -max, max, noNaN: true });
  fc.assert(
    fc.property(degrees(180), degrees(90), (longitude, latitude) => {
      expect(parseWkbPoint(toWkb([longitude, latitude, 7, 8], form))).toEqual({ longitude, latitude });
    }),
  );
});

test("any bytes are a point or undefined, never an exception", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const point = parseWkbPoint(bytes);
      return point === undefined || !Number.isNaN(point.latitude);
    }),
  );
});
