import { untilAborted } from "../../src/cli/interruption.ts";
import { toChangedDocument, toWritesDocument } from "../../src/partitions/writes.ts";
import { hasAnswered, retryWhileUnreachable, waitForQueue, waitForTask } from "./engine-tasks.ts";
import type { Replica } from "./connect-generation.ts";
import { inChunks } from "./read-index.ts";
import { findCurrent, type CurrentReplica } from "./read-partitions.ts";

/** What is written to a partition at once. */
export interface PartitionChanges {
  /** Documents as JSON. */
  readonly documents: readonly string[];
  /** Identities of the places among them. */
  readonly written: readonly string[];
  /** Identities. */
  readonly removed: readonly string[];
}

/** Small batches keep few places in memory as text. The engine joins them. */
const DOCUMENTS_AT_ONCE = 1_000;

/** A replica that has a twin is left out after so long without a response: it is brought up to date when it is back. */
const PATIENCE_MS = 3_000;

/** Waits for the writes that a process before this one may have left in the queues of the engines that respond. */
export async function settle(replicas: readonly Replica[]): Promise<void> {
  const settleOne = async ({ connection }: Replica): Promise<void> => {
    await untilAborted(() => connection.client.health(), AbortSignal.timeout(PATIENCE_MS));
    await waitForQueue(connection, connection.uid);
  };
  await Promise.allSettled(replicas.map(settleOne));
}

/**
 * The replicas that have all writes, once they are settled.
 * @throws when none responds.
 */
export async function findWritable(
  replicas: readonly Replica[],
  partition: number,
): Promise<[CurrentReplica, ...CurrentReplica[]]> {
  await settle(replicas);
  return findCurrent(replicas, partition);
}

/** Changes that are on their way. */
export interface PendingWrite {
  /** The replicas that took them, with their new number of writes. */
  readonly replicas: readonly CurrentReplica[];
  /** Waits until searches see them. */
  readonly wait: () => Promise<void>;
}

/** The tasks of one replica. */
interface Sent {
  readonly replica: Replica;
  readonly tasks: readonly number[];
}

/**
 * Sends changes to the current replicas of a partition with the next number of writes, so that a replica that misses them is left
 * out. The first replica gets the number with the first request, the others with the last: wherever this process ends, replicas
 * with the highest number are equal.
 * @throws when no replica takes them.
 */
export async function writeToReplicas(
  replicas: readonly CurrentReplica[],
  changes: PartitionChanges,
  { hasTwins }: { readonly hasTwins: boolean },
): Promise<PendingWrite> {
  const [first, ...others] = replicas;
  if (first === undefined) throw new Error("There is no replica to write to.");
  return writeInOrder(first, others, { changes, count: first.writes + 1, hasTwins });
}

interface Write {
  readonly changes: PartitionChanges;
  readonly count: number;
  /** Another engine may have to catch up. */
  readonly hasTwins: boolean;
}

async function writeInOrder(first: Replica, others: readonly Replica[], write: Write): Promise<PendingWrite> {
  const { count } = write;
  const hasTwin = others.length > 0;
  let sent: Sent;
  try {
    sent = await send(first, requestsOf(write, "first"), hasTwin);
  } catch (error) {
    const [next, ...rest] = others;
    if (next === undefined || hasAnswered(error)) throw error;
    // It may have got the number and not the rest.
    return writeInOrder(next, rest, { ...write, count: count + 1 });
  }
  const results = await Promise.allSettled(
    others.map((replica) => send(replica, requestsOf(write, "last"), true)),
  );
  const all = [sent, ...results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []))];
  return { replicas: all.map(({ replica }) => ({ ...replica, writes: count })), wait: waitingFor(all) };
}

/** Holds none of the documents, so many writes can be awaited together. */
const waitingFor = (sent: readonly Sent[]) => (): Promise<void> => waitForAll(sent);

/** Enqueues one request to the engine. */
type Request = (replica: Replica) => PromiseLike<{ readonly taskUid: number }>;

function requestsOf(
  { changes: { documents, written, removed }, count, hasTwins }: Write,
  mark: "first" | "last",
): Request[] {
  const changed = hasTwins ? [toChangedDocument(count, [...written, ...removed])] : [];
  // One line for the engine's request: both come in the same task.
  const marks = [toWritesDocument({ count }), ...changed]
    .map((document) => JSON.stringify(document))
    .join("\n");
  const lines = mark === "first" ? [marks, ...documents] : [...documents, marks];
  const additions = Array.from(inChunks(lines, DOCUMENTS_AT_ONCE), (some): Request => {
    const text = some.join("\n");
    return ({ connection: { client, uid } }) =>
      client.index(uid).addDocumentsFromString(text, "application/x-ndjson", { primaryKey: "id" });
  });
  const removals: Request[] =
    removed.length === 0
      ? []
      : [({ connection: { client, uid } }) => client.index(uid).deleteDocuments([...removed])];
  return mark === "first" ? [...additions, ...removals] : [...removals, ...additions];
}

/** Every request may be sent twice, so a lost response is harmless. */
async function send(replica: Replica, requests: readonly Request[], hasTwin: boolean): Promise<Sent> {
  const tasks: number[] = [];
  for (const request of requests) {
    const enqueue = async (): Promise<{ readonly taskUid: number }> => request(replica);
    const { taskUid } = hasTwin ? await impatiently(enqueue) : await retryWhileUnreachable(enqueue);
    tasks.push(taskUid);
  }
  return { replica, tasks };
}

function impatiently<T>(ask: () => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  return untilAborted(() => retryWhileUnreachable(ask, signal), signal);
}

/** Waits for all replicas that respond, at least one. */
async function waitForAll(sent: readonly Sent[]): Promise<void> {
  const [maxSilenceMs] = sent.length > 1 ? [PATIENCE_MS] : [];
  const results = await Promise.allSettled(
    sent.map(async ({ replica, tasks }) => {
      for (const task of tasks) await waitForTask(replica.connection, task, undefined, maxSilenceMs);
    }),
  );
  const failed = results.filter((result) => result.status === "rejected");
  const refused = failed.find(({ reason }) => hasAnswered(reason));
  if (refused) throw refused.reason;
  if (failed.length === sent.length) throw failed[0]?.reason;
}
