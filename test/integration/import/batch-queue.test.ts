import { expect, inject, onTestFinished, test } from "vitest";
import { connectEngine, type IndexConnection } from "../../../src/meilisearch/connection.ts";
import { readStats } from "../../../src/meilisearch/manifest.ts";
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
  await createEmptyIndex(connection);
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

/** The kinds of its tasks, the first one first. */
async function readTasks({ uid }: IndexConnection): Promise<string[]> {
  const page = await askEngine<Page<{ type: string }>>(engine, `tasks?indexUids=${uid}&reverse=true`);
  return (page?.results ?? []).map(({ type }) => type);
}

test("at most one request waits while the engine writes another, and in the end there is nothing but the places in their order", async () => {
  const connection = await makeIndex("test_queue_order");
  const path = `tasks?statuses=enqueued,processing&indexUids=${connection.uid}`;
  const unfinished: (number | undefined)[] = [];
  const addDocuments: IndexConnection["addDocuments"] = async (uid, lines) => {
    unfinished.push((await askEngine<{ total: number }>(engine, path))?.total);
    return connection.addDocuments(uid, lines);
  };
  const { signal } = new AbortController();
  const queue = createBatchQueue({ ...connection, addDocuments }, { signal, mostBytes: 1 });
  for (let first = 0; first < 50; first += 5) await queue.post(linesFrom(first, 5));
  await queue.finish();
  expect(unfinished).toHaveLength(10);
  expect(unfinished.every((count) => count !== undefined && count <= 1)).toBe(true);
  const ids = placesFrom(0, 50).map(({ data_id: dataId }) => dataId.slice("0x1:".length));
  expect(await readIds(connection.uid)).toEqual(ids);
});

test("an import of one batch is one request", async () => {
  const connection = await makeIndex("test_queue_small");
  const { signal } = new AbortController();
  const queue = createBatchQueue(connection, { signal });
  await queue.post(linesFrom(0, 20));
  await queue.finish();
  await queue.finish();
  expect(await readTasks(connection)).toEqual(["settingsUpdate", "documentAdditionOrUpdate"]);
});

/** Whether places can be found by a value. */
async function isFiled({ client, uid }: IndexConnection): Promise<boolean> {
  const filter = 'type = "PLACE"';
  return client
    .index(uid)
    .search("", { filter })
    .then(
      ({ hits }) => hits.length > 0,
      () => false,
    );
}

test("values are filed with the places of one request, and at the end where there are more", async () => {
  const { signal } = new AbortController();
  for (const mostBytes of [undefined, 1]) {
    const connection = await makeIndex(`test_queue_values_${mostBytes ?? "all"}`);
    const queue = createBatchQueue(connection, { signal, ...(mostBytes !== undefined && { mostBytes }) });
    await queue.post(linesFrom(0, 5));
    await queue.post(linesFrom(5, 5));
    await queue.finish();
    expect(await isFiled(connection)).toBe(mostBytes === undefined);
    await queue.file();
    expect(await isFiled(connection)).toBe(true);
  }
});

test("places that are longer than a request are sent all the same", async () => {
  const connection = await makeIndex("test_queue_long");
  const { signal } = new AbortController();
  const queue = createBatchQueue(connection, { signal, mostBytes: 1_000 });
  await queue.post(linesFrom(0, 1));
  await queue.post(linesFrom(1, 40));
  await queue.post(linesFrom(41, 1));
  await queue.finish();
  expect(await readIds(connection.uid)).toHaveLength(42);
});

test("a build that was replaced sends nothing more", async () => {
  const connection = await makeIndex("test_queue_replaced");
  const { signal } = new AbortController();
  const queue = createBatchQueue(connection, { signal });
  await queue.post(linesFrom(0, 5));
  await connection.client.deleteIndex(connection.uid).waitTask();
  await expect(queue.finish()).rejects.toThrow("took the place");
  await expect(readStats(connection, connection.uid, 5_000)).rejects.toThrow("index_not_found");
});
