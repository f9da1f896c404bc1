import { describe, expect, test } from "vitest";
import { countRejected, createTally } from "../../../../indexer/clean/import-tally.ts";
import { formatProgress } from "../../../../indexer/commands/source-files.ts";
import { readNative } from "../../../../indexer/sources/native/native.ts";
import { textInput } from "../text-input.ts";

/** A source of 1,000 bytes of which some were read. */
async function sourceRead(bytes: number) {
  const input = textInput("x".repeat(1_000), bytes);
  await input.chunks().next();
  return { input, format: "native" as const, read: readNative };
}

const tallyOf = (read: number) => Object.assign(createTally(), { read });

describe("formatProgress", () => {
  test("shows count, rate, share and remaining time", async () => {
    const sources = [await sourceRead(500), await sourceRead(100)];
    expect(formatProgress(sources, tallyOf(12_345), 60_000)).toBe(
      "12,345 records, 206/s, file 2 of 2, 30 %, 2 min 20 s left",
    );
  });

  test("an input of unknown length has no share and no remaining time", async () => {
    const source = await sourceRead(500);
    const stdin = { ...source, input: { ...source.input, totalBytes: undefined } };
    expect(formatProgress([source, stdin], tallyOf(10), 1_000)).toBe("10 records, 10/s, file 2 of 2");
  });

  test("rejected records are shown as soon as there are any", async () => {
    const tally = tallyOf(10);
    countRejected(tally, { file: "x", part: "line", number: 1 }, { field: "line", reason: "not JSON" });
    expect(formatProgress([await sourceRead(1_000)], tally, 1_000)).toContain("1 rejected");
  });
});
