import type { IndexBuild } from "../src/place-index/index-build.ts";
import { dataIdIdentity } from "../src/place/data-id.ts";
import { createBatch } from "./batch.ts";
import { createDistinctCounter } from "./distinct-counter.ts";
import { ImportError } from "./import-error.ts";
import type { ImportTally } from "./import-tally.ts";
import { readPlaces, withKnownDataId } from "./read-places.ts";
import { createSample } from "./sample.ts";
import type { Source } from "./sources/open-sources.ts";
import { untilAborted } from "./until-aborted.ts";

interface FillOptions {
  readonly build: Pick<IndexBuild, "add" | "knownDataIds"> & Partial<Pick<IndexBuild, "alreadyAdded">>;
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
  /** The sources that the places name, in the order of their first ones; of very many only the first. */
  readonly sourceNames: readonly string[];
}

/** A broken batch or a lost one shows in a few dozen places spread over the input; each costs two questions to the engine. */
const SAMPLE_SIZE = 32;

/** Their order decides little; a file in which each record is a source of its own must not fill the memory. */
const MAX_SOURCE_NAMES = 100;

/**
 * Reads all sources one after the other and hands their places to the build in batches, but for those that a resumed build has
 * already. Counts everything in the tally.
 * @throws {ImportError} for a source that cannot be read to its end, what the engine throws, and the signal's reason.
 */
export async function fillIndex(sources: readonly Source[], options: FillOptions): Promise<Written> {
  const { build, tally, signal } = options;
  const batch = createBatch();
  const distinct = createDistinctCounter();
  const sample = createSample<string>(SAMPLE_SIZE);
  const sourceNames = new Set<string>();
  let placesToPass = build.alreadyAdded ?? 0;
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

  for await (const { place, hasMadeId, inputBytes } of readPlaces(sources, options)) {
    const identity = dataIdIdentity(place.data_id);
    distinct.add(identity);
    sample.add(place.data_id);
    if (sourceNames.size < MAX_SOURCE_NAMES) sourceNames.add(place.source);
    if (placesToPass > 0) {
      placesToPass -= 1;
      tally.written += 1;
      continue;
    }
    if (hasMadeId) madeIdentities.add(identity);
    if (batch.add(place, inputBytes)) await handOver();
  }
  await handOver();
  if (placesToPass > 0)
    throw new ImportError("The files hold fewer places than were read before: start without --resume.");
  return { distinctPlaces: distinct.estimate(), sampleIds: sample.values(), sourceNames: [...sourceNames] };
}
