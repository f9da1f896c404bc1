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

/** The result of writing one batch. */
interface WrittenChanges {
  readonly applied: number;
  readonly deleted: number;
  /** The places to change or remove that the index does not have, as the input names them. */
  readonly unknown: readonly string[];
}

type Batches = AsyncIterable<readonly Change[]> | Iterable<readonly Change[]>;

/** Writes to the live index, one batch at a time. */
export interface LiveWriter {
  readonly live: LiveIndex;
  /** Resolves once searches see the changes. A place may occur once at most. */
  write(changes: readonly Change[]): Promise<WrittenChanges>;
  /** Writes several batches. The engine may join them into one write. */
  writeTogether(batches: Batches): Promise<WrittenChanges[]>;
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
    const writeTogether: LiveWriter["writeTogether"] = (batches) => writeChanges(live, coordination, batches);
    const write = async (changes: readonly Change[]): Promise<WrittenChanges> =>
      (await writeTogether([changes]))[0]!;
    const writeAlone: LiveWriter["writeAlone"] = (work) => holdLive(live, coordination, work);
    return await run({ live, write, writeTogether, writeAlone });
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

/**
 * Logs the changes before it sends them, so that a running rebuild knows every change that searches may have
 * seen.
 */
const holdLive = <T>(
  live: LiveIndex,
  coordination: Coordination,
  run: (send: Send) => Promise<T>,
): Promise<T> =>
  coordination.holdWrite(async ({ check }) => {
    // An import may have swapped the index since the last batch.
    checkWritable(await retryWhileUnreachable(() => live.readState()));
    return run(async (changes, noted) => {
      await coordination.changeLog.note(noted);
      await check();
      return live.write(changes);
    });
  }, UNDISTURBED);

function writeChanges(
  live: LiveIndex,
  coordination: Coordination,
  batches: Batches,
): Promise<WrittenChanges[]> {
  return holdLive(live, coordination, async (send) => {
    const written: WrittenChanges[] = [];
    const waits: (() => Promise<void>)[] = [];
    for await (const changes of batches) {
      const { places, removed, unknown } = await resolve(live, changes);
      const noted = changes.map(({ identity }) => identity);
      waits.push(await send({ places, removed }, noted));
      written.push({ applied: places.length, deleted: removed.length, unknown });
    }
    for (const wait of waits) await wait();
    return written;
  });
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
