import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { startProgress } from "../../../src/cli/progress.ts";

describe("startProgress", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const watch = (isTTY: boolean, columns?: number) => {
    const written: string[] = [];
    const stream = { isTTY, columns, write: (text: string) => written.push(text) };
    const progress = startProgress(stream, "reading", () => ({ text: "7 records, 50 %", share: 0.5 }));
    return { written, progress };
  };

  test("on a terminal one line with a bar is written over and over, and gone at the end", () => {
    const { written, progress } = watch(true);
    vi.advanceTimersByTime(500);
    progress.stop();
    vi.advanceTimersByTime(60_000);
    const line = `\r\u001B[Kreading   ${"█".repeat(10)}${"░".repeat(10)} 7 records, 50 %`;
    expect(written).toEqual([line, line, "\r\u001B[K"]);
  });

  test("a narrow terminal gets no line that would wrap", () => {
    const { written, progress } = watch(true, 24);
    vi.advanceTimersByTime(250);
    progress.stop();
    expect(written[0]).toBe(`\r\u001B[Kreading   ${"█".repeat(10)}░░░`);
  });

  test("elsewhere there is a plain line every minute", () => {
    const { written, progress } = watch(false);
    vi.advanceTimersByTime(130_000);
    progress.stop();
    vi.advanceTimersByTime(600_000);
    expect(written).toEqual(["reading: 7 records, 50 %\n", "reading: 7 records, 50 %\n"]);
  });

  test("the next phase begins with its sentence, and shows its time when its length is unknown", () => {
    const { written, progress } = watch(true);
    vi.advanceTimersByTime(200);
    progress.begin("indexing", "7 places are written.");
    vi.advanceTimersByTime(2_000);
    progress.stop();
    expect(written[0]).toBe("\r\u001B[K7 places are written.\n");
    expect(written.at(-2)).toBe("\r\u001B[Kindexing  2 s");
  });

  test("a sentence does not end the phase", () => {
    const { written, progress } = watch(false);
    progress.say("Too late to stop.");
    vi.advanceTimersByTime(60_000);
    progress.stop();
    expect(written).toEqual(["Too late to stop.\n", "reading: 7 records, 50 %\n"]);
  });
});
