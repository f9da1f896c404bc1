import { fc } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { createPlaceTable } from "../../../../indexer/sync/place-table.ts";

const half = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value) => `0x${value.toString(16)}`);
const smallHalf = fc.bigInt({ min: 0n, max: 40n }).map((value) => `0x${value.toString(16)}`);

describe("the table of an index's places", () => {
  test.each([
    ["0x0:0x0"],
    ["0x1:0xffffffffffffffff"],
    ["0xffffffffffffffff:0x100000000"],
    ["0x100000000:0xffffffff"],
    ["0x1:0x10000000"],
  ])("recognizes %s by its identity", (dataId) => {
    const table = createPlaceTable(1);
    table.add(dataId, "00ff");
    expect(table.dataIdOf(dataId.slice(dataId.indexOf(":") + 1))).toBe(dataId);
    expect([...table.unmet()]).toEqual([dataId.slice(dataId.indexOf(":") + 1)]);
  });

  test("distinguishes new, changed, unchanged and missing places", () => {
    const table = createPlaceTable(3);
    for (const [dataId, hash] of [
      ["0x1:0x1", "a1"],
      ["0x1:0x2", "00000000000000a2"],
      ["0x1:0x3", "a3"],
    ] as const)
      table.add(dataId, hash);
    expect(table.meet("0x1:0x1", "b1")).toEqual({ verdict: "changed", isRepeated: false });
    expect(table.meet("0x1:0x2", "00000000000000a2")).toEqual({ verdict: "same", isRepeated: false });
    expect(table.meet("0x1:0x4", "a4")).toEqual({ verdict: "new", isRepeated: false });
    expect(table.counts()).toEqual({ met: 2, unmet: 1 });
    expect([...table.unmet()]).toEqual(["0x3"]);
  });

  test("compares a repeated place with its latest version", () => {
    const table = createPlaceTable(1);
    table.add("0x1:0x1", "a");
    const verdicts = ["b", "b", "a"].map((hash) => table.meet("0x1:0x1", hash));
    expect(verdicts).toEqual([
      { verdict: "changed", isRepeated: false },
      { verdict: "same", isRepeated: true },
      { verdict: "changed", isRepeated: true },
    ]);
    table.meet("0x1:0x2", "a");
    expect(table.meet("0x1:0x2", "a")).toEqual({ verdict: "same", isRepeated: true });
  });

  test("knows a place by the record it was made of, until another record of it comes", () => {
    const table = createPlaceTable(1);
    table.add("0x1:0x1", "a", "00f1");
    table.add("0x1:0x2", "a");
    expect(table.meetDraft("0x1", "00f1")).toEqual({ isKnown: true, isRepeated: false });
    expect(table.counts()).toEqual({ met: 1, unmet: 1 });
    expect(table.meetDraft("0x1", "f1")).toEqual({ isKnown: true, isRepeated: true });
    expect(table.meetDraft("0x1", "f2")).toEqual({ isKnown: false, isRepeated: false });
    expect(table.meetDraft("0x1", "f1")).toEqual({ isKnown: false, isRepeated: false });
    expect(table.meet("0x1:0x1", "a")).toEqual({ verdict: "same", isRepeated: true });
  });

  test.each(["0x2", "0x3"])(
    "knows nothing of %s by a record without a hash, or one it has not",
    (identity) => {
      const table = createPlaceTable(1);
      table.add("0x1:0x2", "a");
      for (const hash of [undefined, "f1"])
        expect(table.meetDraft(identity, hash)).toEqual({ isKnown: false, isRepeated: false });
      expect(table.counts()).toEqual({ met: 0, unmet: 1 });
    },
  );

  test.each([
    ["ids from all over", half],
    ["ids that are counted up", smallHalf],
  ])("agrees with a plain map, however many more places than expected there are: %s", (_, ids) => {
    fc.assert(
      fc.property(
        fc.uniqueArray(ids, { maxLength: 3_000, size: "max" }),
        fc.array(ids, { maxLength: 300 }),
        (indexed, snapshot) => {
          const table = createPlaceTable(0);
          for (const identity of indexed) table.add(`0xabc:${identity}`, "1");
          const seen = new Set(snapshot);
          for (const identity of snapshot) table.meet(`0xdef:${identity}`, "1");
          expect([...table.unmet()].toSorted()).toEqual(indexed.filter((id) => !seen.has(id)).toSorted());
          for (const identity of indexed) expect(table.dataIdOf(identity)).toBe(`0xabc:${identity}`);
          expect(table.counts().met).toBe(indexed.filter((id) => seen.has(id)).length);
        },
      ),
      { numRuns: 20 },
    );
  });
});
