/** A share or a mean with the ends of its 95 % confidence interval. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** The normal quantile of 95 %. */
const Z = 1.96;

/** The mean and its interval by the normal approximation, which hundreds of cases allow. Values are 0 to 1. */
export function estimateMean(values: readonly number[]): Estimate {
  if (values.length === 0) return { value: Number.NaN, low: 0, high: 1 };
  const value = values.reduce((sum, one) => sum + one, 0) / values.length;
  const squares = values.reduce((sum, one) => sum + (one - value) ** 2, 0);
  const margin =
    values.length > 1 ? (Z * Math.sqrt(squares / (values.length - 1))) / Math.sqrt(values.length) : 1;
  return { value, low: Math.max(0, value - margin), high: Math.min(1, value + margin) };
}

/** The share of cases that hold, with Wilson's interval (1927), which is right near 0 and 1 as well. */
export function estimateShare(holds: readonly boolean[]): Estimate {
  const cases = holds.length;
  if (cases === 0) return { value: Number.NaN, low: 0, high: 1 };
  const share = holds.filter(Boolean).length / cases;
  const spread = 1 + Z ** 2 / cases;
  const middle = (share + Z ** 2 / (2 * cases)) / spread;
  const margin = (Z * Math.sqrt((share * (1 - share)) / cases + Z ** 2 / (4 * cases ** 2))) / spread;
  return { value: share, low: Math.max(0, middle - margin), high: Math.min(1, middle + margin) };
}
