import { expect, inject, onTestFinished, test } from "vitest";
import { connectEngine, type IndexConnection } from "../../../src/meilisearch/connection.ts";
import { readManifest, toManifestDocument } from "../../../src/meilisearch/manifest.ts";
import { toIndexedPlace } from "../../../src/meilisearch/index-form.ts";
import { createBatchQueue } from "../../../indexer/index/batch-queue.ts";
import { createEmptyIndex } from "../../../indexer/index/start-build.ts";
import { buildPlace } from "../../support/build-place.ts";
import { askEngine } from "./live-documents.ts";

const engine = { url: inject("meilisearchUrl"), key: inject("meilisearchKey") };

const placesFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) =>
    buildPlace({ data_id: `0x1:0x${(first + index).toString(16)}` }),
  );

const linesFrom = (first: number, count: number): string[] =>
  placesFrom(first, count).map((place) => JSON.stringify(toIndexedPlace(place)));

async function makeIndex(uid: string): Promise<IndexConnection> {
  const connection = { ...connectEngine(engine), uid };
  onTestFinished(async () => {
    await connection.client.deleteIndex(connection.uid);
    await connection.close();
  });
  await createEmptyIndex(connection, { id: uid, origin: { files: [], today: "" }, builtAt: uid });
  return connection;
}

interface Page<T> {
  readonly results: readonly T[];
}

const readIds = async (uid: string): Promise<string[]> => {
  const page = await askEngine<Page<{ id: string }>>(engine, `indexes/${uid}/documents/fetch`, {
    limit: 10_000,
  });
  return (page?.results ?? []).map(({ id }) => id);
};

test("at most one request waits while the engine writes another, and in the end there is nothing but the places in their order", async () => {
  const connection = await makeIndex("test_queue_order");
  const manifest = (await readManifest(connection, connection.uid))!;
  const path = `tasks?statuses=enqueued,processing&indexUids=${connection.uid}`;
  const unfinished: (number | undefined)[] = [];
  const addDocuments: IndexConnection["addDocuments"] = async (uid, lines) => {
    unfinished.push((await askEngine<{ total: number }>(engine, path))?.total);
    return connection.addDocuments(uid, lines);
  };
  const { signal } = new AbortController();
  const queue = createBatchQueue({ ...connection, addDocuments }, manifest, { signal, mostBytes: 1 });
  for (let first = 0; first < 50; first += 5) await queue.post(linesFrom(first, 5));
  await queue.finish();
  expect(unfinished).toHaveLength(10);
  expect(unfinished.every((count) => count !== undefined && count <= 1)).toBe(true);
  const ids = placesFrom(0, 50).map(({ data_id: dataId }) => dataId.slice("0x1:".length));
  expect(await readIds(connection.uid)).toEqual(["manifest", ...ids]);
});

test("an import of one batch is one request", async () => {
  const connection = await makeIndex("test_queue_small");
  const manifest = (await readManifest(connection, connection.uid))!;
  const { signal } = new AbortController();
  const countTasks = async (): Promise<number | undefined> =>
    (await askEngine<{ total: number }>(engine, `tasks?indexUids=${connection.uid}`))?.total;
  const before = (await countTasks())!;
  const queue = createBatchQueue(connection, manifest, { signal });
  await queue.post(linesFrom(0, 20));
  await queue.finish();
  await queue.finish();
  expect(await countTasks()).toBe(before + 1);
});

test("places that are longer than a request are sent all the same", async () => {
  const connection = await makeIndex("test_queue_long");
  const manifest = (await readManifest(connection, connection.uid))!;
  const { signal } = new AbortController();
  const queue = createBatchQueue(connection, manifest, { signal, mostBytes: 1_000 });
  await queue.post(linesFrom(0, 1));
  await queue.post(linesFrom(1, 40));
  await queue.post(linesFrom(41, 1));
  await queue.finish();
  expect(await readIds(connection.uid)).toHaveLength(43);
});

test("a build that was replaced sends nothing more", async () => {
  const connection = await makeIndex("test_queue_replaced");
  const manifest = (await readManifest(connection, connection.uid))!;
  const { signal } = new AbortController();
  const queue = createBatchQueue(connection, manifest, { signal });
  await queue.post(linesFrom(0, 5));
  const later = { ...manifest, built_at: "later" };
  await connection.client
    .index(connection.uid)
    .addDocuments([toManifestDocument(later)])
    .waitTask();
  await expect(queue.finish()).rejects.toThrow("took the place");
  expect(await readIds(connection.uid)).toEqual(["manifest"]);
});
