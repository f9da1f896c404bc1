import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { CommandError } from "../../../../src/cli/errors.ts";
import { dataIdIdentity } from "../../../../src/place/document/data-id.ts";
import { toIndexedPlace, type IndexedPlace } from "../../../../src/meilisearch/index-form.ts";
import { createDraftHash } from "../../../../indexer/clean/draft-hash.ts";
import { readDocuments, type ReadDocument } from "../../../../indexer/clean/clean-records.ts";
import { startCleaningThreads, type CleaningThreads } from "../../../../indexer/clean/cleaning-threads.ts";
import { createTally, type ImportTally } from "../../../../indexer/clean/import-tally.ts";
import { watchRejects } from "../../../../indexer/clean/rejects.ts";
import { openSources } from "../../../../indexer/sources/open-sources.ts";
import { emptyDraft } from "../../../../indexer/clean/place-draft.ts";
import { TODAY } from "../text-input.ts";

const folder = mkdtempSync(join(tmpdir(), "hereabouts-threads-"));
afterAll(() => rmSync(folder, { recursive: true }));

const SETUP = { today: TODAY.toString(), areas: [], withDocuments: true };

const record = (id: number, changes: object = {}): string =>
  JSON.stringify({
    title: `Quán ${id}`,
    source: "ours",
    source_id: String(id),
    location: { latitude: 10.7 + id / 10_000, longitude: 106.70001 },
    ...changes,
  });

/** More than two batches, of which every kind of trouble is in each. */
const LINES = Array.from({ length: 900 }, (_, id) => {
  if (id % 100 === 7) return `{"title": "broken ${id}`;
  if (id % 100 === 8) return record(id, { title: "", source_id: "" });
  if (id % 100 === 9) return record(id, { location: { latitude: 0, longitude: 0 } });
  if (id % 100 === 10) return record(id, { colour: "red", contacts: { phone: `no number ${id}` } });
  return record(id);
});

type IsKnown = Parameters<typeof readDocuments>[1]["isKnown"];

async function read(content: string, threads?: CleaningThreads, isKnown?: IsKnown) {
  const path = join(folder, "places.jsonl");
  const rejectsPath = join(folder, `rejects-${threads?.batches ?? 0}.jsonl`);
  writeFileSync(path, content);
  const { signal } = new AbortController();
  const sources = await openSources([path], { signal, stdin: Readable.from([]) });
  const tally = createTally();
  const rejects = watchRejects(sources, tally, { rejects: rejectsPath, maxRejects: 100 });
  const rejected: unknown[] = [];
  const write = tally.onRejected;
  tally.onRejected = (...all) => {
    rejected.push(all);
    write?.(...all);
  };
  const found: ReadDocument[] = [];
  let error: unknown;
  try {
    const hashDraft = createDraftHash([]);
    for await (const document of readDocuments(sources, {
      tally,
      today: TODAY,
      hashDraft,
      isKnown,
      threads,
      signal,
    }))
      found.push(document);
  } catch (thrown) {
    error = thrown;
  }
  rejects?.discard();
  return {
    found,
    rejected,
    error,
    tally: { ...tally, onRejected: undefined } satisfies ImportTally | object,
  };
}

describe("with one thread and with two", () => {
  // Each takes a second of the processor to load the cleaning.
  let threads: CleaningThreads;
  beforeAll(() => {
    threads = startCleaningThreads(2, SETUP);
  });
  afterAll(() => threads.close());

  test("the places, their order, the counts, notes and rejected records are the same", async () => {
    const alone = await read(LINES.join("\n"));
    const together = await read(LINES.join("\n"), threads);
    expect(together.error).toBeUndefined();
    expect(together.tally).toEqual(alone.tally);
    expect(together.rejected).toEqual(alone.rejected);
    expect(together.found.map((found) => ({ ...found, document: undefined }))).toEqual(alone.found);
    expect(alone.tally).toMatchObject({ read: 900 });
    expect(alone.found).toHaveLength(900 - 27);
  });

  test("records of which the index has made its places are counted and not cleaned", async () => {
    const first = await read(LINES.join("\n"));
    const hashes = new Map(
      first.found.map(({ place }) => [
        dataIdIdentity(place.data_id),
        (place as Pick<IndexedPlace, "draft_hash">).draft_hash,
      ]),
    );
    expect(new Set(hashes.values()).size).toBe(first.found.length);
    const changed = LINES.with(5, record(5, { title: "Renamed" })).with(25, record(1, { rating: 2 }));
    const isKnown: IsKnown = (identity, draftHash) => hashes.get(identity) === draftHash;
    for (const again of [
      await read(changed.join("\n"), undefined, isKnown),
      await read(changed.join("\n"), threads, isKnown),
    ]) {
      expect(again.found.map(({ place }) => [place.title, place.rating])).toEqual([
        ["Renamed", 0],
        ["Quán 1", 2],
      ]);
      expect(again.tally.read).toBe(900);
      expect(again.tally.files).toEqual(first.tally.files);
      expect(again.rejected).toHaveLength(first.rejected.length);
    }
  });

  test("a document for the engine is the one that this thread would build", async () => {
    const { found } = await read(`${record(1)}\n`, threads);
    const { indexed_at: indexedAt, ...document } = JSON.parse(found[0]?.document ?? "{}") as IndexedPlace;
    const expected = toIndexedPlace(found[0]!.place, indexedAt * 1_000);
    expect({ ...document, indexed_at: indexedAt }).toEqual(JSON.parse(JSON.stringify(expected)));
  });

  test("what was read before the input broke off is counted and yielded", async () => {
    const content = `${LINES.slice(0, 250).join("\n")}\n{"title": "cut`;
    const alone = await read(content);
    const together = await read(content, threads);
    expect(together.error).toEqual(alone.error);
    expect(together.error).toBeInstanceOf(CommandError);
    expect(together.tally).toEqual(alone.tally);
    expect(together.found).toHaveLength(alone.found.length);
  });
});

describe("a thread that ends fails the reading with one sentence", () => {
  const writeThread = (name: string, code: string): string => {
    const path = join(folder, name);
    writeFileSync(path, `import { parentPort } from "node:worker_threads";\n${code}`);
    return path;
  };

  test.each([
    ["exits", "parentPort.on('message', () => process.exit(7));", "it exited with 7"],
    ["throws", "parentPort.on('message', () => { throw new Error('no table'); });", "no table"],
    ["cannot start", "throw new Error('no module');", "no module"],
  ])("when it %s", async (name, code, reason) => {
    const threads = startCleaningThreads(2, SETUP, writeThread(`${name}.mjs`, code));
    onTestFinished(() => threads.close());
    const { error } = await read(LINES.join("\n"), threads);
    expect(error).toBeInstanceOf(CommandError);
    expect((error as Error).message).toBe(`A thread that cleans records has ended: ${reason}.`);
    await expect(threads.clean([emptyDraft()])).rejects.toThrow("has ended");
  });
});
