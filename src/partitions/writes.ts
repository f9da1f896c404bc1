import { engineResponseOf, type EngineConnection } from "../meilisearch/connection.ts";

/**
 * How many batches a replica of a partition has got. Every batch of changes carries the next count in the same task of the engine,
 * and goes to all replicas with the highest one. A replica that missed a batch therefore has a lower count and is left out, by
 * readers and writers, until it is brought up to date. A replica without a count was never finished.
 */
export interface Writes {
  readonly count: number;
}

/** No place has this id. */
export const WRITES_ID = "writes";

export const toWritesDocument = (writes: Writes): object => ({ id: WRITES_ID, _writes: writes });

/** `undefined` when the engine has no such index, or never got it whole. Rejects when the engine does not respond. */
export async function readWrites(
  { ask }: Pick<EngineConnection, "ask">,
  uid: string,
  signal: AbortSignal,
): Promise<Writes | undefined> {
  try {
    const path = `/indexes/${uid}/documents/${WRITES_ID}?fields=_writes`;
    return (await ask<{ _writes: Writes }>({ operation: "writes", path, signal }))._writes;
  } catch (error) {
    if (engineResponseOf(error)?.status === 404) return undefined;
    throw error;
  }
}
