import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { setTimeout as sleep } from "node:timers/promises";

/** A change to one place. Its identity is the second half of its data id (`dataIdIdentity`). */
export type Change = {
  readonly identity: string;
  /** The memory it takes, approximately. */
  readonly bytes: number;
} & (
  | {
      readonly place: PlaceDocument;
      /** True when the data id was generated here. The index may then know the place by another one. */
      readonly hasMadeId: boolean;
    }
  | {
      /** The place to remove, as the input names it. */
      readonly deleted: string;
    }
  | {
      /** Changes a place as the index has it when its turn comes; `undefined` when the result is no place. */
      readonly patch: (place: PlaceDocument) => PlaceDocument | undefined;
      /** The place, as the input names it. */
      readonly named: string;
    }
);

interface ChangeBatch {
  /** The last change of each place, with the patches that came after it. */
  readonly changes: readonly Change[];
  /** How many changes a later one of the same place replaced. */
  readonly superseded: number;
}

interface QueueLimits {
  readonly maxChanges?: number;
  readonly maxBytes?: number;
  readonly maxAgeMs?: number;
}

/** Batches that change the same places follow each other, and a live index takes seconds for a write of any size. */
const MAX_CHANGES = 10_000;
/** Of the input. With 2 MB, 20,000 changes took as long, and 323 MB of memory instead of 334. */
const MAX_BYTES = 12 * 1024 * 1024;

/**
 * A single change waits no longer than this: half of the second within which searches should see it. With each batch that is not
 * written yet it waits as long again, since the engine is busy: so a slow engine gets fewer batches, and larger ones.
 */
const MAX_AGE_MS = 500;

/** Passes changes from the reader to the writer, in batches by number, size and age. */
export function createChangeQueue(limits: QueueLimits = {}) {
  const pending = createPending(limits);
  let hasEnded = false;
  let isClosed = false;
  let unwritten = 0;
  let moved = Promise.withResolvers<void>();
  const wake = (): void => {
    moved.resolve();
    moved = Promise.withResolvers();
  };
  /** Waits until the batch is full or old enough, or the input has ended. */
  const ripen = async (): Promise<void> => {
    while (!hasEnded && pending.msToRipe(unwritten) > 0)
      await sleepUntil(moved.promise, pending.msToRipe(unwritten));
  };

  return {
    /** Waits while a full batch is queued. Throws once the writer has stopped. */
    async put(change: Change): Promise<void> {
      while (pending.isFull() && !isClosed) await moved.promise;
      if (isClosed) throw new Error("Nobody takes changes any more.");
      const wasEmpty = pending.isEmpty();
      pending.put(change);
      if (wasEmpty || pending.isFull()) wake();
    },
    /** Marks the end: no more changes follow. */
    end(): void {
      hasEnded = true;
      wake();
    },
    /** Says that the oldest of the batches that were yielded is written. */
    written() {
      unwritten -= 1;
      wake();
    },
    /** Yields a batch as soon as it is full or old enough. Finishes after `end`, when the queue is empty. */
    async *batches(): AsyncGenerator<ChangeBatch> {
      try {
        for (;;) {
          while (pending.isEmpty() && !hasEnded) await moved.promise;
          if (pending.isEmpty()) return;
          await ripen();
          const batch = pending.take();
          unwritten += 1;
          wake();
          yield batch;
        }
      } finally {
        isClosed = true;
        wake();
      }
    },
  };
}

type PatchChange = Extract<Change, { readonly patch: unknown }>;

/** A patch changes what waits already. A place that is to be deleted stays so. */
function patchWaiting(earlier: Change, { patch, bytes }: PatchChange): Change {
  if ("deleted" in earlier) return earlier;
  if ("patch" in earlier) {
    const both = (place: PlaceDocument): PlaceDocument | undefined => {
      const patched = earlier.patch(place);
      return patch(patched ?? place) ?? patched;
    };
    return { ...earlier, patch: both, bytes: earlier.bytes + bytes };
  }
  const place = patch(earlier.place);
  return place ? { ...earlier, place } : earlier;
}

/** The batch that is being collected. */
function createPending({
  maxChanges = MAX_CHANGES,
  maxBytes = MAX_BYTES,
  maxAgeMs = MAX_AGE_MS,
}: QueueLimits) {
  let changes = new Map<string, Change>();
  let bytes = 0;
  let superseded = 0;
  let firstAt = 0;
  const isFull = (): boolean => changes.size >= maxChanges || bytes >= maxBytes;
  return {
    isEmpty: () => changes.size === 0,
    isFull,
    msToRipe: (unwritten: number) =>
      isFull() ? 0 : firstAt + maxAgeMs * (1 + unwritten) - performance.now(),
    put(change: Change): void {
      if (changes.size === 0) firstAt = performance.now();
      const earlier = changes.get(change.identity);
      if (earlier && "patch" in change) changes.set(change.identity, patchWaiting(earlier, change));
      else {
        if (earlier) superseded += 1;
        changes.set(change.identity, change);
      }
      bytes += change.bytes;
    },
    take(): ChangeBatch {
      const batch = { changes: [...changes.values()], superseded };
      changes = new Map();
      bytes = 0;
      superseded = 0;
      return batch;
    },
  };
}

/** Sleeps until `moved` or the timeout, and clears its timer. */
async function sleepUntil(moved: Promise<void>, timeoutMs: number): Promise<void> {
  const stop = new AbortController();
  const late = sleep(timeoutMs, undefined, { signal: stop.signal }).catch(() => {});
  await Promise.race([moved, late]);
  stop.abort();
}
