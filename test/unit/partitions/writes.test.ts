import { expect, test } from "vitest";
import {
  highestWrites,
  isComplete,
  rememberedBatches,
  toChangedDocument,
} from "../../../src/partitions/writes.ts";

test.each([
  [
    "the one that missed a batch is not complete",
    [
      { isBehind: false, writes: 5 },
      { isBehind: false, writes: 4 },
    ],
    [true, false],
  ],
  [
    "the one that the map lists is not complete: it took another batch by the same number",
    [
      { isBehind: true, writes: 5 },
      { isBehind: false, writes: 5 },
    ],
    [false, true],
  ],
  [
    "the one that the map lists is not complete, even if the other is away",
    [
      { isBehind: true, writes: 4 },
      { isBehind: false, writes: undefined },
    ],
    [false, false],
  ],
  [
    "the one that the map lists is not complete, although it had more batches before",
    [
      { isBehind: true, writes: 9 },
      { isBehind: false, writes: 5 },
    ],
    [false, true],
  ],
  [
    "none is complete that was never finished",
    [
      { isBehind: false, writes: undefined },
      { isBehind: false, writes: undefined },
    ],
    [false, false],
  ],
  [
    "both are complete before the first batch",
    [
      { isBehind: false, writes: 0 },
      { isBehind: false, writes: 0 },
    ],
    [true, true],
  ],
])("of two replicas, %s", (_, replicas, complete) => {
  const highest = highestWrites(replicas);
  expect(replicas.map((replica) => isComplete(replica, highest))).toEqual(complete);
});

test("the batches between two counts are remembered under one id each, as they are stored", () => {
  expect(rememberedBatches(126, 129)).toEqual(
    [127, 128, 129].map((count) => toChangedDocument(count, []).id),
  );
  expect(rememberedBatches(5, 5)).toEqual([]);
});

test("more batches than are remembered, or fewer than none, are unknown", () => {
  expect(rememberedBatches(0, 128)).toHaveLength(128);
  expect(rememberedBatches(0, 129)).toBeUndefined();
  expect(rememberedBatches(9, 5)).toBeUndefined();
});
