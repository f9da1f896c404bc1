import type { IndexBuild } from "../src/place-index/index-build.ts";
import { dataIdIdentity } from "../src/place/data-id.ts";
import type { PlaceDocument } from "../src/place/place-document.ts";
import { createBatch } from "./batch.ts";
import { cleanDraft } from "./clean/steps.ts";
import { createDistinctCounter } from "./distinct-counter.ts";
import { countRejected, countSkipped, createNotes, placeNotes, type ImportTally } from "./import-tally.ts";
import { isRejection, type PlaceDraft, type Rejection } from "./place-draft.ts";
import { createSample } from "./sample.ts";
import type { Source } from "./sources/open-sources.ts";
import type { SourceContext, SourceItem } from "./sources/source.ts";
import { toPlaceDocument } from "./to-place-document.ts";
import { untilAborted } from "./until-aborted.ts";

interface FillOptions {
  readonly build: Pick<IndexBuild, "add" | "knownDataIds">;
  readonly tally: ImportTally;
  readonly today: Temporal.PlainDate;
  readonly signal: AbortSignal;
}

/** What the check of the index needs to know of what was written. */
export interface Written {
  /** About how many different places there were: the later of two records of one place replaces the earlier. */
  readonly distinctPlaces: number;
  /** Data ids from all over the input. */
  readonly sampleIds: readonly string[];
}

/** A broken batch or a lost one shows in a few dozen places spread over the input; each costs two questions to the engine. */
const SAMPLE_SIZE = 32;

/**
 * Reads all sources one after the other and hands their places to the build in batches. Counts everything in the tally.
 * @throws {ImportError} for a source that cannot be read to its end, what the engine throws, and the signal's reason.
 */
export async function fillIndex(sources: readonly Source[], options: FillOptions): Promise<Written> {
  const { build, tally, signal } = options;
  const context: SourceContext = { note: createNotes(tally), today: options.today };
  const batch = createBatch();
  const distinct = createDistinctCounter();
  const sample = createSample<string>(SAMPLE_SIZE);
  /** Of the places of this batch that brought no data id. */
  const madeIdentities = new Set<string>();

  const handOver = async (): Promise<void> => {
    const places = batch.take();
    if (places.length === 0) return;
    const known = await untilAborted(() => build.knownDataIds([...madeIdentities]), signal);
    madeIdentities.clear();
    await untilAborted(() => build.add(places.map((place) => withKnownDataId(place, known))), signal);
    tally.written += places.length;
  };

  let earlierBytes = 0;
  for (const { input, read } of sources) {
    for await (const item of read(input, context)) {
      signal.throwIfAborted();
      const place = toPlace(item, context, tally);
      placeNotes(tally, item.position);
      if (!place) continue;
      const identity = dataIdIdentity(place.data_id);
      distinct.add(identity);
      if ("draft" in item && item.draft.data_id === "") madeIdentities.add(identity);
      sample.add(place.data_id);
      if (batch.add(place, earlierBytes + input.bytesGiven())) await handOver();
    }
    earlierBytes += input.bytesGiven();
  }
  await handOver();
  return { distinctPlaces: distinct.estimate(), sampleIds: sample.values() };
}

/** A made data id begins with where the place is; one that moved keeps the id that callers hold. */
function withKnownDataId(place: PlaceDocument, known: ReadonlyMap<string, string>): PlaceDocument {
  const dataId = known.get(dataIdIdentity(place.data_id));
  return dataId === undefined ? place : { ...place, data_id: dataId };
}

/** The document of one record; `undefined` for one that is left out, which is counted with its reason. */
function toPlace(item: SourceItem, context: SourceContext, tally: ImportTally): PlaceDocument | undefined {
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
