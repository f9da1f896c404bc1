import { dataIdIdentity } from "../../src/place/data-id.ts";
import type { PlaceDocument } from "../../src/place/place-document.ts";
import { cleanDraft } from "./steps.ts";
import { countRejected, countSkipped, createNotes, placeNotes, type ImportTally } from "./import-tally.ts";
import { isRejection, type PlaceDraft, type Rejection, toPlaceDocument } from "./place-draft.ts";
import type { Source } from "../sources/open-sources.ts";
import type { SourceContext, SourceItem } from "../sources/source.ts";

interface ReadOptions {
  readonly tally: ImportTally;
  readonly today: Temporal.PlainDate;
  readonly signal: AbortSignal;
}

/** A place of the input, ready for the index. */
export interface ReadPlace {
  readonly place: PlaceDocument;
  /** Whether its data id was made here: then the index may know the place under another one. */
  readonly hasMadeId: boolean;
  /** How much of all sources was read until now. */
  readonly inputBytes: number;
}

/**
 * The places of all sources, one after the other and always in the same order. What is left out is counted in the tally.
 * @throws {CommandError} for a source that cannot be read to its end, and the signal's reason.
 */
export async function* readPlaces(
  sources: readonly Source[],
  { tally, today, signal }: ReadOptions,
): AsyncGenerator<ReadPlace> {
  const context: SourceContext = { note: createNotes(tally), today };
  let earlierBytes = 0;
  for (const { input, read } of sources) {
    for await (const item of read(input, context)) {
      signal.throwIfAborted();
      const place = toPlace(item, context, tally);
      placeNotes(tally, item.position);
      if (!place) continue;
      const hasMadeId = "draft" in item && item.draft.data_id === "";
      yield { place, hasMadeId, inputBytes: earlierBytes + input.bytesGiven() };
    }
    earlierBytes += input.bytesGiven();
  }
}

/** The document of one record; `undefined` for one that is left out, which is counted with its reason. */
export function toPlace(
  item: SourceItem,
  context: SourceContext,
  tally: ImportTally,
): PlaceDocument | undefined {
  tally.read += 1;
  if ("skipped" in item) {
    countSkipped(tally, item.skipped);
    return undefined;
  }
  const place = "rejected" in item ? item.rejected : toDocument(item.draft, context);
  if (!isRejection(place)) return place;
  countRejected(tally, item.position, place, item.record);
  return undefined;
}

function toDocument(draft: PlaceDraft, context: SourceContext): PlaceDocument | Rejection {
  const cleaned = cleanDraft(draft, context);
  return isRejection(cleaned) ? cleaned : toPlaceDocument(cleaned);
}

/** A made data id begins with where the place is; one that moved keeps the id that callers hold. */
export function withKnownDataId(place: PlaceDocument, known: ReadonlyMap<string, string>): PlaceDocument {
  const dataId = known.get(dataIdIdentity(place.data_id));
  return dataId === undefined ? place : { ...place, data_id: dataId };
}
