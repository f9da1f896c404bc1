import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readJsonList } from "../../../../indexer/sources/json.ts";
import { textInput } from "../text-input.ts";

async function read(content: string | Buffer, pieceBytes = 7) {
  const texts: Record<string, string> = {};
  const list = readJsonList(textInput(content, pieceBytes), "elements", (name, text) => (texts[name] = text));
  return { elements: await Array.fromAsync(list), texts };
}

describe("readJsonList", () => {
  test.each([
    ["cut off in an element", '{"elements":[{"a":1},{"b":', "broken or cut off soon after element 1"],
    ["cut off between elements", '{"elements":[{"a":1},', "broken or cut off"],
    ["cut off after the list", '{"elements":[{"a":1}]', "broken or cut off"],
    ["a wrong word", '{"elements":[{"a":tru}]}', "broken or cut off"],
    ["something after its end", '{"elements":[]} {}', "broken or cut off"],
    ["nothing", "", "broken or cut off"],
    ["no such list", '{"features":[]}', 'no "elements" list'],
    ["the list deeper down only", '{"data":{"elements":[1]}}', 'no "elements" list'],
    ["a list at the top", "[1,2]", 'no "elements" list'],
    ["a text where the list should be", '{"elements":"none"}', 'no "elements" list'],
  ])("a file with %s is refused by its name", async (_, content, message) => {
    await expect(read(content)).rejects.toThrow(message);
    await expect(read(content)).rejects.toThrow("test-file");
  });

  test("invalid UTF-8 is refused, not replaced", async () => {
    const content = Buffer.concat([
      Buffer.from('{"elements":["'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"]}'),
    ]);
    await expect(read(content)).rejects.toThrow("not valid UTF-8");
  });

  test("texts of the outer object are passed on, also after the list", async () => {
    const { elements, texts } = await read(
      '{"a":"1","b":{"c":"2"},"elements":[null,[],"x",3],"remark":"late"}',
    );
    expect(elements).toEqual([null, [], "x", 3]);
    expect(texts).toEqual({ a: "1", remark: "late" });
  });

  test("a byte order mark is accepted", async () => {
    expect((await read('\uFEFF{"elements":[1]}')).elements).toEqual([1]);
  });

  test("the elements equal those of JSON.parse, however the bytes are split", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue()),
        fc.integer({ min: 1, max: 100 }),
        async (values, pieceBytes) => {
          const json = JSON.stringify({ version: 0.6, elements: values, end: true });
          expect((await read(json, pieceBytes)).elements).toEqual(
            (JSON.parse(json) as { elements: unknown }).elements,
          );
        },
      ),
    ));
});
