import { InvalidArgumentError } from "commander";
import { expect, test } from "vitest";
import { parseDuration, parseEnd, parseId, parseName } from "../../../src/key-commands/arguments.ts";

const NOW = new Date("2026-11-20T12:00:00Z");

test.each([
  ["an id", parseId, ["", "short", "0123456789aB", "hab_demo_0123456789ab", "hab__0123456789ab"]],
  ["a name", parseName, ["", "  ", "two\nlines", "x".repeat(101), "tab\tbed"]],
  ["a length of time", parseDuration, ["", "7", "1w", "-1d", "1.5d", "d", "40000d", "1e3d"]],
  [
    "an end",
    (text: string) => parseEnd(text, NOW),
    [
      "",
      "soon",
      "2026-02-31",
      "2027-02-31T10:00:00Z",
      "2026-11-19",
      "0d",
      "2027-01-01T10:00:00",
      "2027-1-1",
      "99999d",
    ],
  ],
] as const)("a value that is not %s is refused", (_, parse, texts) => {
  const isRefused = (text: string): boolean => {
    try {
      parse(text);
      return false;
    } catch (error) {
      return error instanceof InvalidArgumentError;
    }
  };
  expect(texts.filter((text) => !isRefused(text))).toStrictEqual([]);
});

test.each(["0123456789ab", "hab_0123456789ab", "hab_0123456789ab_AAAA"])(
  "%s has the id 0123456789ab",
  (text) => {
    expect(parseId(text)).toBe("0123456789ab");
  },
);

test.each([
  ["0", 0],
  ["30m", 1_800_000],
  ["12h", 43_200_000],
  ["90d", 7_776_000_000],
])("%s are %i ms", (text, durationMs) => {
  expect(parseDuration(text)).toBe(durationMs);
});

test.each([
  ["90d", "2027-02-18T12:00:00.000Z"],
  ["2026-11-20", "2026-11-21T00:00:00.000Z"],
  ["2028-02-29", "2028-03-01T00:00:00.000Z"],
  ["2027-01-31T18:00Z", "2027-01-31T18:00:00.000Z"],
  ["2027-01-31T18:00:30+07:00", "2027-01-31T11:00:30.000Z"],
])("%s ends at %s", (text, end) => {
  expect(parseEnd(text, NOW).toISOString()).toBe(end);
});
