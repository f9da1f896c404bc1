import type { LiveIndex } from "../index/live-index.ts";
import { contentHashOf } from "../../src/meilisearch/index-form.ts";
import { dataIdIdentity } from "../../src/place/document/data-id.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { withLiveWriter, type LiveWriter } from "../changes/apply-changes.ts";
import { CommandError } from "../../src/cli/errors.ts";
import { readDocuments, type ReadDocument, type ReadOptions } from "../clean/clean-records.ts";
import type { Change } from "../changes/change-queue.ts";
import { learnPlaces } from "../clean/address-points.ts";
import type { AddressPoints } from "../clean/place-draft.ts";
import { checkRejectLimit } from "../clean/rejects.ts";
import type { Source } from "../sources/open-sources.ts";
import { noteCheck, type WritingSession } from "../session/engines.ts";
import type { InputMark } from "../../src/meilisearch/manifest.ts";
import { createPlaceTable, type PlaceTable, createSpool, type Spool } from "./place-table.ts";
import { type SyncTally, MAX_EXAMPLES } from "./sync-report.ts";
import { formatCount } from "../../src/cli/format.ts";
import type { Progress, ProgressState } from "../../src/cli/progress.ts";
import { createBatch } from "../import/fill-index.ts";

export interface SyncOptions extends WritingSession, Omit<ReadOptions, "isKnown" | "learnMore"> {
  /** What is read, to be kept with the index. */
  readonly mark?: InputMark | undefined;
  readonly sync: SyncTally;
  readonly maxRejectsPercent: number;
  /** Only places of this source may be deleted. */
  readonly onlySource?: string | undefined;
  /** Allows any number of deletions. */
  readonly force: boolean;
  /** False when places that an import merged may become separate records again. */
  readonly keepsMerged: boolean;
  /** Finds the differences without writing them. */
  readonly dryRun: boolean;
  /** The folder for places that wait to be written. */
  readonly folder: string;
  readonly progress: Progress;
  /** Called when everything is read and nothing is written yet. An error that it throws fails the sync. */
  readonly onRead: () => void;
}

/**
 * Makes the live index match the sources by writing the differences. Finds all of them before it writes the
 * first, so a faulty or incomplete snapshot changes nothing.
 * @throws any error that stops the sync. Before the writing begins, nothing has changed.
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
  const { tally, sync, signal, progress, folder } = options;
  if (options.keepsMerged) await checkNothingMerged(writer.live);
  const table = await readTable(writer.live, signal);
  progress.say(`${formatCount(table.counts().unmet)} places are in the index; reading the snapshot.`);
  const spool = await createSpool(folder);
  try {
    const learnMore = (points: AddressPoints): Promise<void> =>
      learnPlaces(points, writer.live.readAddresses(), signal);
    const reading = { ...options, isKnown: createIsKnown(table, sync), learnMore };
    for await (const read of readDocuments(sources, reading)) await compare(read, table, spool, sync);
    options.onRead();
    checkRejectLimit(tally, options.maxRejectsPercent);
    const deletions = await findDeletions(table, writer.live, options);
    sync.toDelete = deletions.length;
    const titles = await readTitles(writer.live, deletions.first);
    for (const identity of deletions.first)
      sync.note("gone", { data_id: table.dataIdOf(identity) ?? identity, title: titles.get(identity) });
    checkDeletions(deletions.length, table.counts().met, options);
    if (options.dryRun) return;
    const writes = sync.new + sync.changed;
    const sentence = `Writing ${formatCount(writes)} places and deleting ${formatCount(sync.toDelete)}.`;
    progress.begin("writing", sentence, () => describeWriting(sync, writes + sync.toDelete));
    // A sync that breaks off leaves a mixture.
    if (writes + sync.toDelete > 0) await writeMark(writer, undefined);
    await writer.write(toBatches(spool.read(), deletions, signal), ({ applied, deleted }) => {
      sync.written += applied;
      sync.deleted += deleted;
    });
    if (options.mark) await writeMark(writer, options.mark);
    if (options.onlySource === undefined)
      await noteCheck(options.redisUrl, (await writer.live.readManifest())?.built_at);
  } finally {
    await spool.close();
  }
}

/** Keeps with the index what it is made from, unless it says so already. A write takes seconds, however small. */
async function writeMark(writer: LiveWriter, mark: InputMark | undefined): Promise<void> {
  const { live } = writer;
  const { mark: last, ...manifest } = (await live.readManifest()) ?? {};
  const isSame =
    last?.files === mark?.files && last?.options === mark?.options && last?.program === mark?.program;
  if (isSame || !("version" in manifest)) return;
  await writer.writeAlone(() => live.writeManifest({ ...manifest, ...(mark && { mark }) }));
}

/** The titles of places by their identities. */
async function readTitles(live: LiveIndex, identities: readonly string[]): Promise<Map<string, string>> {
  const places = await live.readPlacesById(identities);
  return new Map(places.map((place) => [dataIdIdentity(place.data_id), place.title]));
}

function describeWriting({ written, deleted }: SyncTally, total: number): ProgressState {
  const done = written + deleted;
  const text = `${formatCount(done)} of ${formatCount(total)}`;
  return { text, share: done / Math.max(1, total) };
}

/**
 * A sync compares single records. A merged place would look changed, and the records merged into it missing.
 * @throws {CommandError} when a sync would undo what an import has merged.
 */
async function checkNothingMerged(live: LiveIndex): Promise<void> {
  const merged = await live.countRedirects();
  if (merged === 0) return;
  throw new CommandError(
    `The import of the live index has merged ${formatCount(merged)} records into places that other sources have as well; ` +
      "a sync would take them apart. Import the files instead, or pass --no-merge to have each record on its own.",
  );
}

async function readTable(live: LiveIndex, signal: AbortSignal): Promise<PlaceTable> {
  const table = createPlaceTable(await live.count());
  for await (const places of live.readHashes()) {
    signal.throwIfAborted();
    // An older index has no hashes. All of its places count as changed.
    for (const { data_id: dataId, content_hash: content = "0", draft_hash: draft } of places)
      table.add(dataId, content, draft);
  }
  return table;
}

/** Recognizes the drafts of places that the index has, and counts them. */
const createIsKnown =
  (table: PlaceTable, sync: SyncTally) =>
  (identity: string, draftHash: string | undefined): boolean => {
    const { isKnown, isRepeated } = table.meetDraft(identity, draftHash);
    if (isKnown && isRepeated) sync.duplicates += 1;
    else if (isKnown) sync.same += 1;
    return isKnown;
  };

/** Keeps the place to be written unless the index already has this version. */
async function compare(read: ReadDocument, table: PlaceTable, spool: Spool, sync: SyncTally): Promise<void> {
  const place = read.hasMadeId ? underKnownId(read.place, table) : read.place;
  const { verdict, isRepeated } = table.meet(place.data_id, contentHashOf(place));
  if (isRepeated) sync.duplicates += 1;
  else sync[verdict] += 1;
  if (verdict === "same") return;
  if (!isRepeated) sync.note(verdict, place);
  await spool.put(place);
}

/** A generated data id begins with the location. A place that moved keeps the id that callers know. */
function underKnownId(place: PlaceDocument, table: PlaceTable): PlaceDocument {
  const known = table.dataIdOf(dataIdIdentity(place.data_id));
  return known === undefined || known === place.data_id ? place : { ...place, data_id: known };
}

/** The places to write and then those to delete, in their order. The signal ends it between two batches. */
async function* toBatches(
  places: AsyncIterable<PlaceDocument>,
  deletions: Deletions,
  signal: AbortSignal,
): AsyncGenerator<Change[]> {
  const batch = createBatch<PlaceDocument>();
  let letters = 0;
  for await (const place of places) {
    letters += lettersOf(place);
    if (!batch.add(place, letters)) continue;
    signal.throwIfAborted();
    yield toChanges(batch.take());
  }
  signal.throwIfAborted();
  const rest = toChanges(batch.take());
  if (rest.length > 0) yield rest;
  for await (const identities of deletions.batches()) {
    signal.throwIfAborted();
    yield identities.map((identity) => ({ identity, deleted: identity, bytes: 0 }));
  }
}

/** The approximate length of a place, judged by its longest fields. */
const lettersOf = ({ review_list: reviews, photos, popular_times: times }: PlaceDocument): number =>
  1_000 + JSON.stringify([reviews, photos, times]).length;

/** Keeps the later of two records of one place. The data ids are already those of the index. */
const toChanges = (places: readonly PlaceDocument[]): Change[] =>
  [...new Map(places.map((place) => [dataIdIdentity(place.data_id), place]))].map(([identity, place]) => ({
    identity,
    place,
    hasMadeId: false,
    bytes: 0,
  }));

/** The places to be deleted. */
interface Deletions {
  readonly length: number;
  /** The first of them, for the report. */
  readonly first: readonly string[];
  /** Their identities, some thousands at a time. */
  batches(): AsyncIterable<readonly string[]>;
}

interface DeletionOptions {
  readonly onlySource?: string | undefined;
  readonly force: boolean;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

/**
 * A few percent of places close between two releases. When more are missing, part of the snapshot is probably
 * missing too.
 */
const MAX_DELETED_PERCENT = 5;

/** Places in one write to the engine. */
const BATCH = 10_000;

/** Finds the places of the index that the snapshot lacks. */
async function findDeletions(
  table: PlaceTable,
  live: LiveIndex,
  options: DeletionOptions,
): Promise<Deletions> {
  const { onlySource, signal } = options;
  if (onlySource === undefined) {
    const first = [...table.unmet().take(MAX_EXAMPLES)];
    return { length: table.counts().unmet, first, batches: () => inBatches(table.unmet()) };
  }
  const ofSource: string[] = [];
  for await (const identities of inBatches(table.unmet(), SOURCES_AT_ONCE)) {
    signal.throwIfAborted();
    for (const { id, source } of await live.readSourcesOf(identities))
      if (source === onlySource) ofSource.push(id);
  }
  const first = ofSource.slice(0, MAX_EXAMPLES);
  return { length: ofSource.length, first, batches: () => inBatches(ofSource) };
}

/** The engine returns the source with all long texts of a place. */
const SOURCES_AT_ONCE = 1_000;

async function* inBatches(identities: Iterable<string>, size = BATCH): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for (const identity of identities) {
    batch.push(identity);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/**
 * Limits the number of deletions. `met` is how many places of the index the snapshot has.
 * @throws {CommandError} for so many deletions that the snapshot is probably incomplete.
 */
function checkDeletions(toDelete: number, met: number, { force, dryRun }: DeletionOptions): void {
  if (force) return;
  const percent = (100 * toDelete) / Math.max(1, toDelete + met);
  if (percent <= MAX_DELETED_PERCENT) return;
  const problem =
    `${formatCount(toDelete)} places are not in the snapshot, ${percent.toFixed(1)} % of those it could have: more than the ` +
    `${MAX_DELETED_PERCENT} % that a sync deletes without --force. Check that the snapshot is complete`;
  throw new CommandError(
    dryRun ? `A sync would be refused: ${problem}.` : `${problem}; --dry-run shows the places.`,
  );
}
