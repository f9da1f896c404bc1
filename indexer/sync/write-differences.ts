import { dataIdIdentity } from "../../src/place/data-id.ts";
import type { PlaceDocument } from "../../src/place/place-document.ts";
import { createBatch } from "../batch.ts";
import type { Change } from "../changes/change.ts";
import type { LiveWriter } from "../changes/live-writer.ts";
import type { Deletions } from "./deletions.ts";
import type { SyncTally } from "./sync-report.ts";

interface WriteOptions {
  readonly sync: SyncTally;
  readonly signal: AbortSignal;
}

/**
 * A live index takes seconds for a write of any size. So several batches go to the engine together, which joins those that
 * wait; each lies in our memory only until it is handed over.
 */
const BATCHES_TOGETHER = 40;

/** Writes places in their order. Between two writes the signal ends it. */
export async function writePlaces(
  places: AsyncIterable<PlaceDocument>,
  writer: LiveWriter,
  { sync, signal }: WriteOptions,
): Promise<void> {
  const batches = toBatches(places);
  for (let next = await batches.next(); !next.done; next = await batches.next()) {
    signal.throwIfAborted();
    const written = await writer.writeTogether(some(next.value, batches));
    for (const { applied } of written) sync.written += applied;
  }
}

/** The first batch and those that go with it. */
async function* some(first: Change[], batches: AsyncGenerator<Change[]>): AsyncGenerator<Change[]> {
  yield first;
  for (let count = 1; count < BATCHES_TOGETHER; count += 1) {
    const next = await batches.next();
    if (next.done) return;
    yield next.value;
  }
}

async function* toBatches(places: AsyncIterable<PlaceDocument>): AsyncGenerator<Change[]> {
  const batch = createBatch();
  let letters = 0;
  for await (const place of places) {
    letters += lettersOf(place);
    if (batch.add(place, letters)) yield toChanges(batch.take());
  }
  const rest = toChanges(batch.take());
  if (rest.length > 0) yield rest;
}

/** About: what is long about a place is in these. */
const lettersOf = ({ review_list: reviews, photos, popular_times: times }: PlaceDocument): number =>
  1_000 + JSON.stringify([reviews, photos, times]).length;

/** The later of two records of one place counts. The data ids are those of the index already. */
const toChanges = (places: readonly PlaceDocument[]): Change[] =>
  [...new Map(places.map((place) => [dataIdIdentity(place.data_id), place]))].map(([identity, place]) => ({
    identity,
    place,
    hasMadeId: false,
    bytes: 0,
  }));

/** Removes places. Between two batches the signal ends it. */
export async function writeDeletions(
  deletions: Deletions,
  writer: LiveWriter,
  { sync, signal }: WriteOptions,
): Promise<void> {
  for await (const identities of deletions.batches()) {
    signal.throwIfAborted();
    const changes = identities.map((identity): Change => ({ identity, deleted: identity, bytes: 0 }));
    sync.deleted += (await writer.write(changes)).deleted;
  }
}
