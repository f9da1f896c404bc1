import { expect, test } from "vitest";
import { createBatch } from "../../../indexer/batch.ts";
import { buildPlace } from "../../support/build-place.ts";

test("a batch is full after so many places", () => {
  const batch = createBatch(3, 1e9);
  expect([1, 2, 3].map(() => batch.add(buildPlace()))).toEqual([false, false, true]);
});

test("a batch is full after so many characters", () => {
  const batch = createBatch(1000, 5000);
  expect(batch.add(buildPlace())).toBe(false);
  expect(batch.add(buildPlace({ description: "x".repeat(5000) }))).toBe(true);
});

test("what is taken is gone, and the next batch starts from nothing", () => {
  const batch = createBatch(2, 1e9);
  const [first, second, third] = [buildPlace(), buildPlace(), buildPlace()];
  batch.add(first);
  batch.add(second);
  expect(batch.take()).toEqual([first, second]);
  expect(batch.add(third)).toBe(false);
  expect(batch.take()).toEqual([third]);
  expect(batch.take()).toEqual([]);
});
