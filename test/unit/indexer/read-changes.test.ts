import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { readChanges } from "../../../indexer/changes/read-changes.ts";
import { createTally } from "../../../indexer/clean/import-tally.ts";
import { TODAY } from "./text-input.ts";

const LOCATION = { latitude: 10.7, longitude: 106.7 };

async function read(...lines: unknown[]) {
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
  const tally = createTally();
  const options = {
    tally,
    today: TODAY,
    stdin: Readable.from([Buffer.from(`${text}\n`)]),
    signal: new AbortController().signal,
  };
  const changes = await Array.fromAsync(readChanges(["-"], options));
  return {
    changes,
    tally,
    reasons: [...tally.rejected.values()].map(({ field, reason }) => `${field}: ${reason}`),
  };
}

describe("an invalid change is rejected with its reason", () => {
  test.each([
    ["not JSON", "{", "line: not JSON"],
    ["a list", "[1]", "record: not a JSON object"],
    ["an unknown operation", { op: "merge", data_id: "0x1:0x2" }, "op: neither upsert, patch nor delete"],
    ["a patch of nothing", { op: "patch", rating: 4 }, "data_id: missing, and no source_id either"],
    ["a deletion of nothing", { op: "delete" }, "data_id: missing, and no source_id either"],
    [
      "a deletion by a source alone",
      { op: "delete", source: "osm" },
      "data_id: missing, and no source_id either",
    ],
    [
      "a deletion by a wrong id",
      { op: "delete", data_id: "0x1" },
      "data_id: not of the form 0x<hex>:0x<hex>",
    ],
    ["a place without a name", { data_id: "0x1:0x2", location: LOCATION }, "title: missing or not a string"],
    [
      "a place in the sea of 0, 0",
      { data_id: "0x1:0x2", title: "A", location: { latitude: 0, longitude: 0 } },
      /^location/,
    ],
  ])("%s", async (_, line, reason) => {
    const { changes, tally, reasons } = await read(line);
    expect(changes).toEqual([]);
    expect(tally.read).toBe(1);
    expect(reasons).toEqual([expect.stringMatching(reason)]);
  });

  test("a record with fields named like a rejection is accepted", async () => {
    const { changes } = await read({
      data_id: "0x1:0x2",
      title: "A",
      location: LOCATION,
      field: "x",
      reason: "y",
    });
    expect(changes).toHaveLength(1);
  });
});

describe("readChanges", () => {
  test("a record adds a place, cleaned as an import cleans it", async () => {
    const { changes } = await read({ data_id: "0x1:0xAB", title: "  Quán  A ", location: LOCATION });
    expect(changes).toMatchObject([{ identity: "0xab", hasMadeId: false, place: { title: "Quán A" } }]);
  });

  test("the operation of a record may be named", async () => {
    const { changes, tally } = await read({
      op: "upsert",
      data_id: "0x1:0xab",
      title: "A",
      location: { latitude: 10.7001, longitude: 106.7001 },
    });
    expect(changes).toHaveLength(1);
    expect([...tally.notes.values()]).toEqual([]);
  });

  test("a place that its source names is deleted by the identity it was given", async () => {
    const named = { source: "ours", source_id: "shops/7" };
    const { changes } = await read({ ...named, title: "A", location: LOCATION }, { op: "delete", ...named });
    expect(changes).toMatchObject([{ hasMadeId: true }, { deleted: "ours shops/7" }]);
    expect(changes[1]?.identity).toBe(changes[0]?.identity);
  });

  test("the halves of a data id may be written in any case and with zeros before them", async () => {
    const { changes } = await read({ op: "delete", data_id: "0X01:0x00Ab" });
    expect(changes).toMatchObject([{ identity: "0xab", deleted: "0x1:0xab" }]);
  });

  test("a stream that ends in the middle of a line is an error with the line number", async () => {
    const options = {
      tally: createTally(),
      today: TODAY,
      stdin: Readable.from([Buffer.from('{"op":"delete","data_id":"0x1:0x2"}\n{"op":')]),
      signal: new AbortController().signal,
    };
    const changes = readChanges(["-"], options);
    expect((await changes.next()).done).toBe(false);
    await expect(changes.next()).rejects.toThrow("stdin ends in the middle of line 2");
  });
});
