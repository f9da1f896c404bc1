/**
 * The value that the given share of all values does not exceed (nearest rank). `ascending` is sorted.
 * `undefined` when there are no values.
 */
export function percentile(ascending: ArrayLike<number>, share: number): number | undefined {
  const rank = Math.max(1, Math.ceil(share * ascending.length));
  return ascending[rank - 1];
}

/** The middle value, or the mean of the two in the middle. NaN values are left out; NaN when nothing is left. */
export function median(values: readonly number[]): number {
  const ascending = values.filter((value) => !Number.isNaN(value)).toSorted((a, b) => a - b);
  const middle = ascending.length >> 1;
  if (ascending.length % 2 === 1) return ascending[middle]!;
  return ascending.length === 0 ? Number.NaN : (ascending[middle - 1]! + ascending[middle]!) / 2;
}
