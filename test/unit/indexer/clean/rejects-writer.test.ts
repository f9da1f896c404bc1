import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createRejectsWriter } from "../../../../indexer/clean/rejects.ts";
import { createAtomicFile } from "../../../../src/cli/atomic-file.ts";

const folder = mkdtempSync(join(tmpdir(), "hereabouts-rejects-"));
afterAll(() => rmSync(folder, { recursive: true }));

function write(value: unknown, record: unknown): unknown {
  const file = createAtomicFile(join(folder, "rejects.jsonl"));
  const position = { file: "a.jsonl", part: "line", number: 7 } as const;
  createRejectsWriter(file)(position, { field: "title", reason: "not a string", value }, record);
  file.finish();
  const [line, rest] = readFileSync(file.path, "utf8").split("\n");
  expect(rest).toBe("");
  return JSON.parse(line!);
}

const REJECTED = { file: "a.jsonl", line: 7, field: "title", reason: "not a string" };

test.each([
  ["a line with its own text", 3, '{"title":3}', { value: "3", record: '{"title":3}' }],
  ["an element as JSON", null, { title: null }, { value: "null", record: '{"title":null}' }],
  ["nothing about what is not known", undefined, undefined, {}],
  ["a long value shortened", "x".repeat(5_000), "{}", { value: "x".repeat(1_000), record: "{}" }],
  [
    "a long record shortened, with its length",
    3,
    "x".repeat(100_000),
    { value: "3", record: "x".repeat(65_536), record_length: 100_000 },
  ],
])("the file of rejects has %s", (_, value, record, more) => {
  expect(write(value, record)).toEqual({ ...REJECTED, ...more });
});
