import type { PlaceDocument } from "../../src/place/place-document.ts";
import { setTimeout as sleep } from "node:timers/promises";

/** What is to become of one place. Its identity is the second half of its data id (`dataIdIdentity`). */
export type Change = {
  readonly identity: string;
  /** About how much memory it takes. */
  readonly bytes: number;
} & (
  | {
      readonly place: PlaceDocument;
      /** Whether its data id was made here: then the index may know the place under another one. */
      readonly hasMadeId: boolean;
    }
  | {
      /** A place to remove, as the person named it. */
      readonly deleted: string;
    }
);

/** Changes between the one who reads them and the one who writes them. */
export interface ChangeQueue {
  /** Waits while a whole batch lies there already. Throws once nobody takes any more. */
  put(change: Change): Promise<void>;
  /** There will be no more. */
  end(): void;
  /** What is there as soon as it is many or old enough; ends after `end`, when all is taken. */
  batches(): AsyncIterable<ChangeBatch>;
}

interface ChangeBatch {
  /** The last of each place. */
  readonly changes: readonly Change[];
  /** How many gave way to a later one of the same place. */
  readonly superseded: number;
}

interface QueueLimits {
  readonly maxChanges?: number;
  readonly maxBytes?: number;
  readonly maxAgeMs?: number;
}

/**
 * A live index takes seconds for a write of any size, so a batch is as large as an import's. What comes while one is written
 * waits and makes up the next.
 */
const MAX_CHANGES = 10_000;
const MAX_BYTES = 8 * 1024 * 1024;

/** A change that comes alone is handed over this soon: half of the second within which it should be seen. */
const MAX_AGE_MS = 500;

/** Joins changes to batches by number, size and time. */
export function createChangeQueue(limits: QueueLimits = {}): ChangeQueue {
  const pending = createPending(limits);
  let hasEnded = false;
  let isClosed = false;
  let moved = Promise.withResolvers<void>();
  const wake = (): void => {
    moved.resolve();
    moved = Promise.withResolvers();
  };
  /** Until the batch is full or old, or the end has come. */
  const ripen = async (): Promise<void> => {
    while (!hasEnded && pending.msToRipe() > 0) await sleepUntil(moved.promise, pending.msToRipe());
  };

  return {
    async put(change) {
      while (pending.isFull() && !isClosed) await moved.promise;
      if (isClosed) throw new Error("Nobody takes changes any more.");
      const wasEmpty = pending.isEmpty();
      pending.put(change);
      if (wasEmpty || pending.isFull()) wake();
    },
    end() {
      hasEnded = true;
      wake();
    },
    async *batches() {
      try {
        for (;;) {
          while (pending.isEmpty() && !hasEnded) await moved.promise;
          if (pending.isEmpty()) return;
          await ripen();
          const batch = pending.take();
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

/** A change as it waits: its place as text, which takes a fifth of the memory of its objects. */
type WaitingChange =
  | Exclude<Change, UpsertChange>
  | (Omit<UpsertChange, "place"> & { readonly text: Buffer });

type UpsertChange = Extract<Change, { readonly place: PlaceDocument }>;

function toWaiting(change: Change): WaitingChange {
  if (!("place" in change)) return change;
  const { place, ...rest } = change;
  return { ...rest, text: Buffer.from(JSON.stringify(place)) };
}

function fromWaiting(waiting: WaitingChange): Change {
  if (!("text" in waiting)) return waiting;
  const { text, ...rest } = waiting;
  return { ...rest, place: JSON.parse(text.toString()) as PlaceDocument };
}

/** The batch that is growing. */
function createPending({
  maxChanges = MAX_CHANGES,
  maxBytes = MAX_BYTES,
  maxAgeMs = MAX_AGE_MS,
}: QueueLimits) {
  let changes = new Map<string, WaitingChange>();
  let bytes = 0;
  let superseded = 0;
  let firstAt = 0;
  const isFull = (): boolean => changes.size >= maxChanges || bytes >= maxBytes;
  return {
    isEmpty: () => changes.size === 0,
    isFull,
    msToRipe: () => (isFull() ? 0 : firstAt + maxAgeMs - performance.now()),
    put(change: Change): void {
      if (changes.size === 0) firstAt = performance.now();
      if (changes.has(change.identity)) superseded += 1;
      changes.set(change.identity, toWaiting(change));
      bytes += change.bytes;
    },
    take(): ChangeBatch {
      const batch = { changes: Array.from(changes.values(), fromWaiting), superseded };
      changes = new Map();
      bytes = 0;
      superseded = 0;
      return batch;
    },
  };
}

/** Leaves no timer behind. */
async function sleepUntil(moved: Promise<void>, timeoutMs: number): Promise<void> {
  const stop = new AbortController();
  const late = sleep(timeoutMs, undefined, { signal: stop.signal }).catch(() => {});
  await Promise.race([moved, late]);
  stop.abort();
}
