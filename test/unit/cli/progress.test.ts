import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { startProgress } from "../../../src/cli/progress.ts";

describe("startProgress", () => {
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
      progress: startProgress(
        { isTTY, write: (text) => written.push(text) },
        (elapsedMs) => `${elapsedMs >= 0 ? 7 : 0} records`,
      ),
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
    expect(written[0]).toMatch(/^7 records\n$/);
  });

  test("saying something ends the counting", () => {
    const { written, progress } = watch(false);
    progress.say("Waiting.");
    vi.advanceTimersByTime(60_000);
    expect(written).toEqual(["Waiting.\n"]);
  });
});
