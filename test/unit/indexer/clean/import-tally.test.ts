import { describe, expect, test } from "vitest";
import { readDocuments } from "../../../../indexer/clean/clean-records.ts";
import {
  byCount,
  countRejected,
  countSkipped,
  createNotes,
  createTally,
  placeNotes,
  totalRejected,
} from "../../../../indexer/clean/import-tally.ts";
import type { SourceItem } from "../../../../indexer/sources/source.ts";
import { buildDraft } from "../build-draft.ts";
import { textInput, TODAY } from "../text-input.ts";

const line = (number: number, file = "a.jsonl") => ({ file, part: "line", number }) as const;
const EMPTY = { field: "title", reason: "empty" };

describe("rejected records", () => {
  test("are counted by field and reason and by file, with the first three as examples", () => {
    const tally = createTally();
    for (let number = 1; number <= 5; number += 1) countRejected(tally, line(number), EMPTY);
    countRejected(tally, line(1, "b.jsonl"), { field: "location", reason: "not a number", value: "north" });
    expect([...tally.rejected.values()]).toEqual([
      { ...EMPTY, count: 5, examples: [line(1), line(2), line(3)] },
      {
        field: "location",
        reason: "not a number",
        count: 1,
        examples: [{ ...line(1, "b.jsonl"), value: "north" }],
      },
    ]);
    expect([...tally.files].map(([file, { rejected }]) => [file, rejected])).toEqual([
      ["a.jsonl", 5],
      ["b.jsonl", 1],
    ]);
    expect(totalRejected(tally)).toBe(6);
  });

  test("are passed to the listener one by one, with the record", () => {
    const tally = createTally();
    const heard: unknown[] = [];
    tally.onRejected = (...what) => heard.push(what);
    countRejected(tally, line(7), EMPTY, { title: "" });
    expect(heard).toEqual([[line(7), EMPTY, { title: "" }]]);
  });

  test.each<[unknown, string]>([
    [[1, 2], "a list"],
    [{ a: 1 }, "an object"],
    [null, "null"],
    [42, "42"],
    ["two\nlines\u0000", "two lines "],
    ["x".repeat(80), "x".repeat(80)],
    ["x".repeat(81), `${"x".repeat(80)}…`],
  ])("show the value %j as %j", (value, text) => {
    const tally = createTally();
    countRejected(tally, line(1), { ...EMPTY, value });
    expect([...tally.rejected.values()][0]?.examples[0]?.value).toBe(text);
  });

  test("with more than two hundred reasons count further ones together", () => {
    const tally = createTally();
    for (let number = 0; number < 250; number += 1)
      countRejected(tally, line(number), { field: "title", reason: `reason ${number}` });
    countRejected(tally, line(300), { field: "title", reason: "reason 199" });
    expect(tally.rejected.size).toBe(201);
    expect(tally.rejected.get("title reason 199")?.count).toBe(2);
    expect(tally.rejected.get("record (other reasons)")?.count).toBe(50);
  });
});

test("with more than two hundred reasons to skip, further ones are counted together", () => {
  const tally = createTally();
  for (let number = 0; number < 250; number += 1) countSkipped(tally, `reason ${number}`);
  countSkipped(tally, "reason 199");
  expect(tally.skipped.size).toBe(201);
  expect(tally.skipped.get("reason 199")).toBe(2);
  expect(tally.skipped.get("(other reasons)")).toBe(50);
});

describe("notes", () => {
  test("are counted by field and kind, with the first records and what stood there", () => {
    const tally = createTally();
    const note = createNotes(tally);
    note("rating", "not a number", "five");
    placeNotes(tally, line(1));
    note("rating", "not a number", "six");
    note("reviews", "not a number");
    placeNotes(tally, line(2));
    expect([...tally.notes.values()]).toEqual([
      {
        field: "rating",
        kind: "not a number",
        count: 2,
        examples: [
          { ...line(1), value: "five" },
          { ...line(2), value: "six" },
        ],
      },
      { field: "reviews", kind: "not a number", count: 1, examples: [line(2)] },
    ]);
  });

  test("on more than two hundred fields count further ones together", () => {
    const tally = createTally();
    const note = createNotes(tally);
    for (let number = 0; number < 250; number += 1) note(`field ${number}`, "unknown");
    note("field 199", "unknown");
    expect(tally.notes.size).toBe(201);
    expect(tally.notes.get("field 199 unknown")?.count).toBe(2);
    expect(tally.notes.get("(other fields) unknown")?.count).toBe(50);
  });
});

test("the most frequent come first, earlier ones on ties", () => {
  const entries = [1, 3, 2, 3].map((count, index) => ({ count, index }));
  expect(byCount(entries).map(({ index }) => index)).toEqual([1, 3, 2, 0]);
});

describe("the records of all sources", () => {
  const items = (name: string): SourceItem[] => [
    { position: line(1, name), draft: buildDraft({ title: `${name} one`, data_id: "0x1:0x2" }) },
    { position: line(2, name), draft: buildDraft({ title: "" }) },
    { position: line(3, name), skipped: "no name" },
    { position: line(4, name), rejected: EMPTY, record: "{}" },
    { position: line(5, name), draft: buildDraft({ title: `${name} two` }) },
  ];

  async function readAll(names: readonly string[], signal = new AbortController().signal) {
    const tally = createTally();
    const sources = names.map((name) => ({
      input: { ...textInput("0123456789"), bytesGiven: () => 10 },
      format: "test",
      read: async function* () {
        yield* items(name);
      },
    }));
    const documents = await Array.fromAsync(readDocuments(sources, { tally, today: TODAY, signal }));
    return { tally, documents };
  }

  test("become places, and left-out records are counted", async () => {
    const { tally, documents } = await readAll(["a", "b"]);
    expect(documents.map(({ place, hasMadeId, inputBytes }) => [place.title, hasMadeId, inputBytes])).toEqual(
      [
        ["a one", false, 10],
        ["a two", true, 10],
        ["b one", false, 20],
        ["b two", true, 20],
      ],
    );
    expect(tally.read).toBe(10);
    expect(tally.skipped).toEqual(new Map([["no name", 2]]));
    expect(totalRejected(tally)).toBe(4);
  });

  test("are not read further after an abort", async () => {
    await expect(readAll(["a"], AbortSignal.abort(new Error("stop")))).rejects.toThrow("stop");
  });
});
