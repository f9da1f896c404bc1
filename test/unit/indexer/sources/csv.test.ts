import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCsv } from "../../../../indexer/sources/csv.ts";
import { textInput } from "../text-input.ts";

async function read(content: string | Buffer, pieceBytes = 7) {
  const rows = await Array.fromAsync(readCsv(textInput(content, pieceBytes), () => {}));
  return rows.map((row) => ("values" in row ? { ...row.values } : [row.number, row.rejected]));
}

const NEVER_ENDS = { field: "line", reason: "a quote begins a field that never ends" };

describe("readCsv", () => {
  test.each([
    ["without anything in it", "", "is not CSV"],
    ["with one column only", "name\nx\n", "is not CSV"],
    ["with a column twice", "a,b,a\n1,2,3\n", 'two columns named "a"'],
    ["whose last line breaks off", "a,b\n1,2\n3", "ends in the middle of line 3"],
    ["whose last field breaks off", 'a,b\n1,2\n3,"4', "ends in the middle of line 3"],
  ])("a file %s is refused by its name", async (_, content, message) => {
    await expect(read(content)).rejects.toThrow(message);
    await expect(read(content)).rejects.toThrow("test-file");
  });

  test("an unclosed quote rejects only its line", async () => {
    expect(await read('a,b\n1,2\n3,"4\n5,6\n7,8\n')).toEqual([
      { a: "1", b: "2" },
      [3, NEVER_ENDS],
      { a: "5", b: "6" },
      { a: "7", b: "8" },
    ]);
  });

  test("a record that is too long counts as an unclosed quote", async () => {
    const content = `a,b\n1,"2\n${"some,more text\n".repeat(1_000)}3,"4\n5"\n`;
    const rows = await Array.fromAsync(readCsv(textInput(content), () => {}, { maxRecordLength: 100 }));
    expect(rows).toHaveLength(1_002);
    expect(rows.filter((row) => "rejected" in row)).toEqual([
      { number: 2, text: '1,"2', rejected: NEVER_ENDS },
    ]);
    expect(rows.at(-1)).toMatchObject({ number: 1_003, values: { a: "3", b: "4\n5" } });
  });

  test("a row of another length is rejected, except for empty fields at its end", async () => {
    const reason = "not as many fields as columns";
    expect(await read("a,b\n1\n1,2,3\n1,2,,\n")).toEqual([
      [2, { field: "line", reason, value: "1 instead of 2" }],
      [3, { field: "line", reason, value: "3 instead of 2" }],
      { a: "1", b: "2" },
    ]);
  });

  test("invalid UTF-8 rejects only its row, also inside quotes", async () => {
    const rows = await read(Buffer.from('a,b\n1,"x\n\xff"\n2,3\n', "latin1"));
    expect(rows).toEqual([
      [2, { field: "line", reason: "not valid UTF-8", value: 'byte 1 of the line is 0xFF, after ""' }],
      { a: "2", b: "3" },
    ]);
  });

  test.each([
    ["commas", "a,b\n1,2\n"],
    ["semicolons", "a;b\n1;2\n"],
    ["tabs", "a\tb\n1\t2\n"],
    ["a byte order mark", "\uFEFFa,b\n1,2\n"],
    ["a byte order mark before a quote", '\uFEFF"a","b"\n1,2\n'],
    ["carriage returns", "a,b\r\n1,2\r\n"],
    ["blanks about the names", " a , b \n1,2\n"],
    ["empty lines", "\na,b\n\n1,2\n\n"],
    ["a last line without its end", "a,b\n1,2"],
  ])("%s are understood", async (_, content) => {
    expect(await read(content)).toEqual([{ a: "1", b: "2" }]);
  });

  test("a row has the number of its first line", async () => {
    const rows = await Array.fromAsync(readCsv(textInput('a,b\n"1\n\n1",2\n\n3,4\n'), () => {}));
    expect(rows.map(({ number, text }) => [number, text])).toEqual([
      [2, '"1\n\n1",2'],
      [6, "3,4"],
    ]);
  });

  test("a column may be named like a property of every object", async () => {
    expect(await read("__proto__,toString\n1,2\n")).toEqual([
      Object.fromEntries([
        ["__proto__", "1"],
        ["toString", "2"],
      ]),
    ]);
  });

  test("the rows do not depend on how the bytes are split", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }))),
        fc.integer({ min: 1, max: 50 }),
        async (rows, pieceBytes) => {
          const clean = (text: string) => text.replaceAll("\r", "_");
          const quote = (text: string) => `"${clean(text).replaceAll('"', '""')}"`;
          const lines = rows.map(([a, b]) => `${quote(a)},${quote(b)}\n`);
          expect(await read(`a,b\n${lines.join("")}`, pieceBytes)).toEqual(
            rows.map(([a, b]) => ({ a: clean(a), b: clean(b) })),
          );
        },
      ),
    ));
});
