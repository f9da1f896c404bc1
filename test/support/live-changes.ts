import { withLiveWriter, type WrittenChanges } from "../../indexer/changes/apply-changes.ts";
import type { Change } from "../../indexer/changes/change-queue.ts";
import { UNCOORDINATED } from "../../indexer/session/coordination.ts";
import { dataIdIdentity } from "../../src/place/document/data-id.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import type { Topology } from "../../src/partitions/topology.ts";

/** Adds the place, or replaces it. */
export const toChange = (place: PlaceDocument): Change => ({
  identity: dataIdIdentity(place.data_id),
  place,
  hasMadeId: false,
  bytes: 0,
});

/** Deletes the place. */
export const toDeletion = ({ data_id: dataId }: PlaceDocument): Change => ({
  identity: dataIdIdentity(dataId),
  deleted: dataId,
  bytes: 0,
});

/** Writes batches to the live index. Resolves to what was written of each. */
export async function writeBatches(
  index: Topology,
  batches: Iterable<readonly Change[]> | AsyncIterable<readonly Change[]>,
  coordination = UNCOORDINATED,
): Promise<WrittenChanges[]> {
  const written: WrittenChanges[] = [];
  async function* inOrder(): AsyncGenerator<readonly Change[]> {
    yield* batches;
  }
  await withLiveWriter({ index, coordination }, (writer) =>
    writer.write(inOrder(), (batch) => void written.push(batch)),
  );
  return written;
}

/** Writes one batch to the live index. */
export const writeLive = async (index: Topology, ...changes: Change[]): Promise<WrittenChanges | undefined> =>
  (await writeBatches(index, [changes]))[0];
