import { dataIdIdentity, buildDataId, parseDataId } from "../../src/place/document/data-id.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import {
  countEstimate,
  countFile,
  countRejected,
  countRepeats,
  countSkipped,
  createNotes,
  placeNotes,
  type ImportTally,
} from "./import-tally.ts";
import {
  isRejection,
  type AddressPoints,
  type PlaceDraft,
  type Rejection,
  toValidDocument,
  type CleanStep,
  type CleanContext,
  type NoteField,
} from "./place-draft.ts";
import type { CleanedDraft, CleaningThreads } from "./cleaning-threads.ts";
import type { Source } from "../sources/open-sources.ts";
import type { SourceContext, SourceItem } from "../sources/source.ts";
import { hash } from "node:crypto";
import { leafCell, checkCoordinates, fillCountry, unswapCoordinates, fillTimeZone } from "./location.ts";
import { completeAddress, splitAddress } from "./address.ts";
import { estimatePoint, isUnplaced } from "./address-points.ts";
import { fillAreas } from "./areas.ts";
import { dateHolidays } from "./holidays.ts";
import { addSightNames } from "./sights.ts";
import { cleanLine, cleanNames, cleanStrings } from "./strings.ts";
import { cleanPhone, cleanWebsite } from "./phone.ts";
import { readClosedTitle, refineType } from "./type-from-title.ts";

/** How the places of sources are read. */
export interface ReadOptions extends Omit<CleanContext, "note"> {
  readonly tally: ImportTally;
  /** Whether the index has the place as a draft with this hash made it. Such a draft is counted and not yielded. */
  readonly isKnown?: ((identity: string, draftHash: string | undefined) => boolean) | undefined;
  /** Threads that clean. Without them this one does. */
  readonly threads?: CleaningThreads | undefined;
  /** With `points`: learns more before the first estimate. */
  readonly learnMore?: ((points: AddressPoints) => Promise<void>) | undefined;
  readonly signal: AbortSignal;
}

/** A place of the input, ready for the index. */
export interface ReadDocument {
  readonly place: PlaceDocument;
  /** The place as the engine stores it, as JSON, when a thread has built it. */
  readonly document?: string | undefined;
  /** True when the data id was generated here. The index may then know the place by another one. */
  readonly hasMadeId: boolean;
  /** How much of all sources has been read so far. */
  readonly inputBytes: number;
}

/**
 * Reads the places of all sources, one after the other and always in the same order. Rejected records are
 * counted in the tally. With `points`, places without coordinates come last, when most streets are known.
 * @throws {CommandError} for a source that cannot be read to its end, and the signal's reason.
 */
export async function* readDocuments(
  sources: readonly Source[],
  options: ReadOptions,
): AsyncGenerator<ReadDocument> {
  const { tally, points, learnMore, today, findTeamAreas, hashDraft } = options;
  const held: SourceItem[] = [];
  let inputBytes = 0;
  for await (const read of readPlaced(sources, options, held)) {
    points?.learn(read.place);
    ({ inputBytes } = read);
    yield read;
  }
  if (points && held.length > 0) await learnMore?.(points);
  const context = { note: createNotes(tally), points, today, findTeamAreas, hashDraft };
  for (const item of held) {
    options.signal.throwIfAborted();
    const place = toDocument(item, context, tally);
    placeNotes(tally, item.position);
    if (place) countRepeats(tally, place, item.position);
    if (place) yield { place, hasMadeId: hasMadeId(item), inputBytes };
  }
}

/** Reads all places whose points are not to be estimated. The others are added to `held`. */
async function* readPlaced(
  sources: readonly Source[],
  options: ReadOptions,
  held: SourceItem[],
): AsyncGenerator<ReadDocument> {
  const { tally, today, findTeamAreas, hashDraft, threads } = options;
  const note = createNotes(tally);
  const readItems = (context: SourceContext) => readAllItems(sources, context, options);
  if (threads) {
    yield* readWithThreads(readItems, { threads, tally, today, note, held });
    return;
  }
  const context: SourceContext = { note, today, findTeamAreas, hashDraft };
  for await (const { item, inputBytes, fate } of readItems(context)) {
    const place = fate === "clean" ? toDocument(item, context, tally) : setAside(item, fate, { tally, held });
    placeNotes(tally, item.position);
    if (place) countRepeats(tally, place, item.position);
    if (place) yield { place, hasMadeId: hasMadeId(item), inputBytes };
  }
}

const hasMadeId = (item: SourceItem): boolean => "draft" in item && item.draft.data_id === "";

/** An item, and how much of all sources has been read with it. */
interface ReadItem {
  readonly item: SourceItem;
  readonly inputBytes: number;
  readonly fate: Fate;
}

/** Whether an item is cleaned, has the draft of a place that the index has, or waits until more streets are known. */
type Fate = "clean" | "known" | "held";

async function* readAllItems(
  sources: readonly Source[],
  context: SourceContext,
  options: Pick<ReadOptions, "hashDraft" | "isKnown" | "points" | "signal">,
): AsyncGenerator<ReadItem> {
  let earlierBytes = 0;
  for (const { input, read } of sources) {
    for await (const item of read(input, context)) {
      options.signal.throwIfAborted();
      const isHeld = options.points !== undefined && "draft" in item && isUnplaced(item.draft);
      const fate = isKnownItem(item, options) ? "known" : isHeld ? "held" : "clean";
      yield { item, inputBytes: earlierBytes + input.bytesGiven(), fate };
    }
    earlierBytes += input.bytesGiven();
  }
}

function isKnownItem(
  item: SourceItem,
  { hashDraft, isKnown }: Pick<ReadOptions, "hashDraft" | "isKnown">,
): boolean {
  if (!isKnown || !hashDraft || !("draft" in item)) return false;
  const identity = findIdentity(item.draft);
  return identity !== undefined && isKnown(identity, hashDraft(item.draft));
}

/** The identity that a draft will have when it is cleaned, if it has one. */
function findIdentity({ data_id: dataId, source, source_id: sourceId }: PlaceDraft): string | undefined {
  if (dataId !== "") {
    const parsed = parseDataId(cleanLine(dataId));
    return parsed === undefined ? undefined : dataIdIdentity(parsed);
  }
  const cleaned = { source: cleanLine(source), source_id: cleanLine(sourceId) };
  return cleaned.source_id === "" ? undefined : `0x${identityOf(cleaned).toString(16)}`;
}

interface ThreadsOptions extends Pick<ReadOptions, "tally" | "today"> {
  readonly threads: CleaningThreads;
  readonly note: NoteField;
  readonly held: SourceItem[];
}

/** An item with what its reader noted about it. */
interface NotedItem extends ReadItem {
  readonly notes: readonly Parameters<NoteField>[];
}

/** A batch that is being cleaned. */
interface Cleaning {
  readonly items: readonly NotedItem[];
  /** Of the drafts among the items, in their order. */
  readonly cleaned: Promise<readonly CleanedDraft[]>;
}

/**
 * Reads ahead while threads clean, and counts and yields in the order of the input. What was read before an
 * error of the reader is counted too.
 */
async function* readWithThreads(
  readItems: (context: SourceContext) => AsyncIterable<ReadItem>,
  { threads, ...options }: ThreadsOptions,
): AsyncGenerator<ReadDocument> {
  const { batches, ended } = readBatches(readItems, options.today);
  const waiting: Cleaning[] = [];
  for await (const items of batches) {
    const cleaned = threads.clean(
      items.flatMap(({ item, fate }) => ("draft" in item && fate === "clean" ? [item.draft] : [])),
    );
    // Its error is thrown when its turn comes, if it does.
    cleaned.catch(() => {});
    waiting.push({ items, cleaned });
    if (waiting.length > threads.batches) yield* settleBatch(waiting.shift()!, options);
  }
  for (const cleaning of waiting) yield* settleBatch(cleaning, options);
  await ended;
}

/** Enough to make sending a batch cheap, few enough to keep the threads evenly busy. */
const BATCH_ITEMS = 200;
/** Of the input: some records have a hundred kilobytes. */
const BATCH_BYTES = 512 * 1024;

/** Items in batches. `ended` has the error that ended the reading, if one did. */
function readBatches(
  readItems: (context: SourceContext) => AsyncIterable<ReadItem>,
  today: Temporal.PlainDate,
): { readonly batches: AsyncGenerator<NotedItem[]>; readonly ended: Promise<void> } {
  const ending = Promise.withResolvers<void>();
  ending.promise.catch(() => {});
  async function* read(): AsyncGenerator<NotedItem[]> {
    let notes: Parameters<NoteField>[] = [];
    let items: NotedItem[] = [];
    let firstByte = 0;
    const context: SourceContext = { today, note: (...noted) => void notes.push(noted) };
    try {
      for await (const { item, inputBytes, fate } of readItems(context)) {
        items.push({ item, inputBytes, fate, notes });
        notes = [];
        if (items.length < BATCH_ITEMS && inputBytes - firstByte < BATCH_BYTES) continue;
        yield items;
        items = [];
        firstByte = inputBytes;
      }
      ending.resolve();
    } catch (error) {
      ending.reject(error);
    }
    yield items;
  }
  return { batches: read(), ended: ending.promise };
}

async function* settleBatch(
  { items, cleaned }: Cleaning,
  { tally, note, held }: Omit<ThreadsOptions, "threads">,
): AsyncGenerator<ReadDocument> {
  const drafts = (await cleaned).values();
  for (const { item, inputBytes, fate, notes } of items) {
    const draft = "draft" in item && fate === "clean" ? drafts.next().value : undefined;
    for (const noted of [...notes, ...(draft?.notes ?? [])]) note(...noted);
    const place =
      fate === "clean" ? countItem(item, draft?.result, tally) : setAside(item, fate, { tally, held });
    placeNotes(tally, item.position);
    if (place) countRepeats(tally, place, item.position);
    if (place) yield { place, document: draft?.document, hasMadeId: hasMadeId(item), inputBytes };
  }
}

/** Builds the document of one record; `undefined` for a rejected one, which is counted with its reason. */
export const toDocument = (
  item: SourceItem,
  context: SourceContext,
  tally: ImportTally,
): PlaceDocument | undefined =>
  countItem(item, "draft" in item ? cleanToDocument(item.draft, context) : undefined, tally);

/** Counts an item. `cleaned` is the document of its draft, or why there is none. */
function countItem(
  item: SourceItem,
  cleaned: PlaceDocument | Rejection | undefined,
  tally: ImportTally,
): PlaceDocument | undefined {
  tally.read += 1;
  if ("skipped" in item) {
    countFile(tally, item.position, "skipped");
    countSkipped(tally, item.skipped);
    return undefined;
  }
  const place = "rejected" in item ? item.rejected : cleaned;
  if (place === undefined || !isRejection(place)) {
    if (place?.source_type !== undefined) tally.typesFromTitles += 1;
    if (place?.type === "PLACE") tally.withoutKind += 1;
    if (place) countEstimate(tally, place, item.position);
    countFile(tally, item.position, "places");
    return place;
  }
  countRejected(tally, item.position, place, item.record);
  return undefined;
}

/** Holds an item, or counts one whose place is in the index already. There is nothing else to be done with it now. */
function setAside(
  item: SourceItem,
  fate: Exclude<Fate, "clean">,
  { tally, held }: Pick<ThreadsOptions, "tally" | "held">,
): undefined {
  if (fate === "held") {
    held.push(item);
    return;
  }
  tally.read += 1;
  countFile(tally, item.position, "places");
}

/** Cleans a draft to a document, or says why it has none. The document has the hash of the draft, where the context hashes drafts. */
export function cleanToDocument(draft: PlaceDraft, context: CleanContext): CleanedPlace | Rejection {
  const cleaned = cleanDraft(draft, context);
  const place = isRejection(cleaned) ? cleaned : toValidDocument(cleaned);
  const draftHash = context.hashDraft?.(draft);
  return isRejection(place) || draftHash === undefined ? place : { ...place, draft_hash: draftHash };
}

type CleanedPlace = PlaceDocument & { readonly draft_hash?: string };

/** A generated data id begins with the location. A place that moved keeps the id that callers know. */
export function withKnownDataId(place: PlaceDocument, known: ReadonlyMap<string, string>): PlaceDocument {
  const dataId = known.get(dataIdIdentity(place.data_id));
  return dataId === undefined ? place : { ...place, data_id: dataId };
}

/**
 * Converts the record's data id to canonical form. Without one, generates it from the S2 leaf cell of the
 * location and the first 64 bits of SHA-256 over source and source id. It stays the same for as long as the
 * source keeps its id.
 */
export const fillDataId: CleanStep = (draft) => {
  if (draft.data_id !== "") {
    const dataId = parseDataId(draft.data_id);
    return dataId === undefined
      ? { field: "data_id", reason: "not of the form 0x<hex>:0x<hex>", value: draft.data_id }
      : { ...draft, data_id: dataId, ...(isMade(dataId, draft) ? {} : { has_given_id: true }) };
  }
  if (draft.source_id === "") return { field: "source_id", reason: "empty, and no data_id either" };
  return { ...draft, data_id: buildDataId(leafCell(draft.location), identityOf(draft)) };
};

/** An export writes data ids that were made, too. */
const isMade = (dataId: string, draft: PlaceDraft): boolean =>
  draft.source_id !== "" && BigInt(dataIdIdentity(dataId)) === identityOf(draft);

/**
 * The identity of a place that is known only by source and source id. A NUL separates the two, so no other
 * pair produces the same text.
 */
export function identityOf({ source, source_id: sourceId }: { source: string; source_id: string }): bigint {
  return BigInt(`0x${hash("sha256", `${source}\0${sourceId}`).slice(0, 16)}`);
}

/** Every draft goes through these steps in this order. A step comes after those that it depends on. */
const STEPS: readonly CleanStep[] = [
  cleanStrings,
  cleanNames,
  refineType,
  readClosedTitle,
  unswapCoordinates,
  estimatePoint,
  checkCoordinates,
  addSightNames,
  cleanWebsite,
  fillCountry,
  cleanPhone,
  fillTimeZone,
  splitAddress,
  completeAddress,
  fillAreas,
  dateHolidays,
  fillDataId,
];

/** Runs all steps. Returns the draft, or the first reason to reject it. */
export function cleanDraft(draft: PlaceDraft, context: CleanContext): PlaceDraft | Rejection {
  let cleaned = draft;
  for (const step of STEPS) {
    const result = step(cleaned, context);
    if (isRejection(result)) return result;
    cleaned = result;
  }
  return cleaned;
}
