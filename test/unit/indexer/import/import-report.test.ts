import { describe, expect, test } from "vitest";
import { buildReport, formatReport } from "../../../../indexer/import/import-report.ts";
import {
  countRejected,
  countSkipped,
  createNotes,
  createTally,
  placeNotes,
} from "../../../../indexer/clean/import-tally.ts";
import { countMerged } from "../../../../indexer/merge/merge-tally.ts";
import { readNative } from "../../../../indexer/sources/native/native.ts";
import { textInput } from "../text-input.ts";

const SOURCES = [{ input: textInput(""), format: "native" as const, read: readNative }];
const line = (number: number) => ({ file: "a.jsonl", part: "line", number }) as const;

function tallyOfSomeImport() {
  const tally = createTally();
  tally.read = 1_234;
  tally.written = 1_200;
  for (let count = 0; count < 30; count += 1) countSkipped(tally, "no name");
  for (const number of [5, 9, 11, 40])
    countRejected(tally, line(number), { field: "title", reason: "empty" });
  countRejected(tally, line(7), { field: "location", reason: "not a number", value: "NaN, 3" });
  const note = createNotes(tally);
  note("rating", "not of the documented form");
  note("opening_hours", "simplified");
  note("opening_hours", "simplified");
  return tally;
}

describe("what was merged", () => {
  const pair = {
    kept: { data_id: "0x1:0x1", source: "city", title: "Phở Sáng" },
    merged: { data_id: "0x1:0x2", source: "osm", title: "Pho Sang" },
    reason: "name + phone",
    distance_meters: 12,
  };
  const reportOf = (count: number) => {
    const tally = tallyOfSomeImport();
    for (let merged = 0; merged < count; merged += 1) countMerged(tally.merges, pair);
    return buildReport({ outcome: "imported", sources: SOURCES, tally, indexed: 1_000, durationMs: 1 });
  };

  test("is not a duplicate, and its reasons are counted", () => {
    const { duplicates, merged } = reportOf(40);
    expect(duplicates).toBe(160);
    expect(merged).toMatchObject({ total: 40, reasons: [{ reason: "name + phone", count: 40 }] });
    expect(merged.pairs).toHaveLength(20);
  });

  test("is reported with the first pairs, or not at all without any", () => {
    const lines = formatReport(reportOf(40)).split("\n");
    expect(lines).toContain("merged      40 into places of other sources");
    expect(lines).toContain("  40 by distance + name + phone");
    expect(lines.filter((text) => text.includes("Pho Sang (osm) into Phở Sáng (city): 12 m"))).toHaveLength(
      5,
    );
    expect(formatReport(reportOf(0))).not.toContain("merged");
  });
});

test("types from titles are reported, or not at all without any", () => {
  const reportOf = (typesFromTitles: number) =>
    formatReport(
      buildReport({
        outcome: "imported",
        sources: SOURCES,
        tally: { ...tallyOfSomeImport(), typesFromTitles },
        indexed: 1_000,
        durationMs: 1,
      }),
    );
  expect(reportOf(1_180)).toContain("\ntypes       1,180 taken from titles\n");
  expect(reportOf(0)).not.toContain("taken from titles");
});

describe("the report", () => {
  const input = { sources: SOURCES, tally: tallyOfSomeImport(), durationMs: 2_000 };

  test("has everything for a program", () => {
    expect(buildReport({ ...input, outcome: "imported", indexed: 1_190 })).toMatchObject({
      outcome: "imported",
      files: [{ name: "test-file", format: "native" }],
      read: 1_234,
      indexed: 1_190,
      duplicates: 10,
      skipped: { total: 30, reasons: [{ reason: "no name", count: 30 }] },
      rejected: {
        total: 5,
        reasons: [
          { field: "title", count: 4 },
          { field: "location", count: 1 },
        ],
      },
      fields: [
        { field: "opening_hours", kind: "simplified", count: 2 },
        { field: "rating", count: 1 },
      ],
      duration_seconds: 2,
      records_per_second: 617,
    });
  });

  test("a failed import reports nothing as indexed and no duplicates", () => {
    const report = buildReport({ ...input, outcome: "failed", error: "disk full", indexed: 0 });
    expect(report).toMatchObject({ outcome: "failed", error: "disk full", indexed: 0, duplicates: 0 });
  });

  test("names the position of problems", () => {
    const text = formatReport(buildReport({ ...input, outcome: "imported", indexed: 1_190 }));
    for (const part of [
      "1,234 records",
      "1,190 places",
      "30 no name",
      "4 title: empty",
      "a.jsonl, line 5",
      "a.jsonl, line 7: NaN, 3",
      "2 opening_hours: simplified",
    ]) {
      expect(text).toContain(part);
    }
  });

  test("names the files of rejected records, and the file that lists all", () => {
    const tally = createTally();
    for (const file of ["a", "b", "b"])
      countRejected(tally, { file, part: "line", number: 1 }, { field: "title", reason: "empty" });
    const report = buildReport({
      ...input,
      sources: [...SOURCES, ...SOURCES],
      tally,
      outcome: "failed",
      indexed: 0,
      rejectsPath: "rejects.jsonl",
    });
    expect(report.rejected).toMatchObject({
      by_file: [
        { name: "b", count: 2 },
        { name: "a", count: 1 },
      ],
      listed_in: "rejects.jsonl",
    });
    expect(formatReport(report)).toMatch(
      /files\n {2}a: 0 places, 1 rejected\n {2}b: 0 places, 2 rejected\n[^]*rejects\.jsonl/,
    );
  });

  test("shows the first records with an unusable field, each once, and their values", () => {
    const tally = createTally();
    const note = createNotes(tally);
    note("rating", "not a number", "good");
    note("mood", "unknown");
    placeNotes(tally, line(3));
    for (const number of [4, 5, 6]) {
      note("rating", "not a number", "bad");
      note("rating", "not a number", "worse");
      placeNotes(tally, line(number));
    }
    const text = formatReport(buildReport({ ...input, tally, outcome: "imported", indexed: 0 }));
    expect(text).toContain(
      ["  7 rating: not a number", "line 3: good", "line 4: bad", "line 5: bad"].join("\n    a.jsonl, "),
    );
    expect(text).not.toContain("line 6");
    expect(text).toContain("  1 mood: unknown\n    a.jsonl, line 3");
  });

  test("a list too long for a terminal is shortened, and says so", () => {
    const tally = createTally();
    const note = createNotes(tally);
    for (let count = 0; count < 50; count += 1) note(`field ${count}`, "unknown");
    const text = formatReport(buildReport({ ...input, tally, outcome: "imported", indexed: 0 }));
    expect(text.split("\n").length).toBeLessThan(30);
    expect(text).toContain("and 35 more");
  });
});
