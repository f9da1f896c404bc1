import { joinPairs, type OnJoined } from "./clusters.ts";
import { findPairs } from "./find-pairs.ts";
import { countMerged, type MergeTally } from "./merge-tally.ts";
import type { Signature } from "./signature.ts";
import type { SignatureStore } from "./signature-store.ts";

export interface FindOptions {
  /** Sources in the order in which they were read: of equally full records the earlier source's is kept. */
  readonly sources: readonly string[];
  readonly merges: MergeTally;
  readonly signal: AbortSignal;
}

/** The data of a group of records of one place: the one that is kept first. */
export type Merge = readonly Signature[];

/** Finds the records that are one place, and counts why. */
export async function* findMerges(
  store: SignatureStore,
  { sources, merges, signal }: FindOptions,
): AsyncGenerator<Merge> {
  await findPairs(store, signal);
  const byFullness = createOrder(sources);
  const onJoined: OnJoined = (one, other, { evidence, distanceMeters }) => {
    const [kept, merged] = [one, other].toSorted(byFullness).map(toRecord);
    if (!kept || !merged) return;
    countMerged(merges, { kept, merged, reason: evidence, distance_meters: Math.round(distanceMeters) });
  };
  for await (const group of joinPairs(store, { onJoined, signal })) yield group.toSorted(byFullness);
}

const toRecord = ({ data_id, source, title }: Signature) => ({ data_id, source, title });

/** The fuller first, then the earlier source; the identity makes the same of the same again. */
function createOrder(sources: readonly string[]) {
  const rankOf = (source: string): number => {
    const rank = sources.indexOf(source);
    return rank === -1 ? sources.length : rank;
  };
  return (one: Signature, other: Signature): number =>
    other.filled - one.filled ||
    rankOf(one.source) - rankOf(other.source) ||
    (one.identity < other.identity ? -1 : 1);
}
