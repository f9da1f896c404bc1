import type { LiveIndex } from "../../src/place-index/live-index.ts";
import { contentHashOf } from "../../src/place-index/indexed-place.ts";
import { dataIdIdentity } from "../../src/place/data-id.ts";
import type { PlaceDocument } from "../../src/place/place-document.ts";
import { withLiveWriter, type LiveWriter } from "../changes/live-writer.ts";
import { ImportError } from "../import-error.ts";
import type { ImportTally } from "../import-tally.ts";
import { readPlaces, type ReadPlace } from "../read-places.ts";
import { checkRejectLimit } from "../reject-limit.ts";
import type { Source } from "../sources/open-sources.ts";
import type { WritingSession } from "../writing-session.ts";
import { checkDeletions, findDeletions } from "./deletions.ts";
import { createPlaceTable, type PlaceTable } from "./place-table.ts";
import { createSpool, type Spool } from "./spool.ts";
import type { SyncTally } from "./sync-report.ts";
import { writeDeletions, writePlaces } from "./write-differences.ts";
import { formatCount } from "../format.ts";

export interface SyncOptions extends WritingSession {
  readonly tally: ImportTally;
  readonly sync: SyncTally;
  readonly maxRejectsPercent: number;
  readonly today: Temporal.PlainDate;
  /** Only places of this source may be deleted. */
  readonly onlySource?: string | undefined;
  /** Delete however many it may be. */
  readonly force: boolean;
  /** False when places that an import merged may fall apart into their records again. */
  readonly keepsMerged: boolean;
  /** Find the differences and write none. */
  readonly dryRun: boolean;
  /** Where places wait that are to be written. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
  /** Called when all is read and nothing is written yet; what it throws fails the sync. */
  readonly onRead: () => void;
}

/**
 * Makes the live index hold what the sources hold, by writing the differences. All of them are found before the first is
 * written, so a snapshot that breaks off or is not what it should be changes nothing.
 * @throws whatever stands in the way; before the writing begins nothing was changed.
 */
export async function syncPlaces(sources: readonly Source[], options: SyncOptions): Promise<void> {
  const { coordination, signal } = options;
  await coordination.holdRebuild(
    (lease) =>
      withLiveWriter(options, (writer) => syncWith(writer, sources, { ...options, signal: lease.signal })),
    signal,
  );
}

async function syncWith(writer: LiveWriter, sources: readonly Source[], options: SyncOptions): Promise<void> {
  const { tally, sync, signal, say, folder } = options;
  if (options.keepsMerged) await checkNothingMerged(writer.live);
  const table = await readTable(writer.live, signal);
  say(`${formatCount(table.counts().unmet)} places are in the index; reading the snapshot.`);
  const spool = await createSpool(folder);
  try {
    for await (const read of readPlaces(sources, options)) await compare(read, { table, spool, sync });
    options.onRead();
    checkRejectLimit(tally, options.maxRejectsPercent);
    const deletions = await findDeletions(table, writer.live, options);
    sync.toDelete = deletions.length;
    for (const identity of deletions.first)
      sync.note("gone", { data_id: table.dataIdOf(identity) ?? identity });
    checkDeletions(deletions.length, table.counts().met, options);
    if (options.dryRun) return;
    await writePlaces(spool.read(), writer, options);
    await writeDeletions(deletions, writer, options);
  } finally {
    await spool.close();
  }
}

/**
 * Record by record a merged place differs from what the snapshot has of it, and the records that became part of it are missing.
 * @throws {ImportError} where a sync would undo what an import has merged.
 */
async function checkNothingMerged(live: LiveIndex): Promise<void> {
  const merged = await live.countRedirects();
  if (merged === 0) return;
  throw new ImportError(
    `The import of the live index has merged ${formatCount(merged)} records into places that other sources have as well; ` +
      "a sync would take them apart. Import the files instead, or pass --no-merge to have each record on its own.",
  );
}

async function readTable(live: LiveIndex, signal: AbortSignal): Promise<PlaceTable> {
  const table = createPlaceTable(await live.count());
  for await (const places of live.readHashes()) {
    signal.throwIfAborted();
    // An index of before there were hashes: all of its places count as changed.
    for (const { data_id: dataId, content_hash: hash = "0" } of places) table.add(dataId, hash);
  }
  return table;
}

interface Comparing {
  readonly table: PlaceTable;
  readonly spool: Spool;
  readonly sync: SyncTally;
}

/** Keeps the place for the writing unless the index has it as it is. */
async function compare(read: ReadPlace, { table, spool, sync }: Comparing): Promise<void> {
  const place = read.hasMadeId ? underKnownId(read.place, table) : read.place;
  const { verdict, isRepeated } = table.meet(place.data_id, contentHashOf(place));
  if (isRepeated) sync.duplicates += 1;
  else sync[verdict] += 1;
  if (verdict === "same") return;
  if (!isRepeated) sync.note(verdict, place);
  await spool.put(place);
}

/** A made data id begins with where the place is; one that moved keeps the id that callers hold. */
function underKnownId(place: PlaceDocument, table: PlaceTable): PlaceDocument {
  const known = table.dataIdOf(dataIdIdentity(place.data_id));
  return known === undefined || known === place.data_id ? place : { ...place, data_id: known };
}
