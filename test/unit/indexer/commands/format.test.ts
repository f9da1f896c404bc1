import { expect, test } from "vitest";
import { formatAge, formatBytes, formatTime } from "../../../../indexer/commands/format.ts";

test.each([
  [0, "0 bytes"],
  [999, "999 bytes"],
  [1_000, "1.0 kB"],
  [212_987_904, "213 MB"],
  [1_250_000_000, "1.3 GB"],
  [5e15, "5000 TB"],
])("%d bytes are %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

const HOUR = 3_600_000;

test.each([
  [-5_000, "just now"],
  [59_000, "just now"],
  [60_000, "1 minute ago"],
  [2 * HOUR - 1, "119 minutes ago"],
  [2 * HOUR, "2 hours ago"],
  [47 * HOUR, "47 hours ago"],
  [49 * HOUR, "2 days ago"],
])("%d ms ago is %s", (milliseconds, text) => {
  expect(formatAge(milliseconds)).toBe(text);
});

test("a time is shown to the minute", () => {
  expect(formatTime("2026-11-20T09:03:33.123Z")).toBe("2026-11-20 09:03 UTC");
});
