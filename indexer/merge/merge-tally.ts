/** One of several records of a place. */
interface MergedRecord {
  readonly data_id: string;
  readonly source: string;
  readonly title: string;
}

/** Two records that were merged. */
export interface MergedPair {
  /** The more complete record. */
  readonly kept: MergedRecord;
  readonly merged: MergedRecord;
  readonly reason: string;
  readonly distance_meters: number;
}

/** How many records were merged, and why. */
export interface MergeTally {
  /** Records that were merged into another place. Their ids redirect to it. */
  total: number;
  readonly reasons: Map<string, number>;
  /** The first pairs. */
  readonly pairs: MergedPair[];
}

export const createMergeTally = (): MergeTally => ({ total: 0, reasons: new Map(), pairs: [] });

/** Enough to judge whether the merges are right. */
const MAX_PAIRS = 20;

/** Counts two merged records. `reason` says what is alike besides the location. */
export function countMerged(tally: MergeTally, pair: MergedPair): void {
  tally.total += 1;
  tally.reasons.set(pair.reason, (tally.reasons.get(pair.reason) ?? 0) + 1);
  if (tally.pairs.length < MAX_PAIRS) tally.pairs.push(pair);
}
