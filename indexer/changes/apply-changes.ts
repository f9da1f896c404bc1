import type { Change } from "./change.ts";
import { createChangeQueue } from "./change-queue.ts";
import type { LiveWriter } from "./live-writer.ts";

/** What has been written so far. */
export interface AppliedTally {
  applied: number;
  deleted: number;
  /** Changes that gave way to a later one of the same place before they were written. */
  superseded: number;
  batches: number;
  /** Places to remove that were not there; the first of them by name. */
  unknown: number;
  readonly unknownNames: string[];
}

export const createAppliedTally = (): AppliedTally => ({
  applied: 0,
  deleted: 0,
  superseded: 0,
  batches: 0,
  unknown: 0,
  unknownNames: [],
});

/** Enough to look some up; a stream may name any number. */
const MAX_NAMES = 1_000;

interface ApplyOptions {
  readonly writer: Pick<LiveWriter, "write">;
  readonly applied: AppliedTally;
  /** Ends the reading when the writing has failed. */
  readonly stopReading: (reason: unknown) => void;
}

/**
 * Writes the changes in batches while the next ones are read, in their order. Whatever was read before the reading ended, well
 * or not, is written.
 * @throws what the writer throws, else what the reading threw.
 */
export async function applyChanges(changes: AsyncIterable<Change>, options: ApplyOptions): Promise<void> {
  const { writer, applied, stopReading } = options;
  const queue = createChangeQueue();
  const read = async (): Promise<void> => {
    try {
      for await (const change of changes) await queue.put(change);
    } finally {
      queue.end();
    }
  };
  const write = async (): Promise<void> => {
    try {
      for await (const { changes: batch, superseded } of queue.batches()) {
        count(applied, await writer.write(batch));
        applied.superseded += superseded;
      }
    } catch (error) {
      stopReading(error);
      throw error;
    }
  };
  const [reading, writing] = await Promise.allSettled([read(), write()]);
  if (writing.status === "rejected") throw writing.reason;
  if (reading.status === "rejected") throw reading.reason;
}

function count(
  tally: AppliedTally,
  { applied, deleted, unknown }: Awaited<ReturnType<LiveWriter["write"]>>,
): void {
  tally.applied += applied;
  tally.deleted += deleted;
  tally.unknown += unknown.length;
  tally.batches += 1;
  tally.unknownNames.push(...unknown.slice(0, MAX_NAMES - tally.unknownNames.length));
}
