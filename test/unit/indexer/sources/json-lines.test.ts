import { describe, expect, test } from "vitest";
import { CommandError } from "../../../../src/cli/errors.ts";
import { readJsonLines } from "../../../../indexer/sources/json-lines.ts";
import { readLines } from "../../../../indexer/sources/lines.ts";

const read = (text: string) =>
  Array.fromAsync(readJsonLines(readLines([Buffer.from(text)] as never), "test-file"));

const RECORDS = [{ a: '{[\\" ', b: [1, { c: "}" }] }, { a: [], b: {} }, { a: "đ" }];
const pretty = (value: unknown, indent: number | string): string => JSON.stringify(value, undefined, indent);

describe("values one after the other", () => {
  test.each([
    ["one a line", RECORDS.map((value) => JSON.stringify(value)).join("\n"), [1, 2, 3]],
    ["over several lines", RECORDS.map((value) => `${pretty(value, 2)}\n`).join(""), [1, 10, 14]],
    ["with tabs and CRLF", pretty(RECORDS[0], "\t").replaceAll("\n", "\r\n"), [1]],
    ["without white space between them", RECORDS.map((value) => pretty(value, 1)).join(""), [1, 9, 12]],
    ["several on one line", RECORDS.map((value) => JSON.stringify(value)).join(" "), [1, 1, 1]],
    [
      "with empty lines in and between them",
      RECORDS.map((value) => pretty(value, 1)).join("\n\n"),
      [1, 11, 16],
    ],
  ])("%s are read with the line on which they begin", async (_, text, numbers) => {
    const found = await read(text);
    expect(found.map(({ number }) => number)).toEqual(numbers);
    expect(found.map((line) => "value" in line && line.value)).toEqual(RECORDS.slice(0, numbers.length));
  });
});

describe("one broken value is rejected, and those around it are read:", () => {
  test.each([
    ["a line that is cut off within a text", '{"a": "x'],
    ["a line that is cut off between fields", '{"a": "x",'],
    ["a line with a bracket too many", '{"a": "x"}}'],
    ["a word", "oops"],
    ["a value over lines that is cut off", '{\n  "a": [\n    1,'],
    ["a value over lines with a text that is never closed", '{\n  "a": "x,\n  "b": {\n  }\n}'],
    ["a value over lines with a comma too many", '{\n  "a": 1,,\n  "b": 2\n}'],
  ])("%s", async (_, broken) => {
    const found = await read(`{"n": 1}\n${broken}\n{"n": 2}\n{\n  "n": 3\n}\n`);
    expect(found.map((line) => ("value" in line ? line.value : line.rejected.reason))).toEqual([
      { n: 1 },
      "not JSON",
      { n: 2 },
      { n: 3 },
    ]);
    expect(found[1]).toMatchObject({ number: 2, text: broken });
  });

  test("also as the last one, when a text in it is never closed", async () => {
    expect(await read('{"n": 1}\n{\n  "a": "x,\n  "b": 1\n}\n')).toMatchObject([
      { value: { n: 1 } },
      { number: 2, rejected: { reason: "not JSON" } },
    ]);
  });
});

test.each([
  ["in a line", '{"n": 1}\n{"n": ', "middle of line 2"],
  ["in a record over several lines", '{"n": 1}\n{\n  "n": 2,\n', "begins in line 2"],
  ["in a text of a record over several lines", '{"n": 1}\n{\n  "n": "x', "begins in line 2"],
])("a file that ends %s is refused", async (_, text, message) => {
  await expect(read(text)).rejects.toThrow(CommandError);
  await expect(read(text)).rejects.toThrow(message);
});
