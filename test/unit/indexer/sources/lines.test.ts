import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readLines } from "../../../../indexer/sources/lines.ts";
import { textInput } from "../text-input.ts";

const linesOf = (content: string | Buffer, pieceBytes = 7, maxLineBytes?: number) =>
  Array.fromAsync(readLines(textInput(content, pieceBytes).chunks(), maxLineBytes));

const textsOf = async (content: string, pieceBytes = 7) =>
  (await linesOf(content, pieceBytes)).map((line) => ("text" in line ? line.text : line.problem));

describe("readLines", () => {
  test("a line longer than the limit is reported and discarded, and the next one is read", async () => {
    const lines = await linesOf(`short\n${"x".repeat(50)}\nlast`, 7, 20);
    expect(lines).toEqual([
      { number: 1, text: "short", isComplete: true },
      { number: 2, problem: "longer than a line may be", value: "50 bytes", raw: "x".repeat(22) },
      { number: 3, text: "last", isComplete: false },
    ]);
  });

  test("a line of exactly the limit is read", async () => {
    expect(await linesOf(`${"x".repeat(20)}\n`, 7, 20)).toEqual([
      { number: 1, text: "x".repeat(20), isComplete: true },
    ]);
  });

  test("a last line that is too long and incomplete is also reported", async () => {
    expect(await linesOf("x".repeat(50), 7, 20)).toEqual([
      { number: 1, problem: "longer than a line may be", value: "50 bytes", raw: "x".repeat(21) },
    ]);
  });

  test("invalid UTF-8 rejects only its line", async () => {
    const lines = await linesOf(Buffer.from([0x61, 0x0a, 0xc3, 0x28, 0x0a, 0x62, 0x0a]));
    expect(lines).toEqual([
      { number: 1, text: "a", isComplete: true },
      {
        number: 2,
        problem: "not valid UTF-8",
        value: 'byte 1 of the line is 0xC3, after ""',
        raw: "\uFFFD(",
      },
      { number: 3, text: "b", isComplete: true },
    ]);
  });

  test.each([
    ["after text", [0x50, 0x68, 0xe1, 0xbb, 0x9f, 0xff], 'byte 6 of the line is 0xFF, after "Phở"'],
    ["after a real replacement character", [0xef, 0xbf, 0xbd, 0x61, 0xc0], "byte 5 of the line is 0xC0"],
    ["cut off at the end of the line", [0x61, 0xe1, 0xbb], "byte 2 of the line is 0xE1"],
  ])("the first invalid byte is reported %s", async (_, bytes, value) => {
    const [line] = await linesOf(Buffer.from([...bytes, 0x0a]));
    expect(line).toMatchObject({
      problem: "not valid UTF-8",
      value: expect.stringContaining(value) as string,
    });
  });

  test.each([
    ["nothing", "", []],
    ["one empty line", "\n", [""]],
    ["line feeds", "a\nb\n", ["a", "b"]],
    ["carriage returns with line feeds", "a\r\nb\r\n", ["a", "b"]],
    ["a last line without an end", "a\nb", ["a", "b"]],
    ["a carriage return inside a line", "a\rb\n", ["a\rb"]],
    ["a byte order mark", "\uFEFFa\n\uFEFFb\n", ["a", "\uFEFFb"]],
    ["letters of several bytes", "Phở\nCà phê 😀\n", ["Phở", "Cà phê 😀"]],
  ])("%s", async (_, content, expected) => {
    expect(await textsOf(content, 3)).toEqual(expected);
  });

  test("the lines do not depend on how the bytes are split", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: "grapheme" })),
        fc.integer({ min: 1, max: 50 }),
        async (texts, pieceBytes) => {
          const lines = texts.map((text) => text.replaceAll(/[\r\n\uFEFF]/g, "_"));
          const read = await linesOf(lines.map((line) => `${line}\n`).join(""), pieceBytes);
          expect(read).toEqual(lines.map((text, index) => ({ number: index + 1, text, isComplete: true })));
        },
      ),
    ));
});
