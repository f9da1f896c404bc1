import { isDeepStrictEqual } from "node:util";
import type { Settings } from "meilisearch";
import { engineResponseOf, type EngineConnection } from "../../src/meilisearch/connection.ts";
import { isPlaceId } from "../../src/meilisearch/manifest.ts";
import { toWritesDocument, WRITES_ID, type Writes } from "../../src/partitions/writes.ts";
import { retryWhileUnreachable, runTask, waitForQueue, waitForTask } from "../index-build/engine-tasks.ts";
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
 * Copies what a replica lacks from its twin, which others may be writing to meanwhile. The replica stays out of use. Makes the index
 * if there is none.
 */
export async function copyWhatIsMissing(options: CopyOptions): Promise<void> {
  const { from, to, signal } = options;
  await waitForQueue(to.connection, { indexUids: [uidOf(to)] }, signal);
  await copySettings(from, to, signal);
  await copyDifferences(options);
}

/** Makes a replica equal to its twin while nothing is written to either, and takes it into use. */
export async function makeEqual(options: CopyOptions, writes: Writes): Promise<void> {
  const { to, tally, signal } = options;
  await copyWhatIsMissing(options);
  tally.deleted += await deleteWhatIsGone(options);
  const { client } = to.connection;
  const mark = [toWritesDocument(writes) as Record<string, unknown>];
  await runTask(to.connection, client.index(uidOf(to)).addDocuments(mark, { primaryKey: "id" }), signal);
}

const uidOf = ({ connection }: Replica): string => connection.liveUid;

async function copySettings(from: Replica, to: Replica, signal: AbortSignal): Promise<void> {
  const { client } = to.connection;
  const uid = uidOf(to);
  const wanted = await readSettings(from.connection, uid);
  let found: Settings | undefined;
  try {
    found = await readSettings(to.connection, uid);
  } catch (error) {
    if (engineResponseOf(error)?.code !== "index_not_found") throw error;
    await runTask(to.connection, client.createIndex(uid, { primaryKey: "id" }), signal);
  }
  if (!isDeepStrictEqual(wanted, found))
    await runTask(to.connection, client.index(uid).updateSettings(wanted), signal);
}

const readSettings = ({ client }: EngineConnection, uid: string): Promise<Settings> =>
  retryWhileUnreachable(() => client.httpRequest.get<Settings>({ path: `indexes/${uid}/settings` }));

/** The fields that show whether a document is the same in both. Places have a hash of their content; the rest are compared whole. */
const MARKS = ["id", "content_hash", "indexed_at", "location_half", "data_id", "redirect_to"] as const;

type Marks = { readonly id: string } & Readonly<Record<string, unknown>>;

/** A response of a megabyte. */
const MARKS_AT_ONCE = 5_000;

/** Whole documents take some kilobytes each. */
const DOCUMENTS_AT_ONCE = 500;

/** So much may wait in the engine, which joins what waits. */
const TASKS_AT_ONCE = 20;

async function copyDifferences({ from, to, tally, signal }: CopyOptions): Promise<void> {
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

/** The ids of documents that the replica lacks or has in another form. Few describe the index: those are always copied. */
async function findDifferent(page: readonly Marks[], to: Replica): Promise<string[]> {
  const wanted = page.filter(({ id }) => id !== WRITES_ID);
  const ids = wanted.map(({ id }) => id);
  const found = await fetchDocuments<Marks>(to, { ids, fields: MARKS, limit: ids.length });
  const byId = new Map(found.map((document) => [document.id, document]));
  return wanted
    .filter((document) => !isPlaceId(document.id) || !isDeepStrictEqual(document, byId.get(document.id)))
    .map(({ id }) => id);
}

/** Resolves to the engine's task. A document that went meanwhile is left out. */
async function copyDocuments(ids: readonly string[], from: Replica, to: Replica): Promise<number> {
  const documents = await fetchDocuments<object>(from, { ids, limit: ids.length });
  const lines = documents.map((document) => JSON.stringify(document)).join("\n");
  const index = to.connection.client.index(uidOf(to));
  const add = async () => index.addDocumentsFromString(lines, "application/x-ndjson", { primaryKey: "id" });
  return (await retryWhileUnreachable(add)).taskUid;
}

/** Deletes the documents that the twin does not have. Resolves to their number. */
async function deleteWhatIsGone({ from, to, signal }: CopyOptions): Promise<number> {
  // The replica has all documents of its twin by now.
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

interface FetchRequest {
  readonly fields?: readonly string[];
  readonly ids?: readonly string[];
  readonly offset?: number;
  readonly limit: number;
}

async function fetchDocuments<T>({ connection }: Replica, body: FetchRequest): Promise<T[]> {
  if (body.limit === 0) return [];
  const path = `indexes/${connection.liveUid}/documents/fetch`;
  const ask = () => connection.client.httpRequest.post<{ results: T[] }>({ path, body });
  return (await retryWhileUnreachable(ask)).results;
}

/** All documents in the engine's own order. */
async function* readPages(
  replica: Replica,
  fields: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<Marks[]> {
  for (let offset = 0; ; offset += MARKS_AT_ONCE) {
    signal.throwIfAborted();
    const page = await fetchDocuments<Marks>(replica, { fields, offset, limit: MARKS_AT_ONCE });
    if (page.length === 0) return;
    yield page;
  }
}

function* inChunks<T>(values: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < values.length; start += size) yield values.slice(start, start + size);
}
