import { expect, test } from "vitest";
import { rememberedBatches, toChangedDocument } from "../../../src/partitions/writes.ts";

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
