import { expect, test } from "vitest";
import {
  formatAge,
  formatBytes,
  formatCount,
  formatDuration,
  formatTable,
  formatTime,
} from "../../../src/cli/format.ts";

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

test.each([
  [0, "0 places"],
  [1, "1 place"],
  [12_345, "12,345 places"],
])("%d of a thing are %s", (count, text) => {
  expect(formatCount(count, "place")).toBe(text);
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

test.each([
  [0.2, "1 s"],
  [59, "59 s"],
  [60, "1 min 0 s"],
  [3_599.5, "1 h 0 min"],
  [7_265, "2 h 1 min"],
])("%d seconds are %s", (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});

test("tables have names to the left and numbers to the right", () => {
  expect(
    formatTable(
      ["system", "ms"],
      [
        ["api", "1.50"],
        ["naive-plain", "120"],
      ],
    ),
  ).toBe(["system         ms", "-----------  ----", "api          1.50", "naive-plain   120"].join("\n"));
});

test("a table without a rule has no spaces at the ends", () => {
  const rows = [["no marks", "1.000", ""]];
  expect(formatTable(["kind", "MRR", "goal"], rows, { hasRule: false })).toBe(
    "kind        MRR  goal\nno marks  1.000",
  );
});
