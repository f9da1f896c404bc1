import { expect, test } from "vitest";
import { createBatch } from "../../../../indexer/import/fill-index.ts";
import { buildPlace } from "../../../support/build-place.ts";

test("a batch is full after a number of places", () => {
  const batch = createBatch(3, 1e9);
  expect([1, 2, 3].map((bytes) => batch.add(buildPlace(), bytes))).toEqual([false, false, true]);
});

test("a batch is full after a number of input bytes", () => {
  const batch = createBatch(1000, 5000);
  expect(batch.add(buildPlace(), 100)).toBe(false);
  expect(batch.add(buildPlace(), 5000)).toBe(true);
  batch.take();
  expect(batch.add(buildPlace(), 9999)).toBe(false);
  expect(batch.add(buildPlace(), 10_000)).toBe(true);
});

test("taking a batch empties it", () => {
  const batch = createBatch(2, 1e9);
  const [first, second, third] = [buildPlace(), buildPlace(), buildPlace()];
  batch.add(first, 1);
  batch.add(second, 2);
  expect(batch.take()).toEqual([first, second]);
  expect(batch.add(third, 3)).toBe(false);
  expect(batch.take()).toEqual([third]);
  expect(batch.take()).toEqual([]);
});
