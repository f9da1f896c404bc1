import { dataIdIdentity, buildDataId, parseDataId } from "../../src/place/data-id.ts";
import type { PlaceDocument } from "../../src/place/place-document.ts";
import { countRejected, countSkipped, createNotes, placeNotes, type ImportTally } from "./import-tally.ts";
import {
  isRejection,
  type PlaceDraft,
  type Rejection,
  toValidDocument,
  type CleanStep,
  type CleanContext,
} from "./place-draft.ts";
import type { Source } from "../sources/open-sources.ts";
import type { SourceContext, SourceItem } from "../sources/source.ts";
import { hash } from "node:crypto";
import { leafCell, checkCoordinates, fillCountry, unswapCoordinates, fillTimeZone } from "./location.ts";
import { completeAddress, splitAddress } from "./address.ts";
import { fillAreas } from "./areas.ts";
import { dateHolidays } from "./holidays.ts";
import { cleanNames, cleanStrings } from "./strings.ts";
import { cleanPhone, cleanWebsite } from "./phone.ts";

interface ReadOptions {
  readonly tally: ImportTally;
  readonly today: Temporal.PlainDate;
  readonly findTeamAreas?: CleanContext["findTeamAreas"];
  readonly signal: AbortSignal;
}

/** A place of the input, ready for the index. */
export interface ReadDocument {
  readonly place: PlaceDocument;
  /** True when the data id was generated here. The index may then know the place by another one. */
  readonly hasMadeId: boolean;
  /** How much of all sources has been read so far. */
  readonly inputBytes: number;
}

/**
 * Reads the places of all sources, one after the other and always in the same order. Rejected records are
 * counted in the tally.
 * @throws {CommandError} for a source that cannot be read to its end, and the signal's reason.
 */
export async function* readDocuments(
  sources: readonly Source[],
  { tally, today, findTeamAreas, signal }: ReadOptions,
): AsyncGenerator<ReadDocument> {
  const context: SourceContext = { note: createNotes(tally), today, findTeamAreas };
  let earlierBytes = 0;
  for (const { input, read } of sources) {
    for await (const item of read(input, context)) {
      signal.throwIfAborted();
      const place = toDocument(item, context, tally);
      placeNotes(tally, item.position);
      if (!place) continue;
      const hasMadeId = "draft" in item && item.draft.data_id === "";
      yield { place, hasMadeId, inputBytes: earlierBytes + input.bytesGiven() };
    }
    earlierBytes += input.bytesGiven();
  }
}

/** Builds the document of one record; `undefined` for a rejected one, which is counted with its reason. */
export function toDocument(
  item: SourceItem,
  context: SourceContext,
  tally: ImportTally,
): PlaceDocument | undefined {
  tally.read += 1;
  if ("skipped" in item) {
    countSkipped(tally, item.skipped);
    return undefined;
  }
  const place = "rejected" in item ? item.rejected : cleanToDocument(item.draft, context);
  if (!isRejection(place)) return place;
  countRejected(tally, item.position, place, item.record);
  return undefined;
}

function cleanToDocument(draft: PlaceDraft, context: SourceContext): PlaceDocument | Rejection {
  const cleaned = cleanDraft(draft, context);
  return isRejection(cleaned) ? cleaned : toValidDocument(cleaned);
}

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
  unswapCoordinates,
  checkCoordinates,
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
