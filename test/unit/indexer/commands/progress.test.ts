import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { countRejected, createTally } from "../../../../indexer/clean/import-tally.ts";
import { createProgress, formatProgress } from "../../../../indexer/commands/progress.ts";
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
  test("tells count, rate, share and the time that is left", async () => {
    const sources = [await sourceRead(500), await sourceRead(100)];
    expect(formatProgress(sources, tallyOf(12_345), 60_000)).toBe(
      "12,345 records, 206/s, file 2 of 2, 30 %, 2 min 20 s left",
    );
  });

  test("an input of unknown length has no share and no end", async () => {
    const source = await sourceRead(500);
    const stdin = { ...source, input: { ...source.input, totalBytes: undefined } };
    expect(formatProgress([source, stdin], tallyOf(10), 1_000)).toBe("10 records, 10/s, file 2 of 2");
  });

  test("rejections show as soon as there are any", async () => {
    const tally = tallyOf(10);
    countRejected(tally, { file: "x", part: "line", number: 1 }, { field: "line", reason: "not JSON" });
    expect(formatProgress([await sourceRead(1_000)], tally, 1_000)).toContain("1 rejected");
  });
});

describe("createProgress", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const watch = (isTTY: boolean) => {
    const written: string[] = [];
    return {
      written,
      progress: createProgress([], tallyOf(7), { isTTY, write: (text) => written.push(text) }),
    };
  };

  test("on a terminal one line is written over and over, and gone at the end", () => {
    const { written, progress } = watch(true);
    vi.advanceTimersByTime(1_000);
    progress.stop();
    expect(written).toHaveLength(5);
    expect(written.every((text) => text.startsWith("\r\u001B[K") && !text.includes("\n"))).toBe(true);
    expect(written.at(-1)).toBe("\r\u001B[K");
  });

  test("elsewhere there is a plain line every few seconds", () => {
    const { written, progress } = watch(false);
    vi.advanceTimersByTime(11_000);
    progress.stop();
    vi.advanceTimersByTime(60_000);
    expect(written).toHaveLength(2);
    expect(written[0]).toMatch(/^7 records, [\d,]+\/s\n$/);
  });

  test("saying something ends the counting", () => {
    const { written, progress } = watch(false);
    progress.say("Waiting.");
    vi.advanceTimersByTime(60_000);
    expect(written).toEqual(["Waiting.\n"]);
  });
});
