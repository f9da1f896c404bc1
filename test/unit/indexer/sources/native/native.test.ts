import { describe, expect, test } from "vitest";
import { readNative } from "../../../../../indexer/sources/native/native.ts";
import { readAll } from "../../text-input.ts";

const place = (id: string) =>
  JSON.stringify({ title: `Place ${id}`, source_id: id, location: { latitude: 1, longitude: 2 } });

describe("readNative", () => {
  test("an invalid line is rejected with its number, and the next ones are read", async () => {
    const items = await readAll(readNative, `${place("a")}\n\nnot json\n${place("b")}\n`);
    expect(items).toMatchObject([
      { position: { file: "test-file", part: "line", number: 1 }, draft: { source_id: "a" } },
      { position: { number: 3 }, rejected: { field: "line", reason: "not JSON", value: "not json" } },
      { position: { number: 4 }, draft: { source_id: "b" } },
    ]);
  });

  test("a truncated last line ends the import, because the file is incomplete", async () => {
    await expect(readAll(readNative, `${place("a")}\n${place("b").slice(0, -5)}`)).rejects.toThrow(
      "test-file ends in the middle of line 2",
    );
  });

  test("a last line without a line feed is read", async () => {
    expect(await readAll(readNative, `${place("a")}\n${place("b")}`)).toHaveLength(2);
  });

  test("a line with a million nested lists is rejected", async () => {
    const items = await readAll(readNative, `${"[".repeat(1e6)}${"]".repeat(1e6)}\n${place("a")}\n`, 65_536);
    expect(items).toMatchObject([{ rejected: { field: "record" } }, { draft: { source_id: "a" } }]);
  });
});
