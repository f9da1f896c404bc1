import * as fc from "fast-check";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { buildDataId, dataIdIdentity, parseDataId } from "../../../../src/place/document/data-id.ts";
import { dataIdSchema } from "../../../../src/place/document/place-document.ts";

const half = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

describe("parseDataId", () => {
  test.each([
    "",
    "0x1",
    "0x1:",
    ":0x1",
    "0x1:0x",
    "0x:0x1",
    "1:2",
    "0x1:0x2:0x3",
    "0x1:0xg",
    "0x1:0x2 ",
    " 0x1:0x2",
    "0x1:0x2\n",
    "0x1/../0x2",
    "0x1:0x2/..",
    "0x1:0x2.json",
    "0x1%3A0x2",
    "0x1:0x-2",
    "__proto__",
    "０x1:0x2",
    `0x1:0x1${"0".repeat(16)}`,
    `0x${"0".repeat(200)}1:0x1`,
  ])("refuses %j", (text) => {
    expect(parseDataId(text)).toBeUndefined();
  });

  test.each([
    ["0x31752ec6b1a2c3d4:0x5e6f7a8b9c0d1e2f", "0x31752ec6b1a2c3d4:0x5e6f7a8b9c0d1e2f"],
    ["0X31752EC6:0XABCDEF", "0x31752ec6:0xabcdef"],
    ["0x000a:0x0b", "0xa:0xb"],
    ["0x0:0x0", "0x0:0x0"],
    ["0x0000:0x00000000000000000000ffffffffffffffff", "0x0:0xffffffffffffffff"],
  ])("brings %j to its canonical form", (text, canonical) => {
    expect(parseDataId(text)).toBe(canonical);
  });

  test("case and leading zeros do not matter, and the result is canonical", () => {
    fc.assert(
      fc.property(half, half, fc.nat(20), fc.nat(20), (cell, identity, zeros, moreZeros) => {
        const canonical = buildDataId(cell, identity);
        const first = `0x${"0".repeat(zeros)}${cell.toString(16).toUpperCase()}`;
        const second = `0X${"0".repeat(moreZeros)}${identity.toString(16)}`;
        expect(parseDataId(`${first}:${second}`)).toBe(canonical);
        expect(parseDataId(canonical)).toBe(canonical);
        expect(v.is(dataIdSchema, canonical)).toBe(true);
      }),
    );
  });

  test("every result is canonical and accepted again", () => {
    const almostDataId = fc.string({ unit: fc.constantFrom("0", "x", ":", "a", "F", "/", "..", "%") });
    fc.assert(
      fc.property(almostDataId, (tail) => {
        const dataId = parseDataId(`0x1:0x${tail}`) ?? "0x0:0x0";
        expect(v.is(dataIdSchema, dataId)).toBe(true);
        expect(parseDataId(dataId)).toBe(dataId);
      }),
    );
  });
});

test.each([
  [-1n, 0n],
  [0n, 2n ** 64n],
])("buildDataId refuses halves beyond 64 bits: %s, %s", (cell, identity) => {
  expect(() => buildDataId(cell, identity)).toThrow(RangeError);
});

test("the identity does not depend on where the place was first seen", () => {
  fc.assert(
    fc.property(half, half, (cell, identity) => {
      expect(dataIdIdentity(buildDataId(cell, identity))).toBe(`0x${identity.toString(16)}`);
    }),
  );
});
