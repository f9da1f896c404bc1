import { type Change, createChangeQueue } from "./change-queue.ts";
import { withKnownDataId } from "../clean/clean-records.ts";
import { dataIdIdentity } from "../../src/place/document/data-id.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import type { Topology } from "../../src/partitions/topology.ts";
import { retryWhileUnreachable } from "../index/engine-tasks.ts";
import { type LiveIndex, openLiveIndex, type PlaceChanges } from "../index/live-index.ts";
import type { Coordination } from "../session/coordination.ts";
import { CommandError } from "../../src/cli/errors.ts";

/** What has been written so far. */
export interface AppliedTally {
  applied: number;
  deleted: number;
  /** Changes that a later change of the same place replaced before they were written. */
  superseded: number;
  batches: number;
  /** Places to remove that the index does not have, and the names of the first ones. */
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

/** Enough to look into the cause. A stream may name any number of unknown places. */
const MAX_NAMES = 1_000;

interface ApplyOptions {
  readonly writer: Pick<LiveWriter, "write">;
  readonly applied: AppliedTally;
  /** Stops the reading once the writing has failed. */
  readonly stopReading: (reason: unknown) => void;
}

/**
 * Writes changes in their order, in batches, while the next ones are read. Everything that was read is
 * written, even when the reading fails.
 * @throws the writer's error, else the reader's.
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
  async function* batches(): AsyncGenerator<readonly Change[]> {
    for await (const { changes: batch, superseded } of queue.batches()) {
      applied.superseded += superseded;
      yield batch;
    }
  }
  const write = async (): Promise<void> => {
    try {
      await writer.write(batches(), (written) => {
        count(applied, written);
        queue.written();
      });
    } catch (error) {
      stopReading(error);
      throw error;
    }
  };
  const [reading, writing] = await Promise.allSettled([read(), write()]);
  if (writing.status === "rejected") throw writing.reason;
  if (reading.status === "rejected") throw reading.reason;
}

function count(tally: AppliedTally, { applied, deleted, unknown }: WrittenChanges): void {
  tally.applied += applied;
  tally.deleted += deleted;
  tally.unknown += unknown.length;
  tally.batches += 1;
  tally.unknownNames.push(...unknown.slice(0, MAX_NAMES - tally.unknownNames.length));
}

/** The result of writing one batch. */
export interface WrittenChanges {
  readonly applied: number;
  readonly deleted: number;
  /** The places to change or remove that the index does not have, as the input names them. */
  readonly unknown: readonly string[];
}

type Batches = AsyncIterable<readonly Change[]>;

/** Writes to the live index. */
export interface LiveWriter {
  readonly live: LiveIndex;
  /**
   * Writes batches in their order, each with a place once at most. Does not wait for the engine between them: it joins those that
   * wait into one write. `onWritten` hears of each batch when searches see it. Others may write when they wait to, and when no batch
   * is ready.
   */
  write(batches: Batches, onWritten: (written: WrittenChanges) => void): Promise<void>;
  /** Runs while nobody else writes: what `run` reads of the index is still so when it sends what it has decided. */
  writeAlone<T>(run: (send: Send) => Promise<T>): Promise<T>;
}

/**
 * Sends changes, each place once at most. `noted` has the identities of all of them, and of places to remove that the live index does
 * not have: that of a running rebuild may. Resolves to a function that waits until searches see them.
 */
type Send = (changes: PlaceChanges, noted: readonly string[]) => Promise<() => Promise<void>>;

interface WriterOptions {
  readonly index: Topology;
  readonly coordination: Coordination;
}

/**
 * Calls `run` with a writer to the live index.
 * @throws {CommandError} when there is no index that this program can write to.
 */
export async function withLiveWriter<T>(
  { index, coordination }: WriterOptions,
  run: (writer: LiveWriter) => Promise<T>,
): Promise<T> {
  const live = openLiveIndex(index);
  try {
    checkWritable(await live.readState());
    const hold = <U>(work: Held<U>): Promise<U> => holdLive(live, coordination, work);
    return await run({
      live,
      write: (batches, onWritten) => writeBatches(batches, { live, hold, onWritten }),
      writeAlone: hold,
    });
  } finally {
    await live.close();
  }
}

function checkWritable(state: Awaited<ReturnType<LiveIndex["readState"]>>): void {
  if (state === "missing") throw new CommandError("There is no live index yet: import places first.");
  if (state === "of another version")
    throw new CommandError("The live index was built by another version of this program: import again.");
}

/** Never aborted: a batch that was begun is always finished. */
const UNDISTURBED = new AbortController().signal;

/** `isWanted` says whether others wait to write. */
type Held<T> = (send: Send, isWanted: () => Promise<boolean>) => Promise<T>;

/**
 * Logs the changes before it sends them, so that a running rebuild knows every change that searches may have
 * seen.
 */
const holdLive = <T>(live: LiveIndex, coordination: Coordination, run: Held<T>): Promise<T> =>
  coordination.holdWrite(async ({ check, isWanted }) => {
    // An import may have swapped the index since the last batch.
    checkWritable(await retryWhileUnreachable(() => live.readState()));
    await live.settle();
    return run(async (changes, noted) => {
      await coordination.changeLog.note(noted);
      await check();
      return live.write(changes);
    }, isWanted);
  }, UNDISTURBED);

interface WriteOptions {
  readonly live: LiveIndex;
  readonly hold: (run: Held<void>) => Promise<void>;
  readonly onWritten: (written: WrittenChanges) => void;
}

/** Sends batches as long as one is ready before searches see all that were sent. */
async function writeBatches(batches: Batches, { live, hold, onWritten }: WriteOptions): Promise<void> {
  const iterator = batches[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    while (!(await next).done)
      await hold(async (send, isWanted) => {
        const unseen = createUnseen(onWritten);
        const sendNext = async (): Promise<void> => {
          const batch = await next;
          if (batch.done) return;
          const changes = batch.value;
          const identities = changes.map(({ identity }) => identity);
          await unseen.untilRoomFor(identities);
          const { places, removed, unknown } = await resolve(live, changes);
          const wait = await send({ places, removed }, identities);
          unseen.add({
            identities,
            wait,
            written: { applied: places.length, deleted: removed.length, unknown },
          });
        };
        try {
          do {
            await sendNext();
            next = iterator.next();
            await Promise.race([next, unseen.untilNone()]);
          } while (!unseen.isEmpty() && !(await next).done && !(await isWanted()));
        } finally {
          await unseen.untilNone();
        }
      });
  } finally {
    // Not awaited: it may be waiting for the input.
    void iterator.return?.();
  }
}

/** Their identities are in memory, and whoever waits to write waits for them: a minute or two with a million places. */
const MOST_UNSEEN = 100_000;

/** A batch that was sent. */
interface SentBatch {
  readonly identities: readonly string[];
  readonly wait: () => Promise<void>;
  readonly written: WrittenChanges;
}

/** The batches that searches do not see yet, in their order. */
function createUnseen(onWritten: WriteOptions["onWritten"]) {
  const batches: { readonly identities: ReadonlySet<string>; readonly seen: Promise<void> }[] = [];
  const count = (): number => batches.reduce((sum, { identities }) => sum + identities.size, 0);
  const untilNone = async (): Promise<void> => batches.at(-1)?.seen;
  return {
    isEmpty: () => batches.length === 0,
    untilNone,
    /** A place that is on its way has to be there before it is asked what a change does to it. */
    async untilRoomFor(identities: readonly string[]): Promise<void> {
      while (batches[0] && count() + identities.length > MOST_UNSEEN) await batches[0].seen;
      if (identities.some((identity) => batches.some((batch) => batch.identities.has(identity))))
        await untilNone();
    },
    add({ identities, wait, written }: SentBatch): void {
      const before = untilNone();
      const see = async (): Promise<void> => {
        await before;
        await wait();
        batches.shift();
        onWritten(written);
      };
      const seen = see();
      // Whoever waits for it next gets its error.
      seen.catch(() => undefined);
      batches.push({ identities: new Set(identities), seen });
    },
  };
}

/** Finds out under which data ids the index knows the places, and which of the removed ones it has. */
async function resolve(live: LiveIndex, changes: readonly Change[]) {
  const asked = changes.filter((change) => "deleted" in change || ("place" in change && change.hasMadeId));
  const patches = changes.filter((change) => "patch" in change);
  const present = await readPlaces(
    live,
    patches.map(({ identity }) => identity),
  );
  const known = await live.knownDataIds(asked.map(({ identity }) => identity));
  const removals = changes.filter((change) => "deleted" in change);
  return {
    places: [
      ...changes
        .filter((change) => "place" in change)
        .map(({ place, hasMadeId }) => (hasMadeId ? withKnownDataId(place, known) : place)),
      ...patches.flatMap(({ identity, patch }) => {
        const place = present.get(identity);
        return (place && patch(place)) ?? [];
      }),
    ],
    removed: removals.map(({ identity }) => identity).filter((identity) => known.has(identity)),
    unknown: [
      ...removals.filter(({ identity }) => !known.has(identity)).map(({ deleted }) => deleted),
      ...patches.filter(({ identity }) => !present.has(identity)).map(({ named }) => named),
    ],
  };
}

async function readPlaces(
  live: LiveIndex,
  identities: readonly string[],
): Promise<ReadonlyMap<string, PlaceDocument>> {
  if (identities.length === 0) return new Map();
  const places = await live.readPlacesById(identities);
  return new Map(places.map((place) => [dataIdIdentity(place.data_id), place]));
}
