import { describe, expect, test } from "vitest";
import { countRejected, createTally } from "../../../../indexer/clean/import-tally.ts";
import { describeProgress } from "../../../../indexer/commands/source-files.ts";
import { readNative } from "../../../../indexer/sources/native/native.ts";
import { textInput } from "../text-input.ts";

/** A source of 1,000 bytes of which some were read. */
async function sourceRead(bytes: number) {
  const input = textInput("x".repeat(1_000), bytes);
  await input.chunks().next();
  return { input, format: "native" as const, read: readNative };
}

const tallyOf = (read: number) => Object.assign(createTally(), { read });

describe("describeProgress", () => {
  test("shows count, rate, share and remaining time", async () => {
    const sources = [await sourceRead(500), await sourceRead(100)];
    expect(describeProgress(sources, tallyOf(12_345), 60_000)).toEqual({
      text: "12,345 records, 206/s, file 2 of 2, 30 %, 2 min 20 s left",
      share: 0.3,
    });
  });

  test("an input of unknown length has no share and no remaining time", async () => {
    const source = await sourceRead(500);
    const stdin = { ...source, input: { ...source.input, totalBytes: undefined } };
    expect(describeProgress([source, stdin], tallyOf(10), 1_000)).toEqual({
      text: "10 records, 10/s, file 2 of 2",
      share: undefined,
    });
  });

  test("rejected records are shown as soon as there are any", async () => {
    const tally = tallyOf(10);
    countRejected(tally, { file: "x", part: "line", number: 1 }, { field: "line", reason: "not JSON" });
    expect(describeProgress([await sourceRead(1_000)], tally, 1_000).text).toContain("1 rejected");
  });
});
