import { parse } from "csv-parse/sync";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCsvRecord, splitCsvLine } from "../../../../indexer/sources/csv.ts";

function read(text: string, delimiter = ","): { fields: string[]; isComplete: boolean } {
  const record = createCsvRecord(delimiter);
  let isComplete = false;
  for (const line of text.split("\n")) isComplete = record.addLine(line);
  return { fields: record.fields(), isComplete };
}

describe("a record", () => {
  test.each([
    ["with a quote that nobody closes", 'a,"b'],
    ["with a doubled quote at its end", 'a,"b""'],
    ["that opens a second one", '"a\nb","c'],
  ])("%s is not complete", (_, text) => {
    expect(read(text).isComplete).toBe(false);
  });

  test.each([
    ["plain fields", "a,b, c ", ["a", "b", " c "]],
    ["empty fields", ",,", ["", "", ""]],
    ["nothing", "", [""]],
    ["quoted fields", '"a,b","c"', ["a,b", "c"]],
    ["doubled quotes", '"a ""b""",""""', ['a "b"', '"']],
    ["empty quotes", '"",""', ["", ""]],
    ["line feeds", '"a\nb",c', ["a\nb", "c"]],
    ["an empty line in a field", '"a\n\nb\n"', ["a\n\nb\n"]],
    ["a delimiter at the end of a later line", '"a\nb",', ["a\nb", ""]],
    ["a quote in the middle of a field", '5" pipe,b', ['5" pipe', "b"]],
    ["text after a quoted field", '"Phở" Thìn,b', ["Phở Thìn", "b"]],
    ["a blank before a quote", 'a, "b, c"', ["a", "b, c"]],
  ])("has %s", (_, text, fields) => {
    expect(read(text)).toEqual({ fields, isComplete: true });
  });

  test("takes the delimiter it is given", () => {
    expect(splitCsvLine('a,b;"c;d" ;e', ";")).toEqual(["a,b", "c;d", "e"]);
  });

  test("whatever a writer quotes, its fields are those of csv-parse", () => {
    const field = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", ";", "ở", " ") });
    const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(fc.array(field, { minLength: 1 }), (fields) => {
        const text = fields.map(quote).join(",");
        expect(read(text)).toEqual({ fields, isComplete: true });
        expect(parse(text, { record_delimiter: "\n\n\n" })).toEqual([fields]);
      }),
    );
  });
});
