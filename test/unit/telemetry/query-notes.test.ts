import { expect, test } from "vitest";
import { createQueryNotes, type NotedQuery } from "../../../src/telemetry/query-notes.ts";

const LONG_MS = 1_000_000;

function setUp(write?: () => Promise<void>) {
  const written: { date: string; noted: readonly NotedQuery[] }[] = [];
  const notes = createQueryNotes({
    now: () => Temporal.Instant.from("2026-11-20T23:59:59Z"),
    flushMs: LONG_MS,
    write: write ?? (async (date, noted) => void written.push({ date, noted })),
  });
  const search = (query: string, { caller = "someone", foundNothing = false } = {}): void =>
    notes.note({ query, caller, foundNothing });
  return { notes, search, written };
}

test("a Redis that does not respond costs the queries, and nothing else", async () => {
  const { notes, search } = setUp(() => Promise.reject(new Error("Redis is away")));
  search("cafe");
  await expect(notes.close()).resolves.toBeUndefined();
});

test("spellings of one query are counted together, with how often it found nothing", async () => {
  const { notes, search, written } = setUp();
  search("Cà phê");
  search("ca  phe!", { foundNothing: true });
  search("phở");
  await notes.close();
  expect(written).toMatchObject([
    {
      date: "2026-11-20",
      noted: [
        { query: "ca phe", searches: 2, empty: 1 },
        { query: "pho", searches: 1, empty: 0 },
      ],
    },
  ]);
});

test("callers are told apart without being named", async () => {
  const { notes, search, written } = setUp();
  for (const caller of ["key-1 10.0.0.1", "key-1 10.0.0.1", "key-1 10.0.0.2"]) search("cafe", { caller });
  await notes.close();
  const callers = written[0]?.noted[0]?.callers ?? [];
  expect(callers).toHaveLength(2);
  expect(JSON.stringify(written)).not.toMatch(/key-1|10\.0/);
});

test("what is longer than people type is left out, and so is what has no letters", async () => {
  const { notes, search, written } = setUp();
  search("pho ".repeat(30));
  search("???");
  await notes.close();
  expect(written).toEqual([]);
});

test("memory is bounded: more queries in one interval are left out", async () => {
  const { notes, search, written } = setUp();
  for (let number = 0; number < 3_000; number += 1) search(`query ${number}`);
  search("query 7");
  await notes.close();
  const all = written.flatMap(({ noted }) => noted);
  expect(all).toHaveLength(1_000);
  expect(all.find(({ query }) => query === "query 7")?.searches).toBe(2);
  for (const { noted } of written) expect(noted.length).toBeLessThanOrEqual(100);
});
