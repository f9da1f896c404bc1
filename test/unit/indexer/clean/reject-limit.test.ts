import { describe, expect, test } from "vitest";
import { countRejected, createTally } from "../../../../indexer/clean/import-tally.ts";
import { checkRejectLimitEarly, checkRejectLimit } from "../../../../indexer/clean/rejects.ts";

const MEGABYTE = 1024 * 1024;

function tallyOf(read: number, rejected: number) {
  const tally = createTally();
  tally.read = read;
  for (let number = 1; number <= rejected; number += 1)
    countRejected(tally, { file: "a", part: "line", number }, { field: "title", reason: "empty" });
  return tally;
}

const input = (readBytes: number, totalBytes: number | undefined) => ({
  bytesRead: () => readBytes,
  totalBytes,
});

test("more rejected records than allowed are an error with their number and a fix", () => {
  expect(() => checkRejectLimit(tallyOf(2_000, 21), 1)).toThrow(
    /21 of 2,000 records were rejected, more than the 20 that --max-rejects 1 allows.*--rejects/,
  );
  expect(() => checkRejectLimit(tallyOf(2_000, 20), 1)).not.toThrow();
});

describe("an import stops early", () => {
  const check = (read: number, rejected: number, inputs: ReturnType<typeof input>[]) => () =>
    checkRejectLimitEarly(tallyOf(read, rejected), inputs, 1);

  test("when more is rejected than the whole input allows", () => {
    expect(check(20_000, 2_000, [input(20 * MEGABYTE, 49 * MEGABYTE)])).toThrow(
      /Stopped after 40 % of the input: 2,000 of 20,000 records were rejected/,
    );
  });

  test.each([
    ["it was not looked at since the last thousand", 20_000, 2_001, [input(20 * MEGABYTE, 49 * MEGABYTE)]],
    ["the rest may be good enough", 20_000, 1_000, [input(20 * MEGABYTE, 50 * MEGABYTE)]],
    ["the rest may have shorter records", 20_000, 2_000, [input(20 * MEGABYTE, 51 * MEGABYTE)]],
    ["little was read yet", 20_000, 2_000, [input(15 * MEGABYTE, 30 * MEGABYTE)]],
    [
      "nobody knows how much is to come",
      20_000,
      2_000,
      [input(20 * MEGABYTE, 50 * MEGABYTE), input(0, undefined)],
    ],
    [
      "another file is to come",
      20_000,
      2_000,
      [input(20 * MEGABYTE, 20 * MEGABYTE), input(0, 40 * MEGABYTE)],
    ],
    ["all is read, which is another error", 20_000, 2_000, [input(20 * MEGABYTE, 20 * MEGABYTE)]],
  ])("but not when %s", (_, read, rejected, inputs) => {
    expect(check(read, rejected, inputs)).not.toThrow();
  });
});
