/** One of the records of a place that several sources have. */
interface MergedRecord {
  readonly data_id: string;
  readonly source: string;
  readonly title: string;
}

/** Two records that became one. */
export interface MergedPair {
  /** The fuller one. */
  readonly kept: MergedRecord;
  readonly merged: MergedRecord;
  readonly reason: string;
  readonly distance_meters: number;
}

/** What became one place, and why. */
export interface MergeTally {
  /** Records that are no place of their own any more: their ids lead to the place they are part of. */
  total: number;
  readonly reasons: Map<string, number>;
  /** The first ones. */
  readonly pairs: MergedPair[];
}

export const createMergeTally = (): MergeTally => ({ total: 0, reasons: new Map(), pairs: [] });

/** Enough to see whether they are right. */
const MAX_PAIRS = 20;

/** Counts two records that became one. `reason` says what is alike but for the distance. */
export function countMerged(tally: MergeTally, pair: MergedPair): void {
  tally.total += 1;
  tally.reasons.set(pair.reason, (tally.reasons.get(pair.reason) ?? 0) + 1);
  if (tally.pairs.length < MAX_PAIRS) tally.pairs.push(pair);
}
