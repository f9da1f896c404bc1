import { isDeepStrictEqual } from "node:util";
import type { Settings } from "meilisearch";
import { engineResponseOf } from "../../src/meilisearch/connection.ts";
import { toFillingSettings } from "../../src/meilisearch/index-form.ts";
import { isPlaceId } from "../../src/meilisearch/manifest.ts";
import { NAME_DOCUMENTS } from "../../src/partitions/name-filter.ts";
import {
  rememberedBatches,
  toWritesDocument,
  WRITES_ID,
  type ChangedDocument,
  type Writes,
} from "../../src/partitions/writes.ts";
import { retryWhileUnreachable, runTask, waitForQueue, waitForTask } from "./engine-tasks.ts";
import { inChunks, streamPages } from "./read-index.ts";
import type { Replica } from "./connect-generation.ts";

/** What had to be done to make a replica equal to its twin. */
export interface CopyTally {
  copied: number;
  deleted: number;
}

interface CopyOptions {
  readonly from: Replica;
  readonly to: Replica;
  readonly tally: CopyTally;
  readonly signal: AbortSignal;
}

/**
 * Copies what a replica lacks from its twin and deletes what that does not have, while others may be writing to the twin. The replica
 * stays out of use: it lacks some of what they write meanwhile. Makes the index if there is none.
 */
export async function copyDifferences(options: CopyOptions): Promise<void> {
  const { from, to, tally, signal } = options;
  await waitForQueue(to.connection, uidOf(to), signal);
  await makeIndexToFill(from, to, signal);
  await copyPages(options);
  tally.deleted += await deleteWhatIsGone(options);
  await copySettings(from, to, signal);
}

/**
 * Copies what batches of changes changed in the twin, and what describes it. `false` when they are not all remembered.
 * @param after the count of the last batch before the replica was compared.
 */
export async function copyChanges(
  options: CopyOptions,
  { after, until }: { readonly after: number; readonly until: number },
): Promise<boolean> {
  const { from, signal } = options;
  const batches = rememberedBatches(after, until);
  if (batches === undefined) return false;
  const remembered = await fetchDocuments<ChangedDocument>(from, { ids: batches, limit: batches.length });
  const isWhole = batches.every((id, index) =>
    remembered.some((found) => found.id === id && found["_changed_by"] === after + 1 + index),
  );
  if (!isWhole) return false;
  const places = new Set(remembered.flatMap(({ _changed: ids }) => ids));
  const described = Object.values(NAME_DOCUMENTS);
  for (const ids of inChunks([...places, ...described, ...batches], DOCUMENTS_AT_ONCE))
    await copyOrDelete(ids, options);
  signal.throwIfAborted();
  return true;
}

/**
 * Takes a replica into use that has all documents of its twin, to which nothing is written meanwhile. Deletes those that only it has, rarely
 * anything.
 * @throws when it lacks some: its engine lost data after the comparison.
 */
export async function takeIntoUse(options: CopyOptions, writes: Writes): Promise<void> {
  const { from, to, tally, signal } = options;
  tally.deleted += await deleteWhatIsGone(options);
  const [wanted, found] = await Promise.all([from, to].map(countAll));
  if (wanted !== found)
    throw new Error(
      `Partition ${to.partition} on ${to.engine} has ${found} of ${wanted} documents after the comparison.`,
    );
  const { client } = to.connection;
  const mark = [toWritesDocument(writes) as Record<string, unknown>];
  await runTask(to.connection, client.index(uidOf(to)).addDocuments(mark, { primaryKey: "id" }), signal);
}

const uidOf = ({ connection }: Replica): string => connection.uid;

/** An index that is there keeps its settings until it has everything. */
async function makeIndexToFill(from: Replica, to: Replica, signal: AbortSignal): Promise<void> {
  const { client } = to.connection;
  const uid = uidOf(to);
  try {
    await readSettings(to);
  } catch (error) {
    if (engineResponseOf(error)?.code !== "index_not_found") throw error;
    await runTask(to.connection, client.createIndex(uid, { primaryKey: "id" }), signal);
    const settings = toFillingSettings(await readSettings(from));
    await runTask(to.connection, client.index(uid).updateSettings(settings), signal);
  }
}

async function copySettings(from: Replica, to: Replica, signal: AbortSignal): Promise<void> {
  const [wanted, found] = await Promise.all([from, to].map(readSettings));
  const { client } = to.connection;
  if (!isDeepStrictEqual(wanted, found))
    await runTask(to.connection, client.index(uidOf(to)).updateSettings(wanted!), signal);
}

const readSettings = ({ connection }: Replica): Promise<Settings> =>
  retryWhileUnreachable(() =>
    connection.client.httpRequest.get<Settings>({ path: `indexes/${connection.uid}/settings` }),
  );

/** The fields that show whether a document is the same in both. Places have a hash of their content; the rest are compared whole. */
const MARKS = [
  "id",
  "content_hash",
  "indexed_at",
  "location_half",
  "data_id",
  "redirect_to",
  "_changed_by",
] as const;

type Marks = { readonly id: string } & Readonly<Record<string, unknown>>;

/** A response of a megabyte. */
const MARKS_AT_ONCE = 5_000;

/** Whole documents take some kilobytes each. */
const DOCUMENTS_AT_ONCE = 500;

/** How many tasks may wait in the engine, which joins those that wait. */
const TASKS_AT_ONCE = 20;

async function copyPages({ from, to, tally, signal }: CopyOptions): Promise<void> {
  let tasks: number[] = [];
  for await (const page of readPages(from, MARKS, signal)) {
    const different = await findDifferent(page, to);
    for (const ids of inChunks(different, DOCUMENTS_AT_ONCE)) {
      tasks.push(await copyDocuments(ids, from, to));
      tally.copied += ids.filter(isPlaceId).length;
      if (tasks.length < TASKS_AT_ONCE) continue;
      await waitForTasks(to, tasks, signal);
      tasks = [];
    }
  }
  await waitForTasks(to, tasks, signal);
}

async function waitForTasks(
  { connection }: Replica,
  tasks: readonly number[],
  signal: AbortSignal,
): Promise<void> {
  for (const task of tasks) await waitForTask(connection, task, signal);
}

/**
 * The ids of documents that the replica lacks or has in another form. Few describe the index: those are always copied, unless they only
 * remember a batch.
 */
async function findDifferent(page: readonly Marks[], to: Replica): Promise<string[]> {
  const wanted = page.filter(({ id }) => id !== WRITES_ID);
  const ids = wanted.map(({ id }) => id);
  const found = await fetchDocuments<Marks>(to, { ids, fields: MARKS, limit: ids.length });
  const byId = new Map(found.map((document) => [document.id, document]));
  return wanted
    .filter((document) => {
      const isMarked = isPlaceId(document.id) || "_changed_by" in document;
      return !isMarked || !isDeepStrictEqual(document, byId.get(document.id));
    })
    .map(({ id }) => id);
}

/** Copies the documents that the twin has, and deletes the others. */
async function copyOrDelete(ids: readonly string[], { from, to, tally, signal }: CopyOptions): Promise<void> {
  const documents = await fetchDocuments<{ readonly id: string }>(from, { ids, limit: ids.length });
  const known = new Set(documents.map(({ id }) => id));
  tally.copied += [...known].filter(isPlaceId).length;
  if (documents.length > 0) await waitForTask(to.connection, await putDocuments(documents, to), signal);
  const gone = ids.filter((id) => !known.has(id));
  if (gone.length === 0) return;
  await runTask(to.connection, to.connection.client.index(uidOf(to)).deleteDocuments(gone), signal);
  tally.deleted += gone.filter(isPlaceId).length;
}

/** Resolves to the engine's task. A document that went meanwhile is left out. */
const copyDocuments = async (ids: readonly string[], from: Replica, to: Replica): Promise<number> =>
  putDocuments(await fetchDocuments<object>(from, { ids, limit: ids.length }), to);

async function putDocuments(documents: readonly object[], to: Replica): Promise<number> {
  const lines = documents.map((document) => JSON.stringify(document)).join("\n");
  const index = to.connection.client.index(uidOf(to));
  const add = async () => index.addDocumentsFromString(lines, "application/x-ndjson", { primaryKey: "id" });
  return (await retryWhileUnreachable(add)).taskUid;
}

/** Deletes the documents that the twin does not have, once the replica has all of its. Resolves to their number. */
async function deleteWhatIsGone({ from, to, signal }: CopyOptions): Promise<number> {
  const [kept, found] = await Promise.all([from, to].map(countAll));
  if (kept === found) return 0;
  const gone: string[] = [];
  for await (const page of readPages(to, ["id"], signal)) {
    const ids = page.map(({ id }) => id).filter((id) => id !== WRITES_ID);
    const twins = await fetchDocuments<Marks>(from, { ids, fields: ["id"], limit: ids.length });
    const known = new Set(twins.map(({ id }) => id));
    gone.push(...ids.filter((id) => !known.has(id)));
  }
  if (gone.length > 0) {
    const { client } = to.connection;
    await runTask(to.connection, client.index(uidOf(to)).deleteDocuments(gone), signal);
  }
  return gone.filter(isPlaceId).length;
}

/** The number of documents without the number of writes, which an unfinished replica lacks. */
async function countAll(replica: Replica): Promise<number> {
  const path = `indexes/${uidOf(replica)}/stats`;
  const { numberOfDocuments, fieldDistribution } = await replica.connection.client.httpRequest.get<{
    numberOfDocuments: number;
    fieldDistribution: Readonly<Record<string, number>>;
  }>({ path });
  return numberOfDocuments - (fieldDistribution["_writes"] ?? 0);
}

/** A page takes a second at most. One of an engine that hangs must not keep others waiting, who may want to write. */
const FETCH_DEADLINE_MS = 10_000;

interface FetchRequest {
  readonly fields?: readonly string[];
  readonly ids?: readonly string[];
  readonly offset?: number;
  readonly limit: number;
}

async function fetchDocuments<T>({ connection }: Replica, body: FetchRequest): Promise<T[]> {
  if (body.limit === 0) return [];
  const path = `indexes/${connection.uid}/documents/fetch`;
  const ask = () => {
    const extraRequestInit = { signal: AbortSignal.timeout(FETCH_DEADLINE_MS) };
    return connection.client.httpRequest.post<{ results: T[] }>({ path, body, extraRequestInit });
  };
  return (await retryWhileUnreachable(ask)).results;
}

/** All documents, also while others write. */
async function* readPages(
  replica: Replica,
  fields: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<Marks[]> {
  const read = (range: FetchRequest): Promise<Marks[]> => {
    signal.throwIfAborted();
    return fetchDocuments<Marks>(replica, { fields, ...range });
  };
  yield* streamPages(read, MARKS_AT_ONCE);
}
