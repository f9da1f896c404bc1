import * as v from "valibot";
import { engineResponseOf, type EngineConnection } from "../meilisearch/connection.ts";

/**
 * How many batches a replica of a partition has got. Every batch of changes carries the next count in the same task of the engine,
 * and goes to all replicas with the highest one. A replica that missed a batch therefore has a lower count and is left out, by
 * readers and writers, until it is brought up to date. A replica without a count was never finished.
 */
export interface Writes {
  readonly count: number;
}

/** What is known of a replica. */
interface KnownReplica {
  /** The map says that it missed changes. */
  readonly isBehind: boolean;
  /** How many batches it has got; `undefined` for one that is missing, unfinished or unknown. */
  readonly writes: number | undefined;
}

/** The highest count of the replicas that did not miss any. One that did may have got others since. */
export const highestWrites = (replicas: readonly KnownReplica[]): number =>
  Math.max(0, ...replicas.map(({ isBehind, writes = 0 }) => (isBehind ? 0 : writes)));

/**
 * Whether a replica has all changes: its count and the map both say so. The count shows what the map does not know, such as a writer
 * that was killed between two replicas or an engine with an older disk; the map shows what the count cannot while all others are away.
 * @param highest of its partition (`highestWrites`).
 */
export const isComplete = ({ isBehind, writes }: KnownReplica, highest: number): boolean =>
  !isBehind && writes === highest;

const writesOutline = v.object({ _writes: v.object({ count: v.number() }) });

/** No place has this id. */
export const WRITES_ID = "writes";

export const toWritesDocument = (writes: Writes): object => ({ id: WRITES_ID, _writes: writes });

/**
 * How many batches are remembered by the ids that they changed, one document each: a replica that was compared while others wrote lacks
 * those. A batch has up to 10,000 changes, or those of half a second, so they last for a minute at least.
 */
const REMEMBERED_BATCHES = 128;

const idOfBatch = (count: number): string => `changed_${count % REMEMBERED_BATCHES}`;

/** What a batch changed, as the engine stores it in the same task as the batch's count. */
export interface ChangedDocument {
  readonly id: string;
  readonly _changed_by: number;
  readonly _changed: readonly string[];
}

/** @param ids of all documents that the batch with this count adds, replaces or removes. */
export const toChangedDocument = (count: number, ids: readonly string[]): ChangedDocument => ({
  id: idOfBatch(count),
  _changed_by: count,
  _changed: ids,
});

/** The ids of the documents that remember these batches; `undefined` when there were more than are remembered. */
export function rememberedBatches(after: number, until: number): string[] | undefined {
  const batches = until - after;
  if (batches < 0 || batches > REMEMBERED_BATCHES) return undefined;
  return Array.from({ length: batches }, (_, index) => idOfBatch(after + 1 + index));
}

/** `undefined` when the engine has no such index, or never got it whole. Rejects when the engine does not respond. */
export async function readWrites(
  { ask }: Pick<EngineConnection, "ask">,
  uid: string,
  signal: AbortSignal,
): Promise<Writes | undefined> {
  try {
    const path = `/indexes/${uid}/documents/${WRITES_ID}?fields=_writes`;
    return (await ask({ operation: "writes", path, signal, outline: writesOutline }))._writes;
  } catch (error) {
    if (engineResponseOf(error)?.status === 404) return undefined;
    throw error;
  }
}
