/** A share or a mean with the ends of its 95 % confidence interval. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** The normal quantile of 95 %. */
const Z = 1.96;

/**
 * The mean with its interval by the normal approximation, which is valid for hundreds of cases. Values are 0
 * to 1.
 */
export function estimateMean(values: readonly number[]): Estimate {
  if (values.length === 0) return { value: Number.NaN, low: 0, high: 1 };
  const value = values.reduce((sum, one) => sum + one, 0) / values.length;
  const squares = values.reduce((sum, one) => sum + (one - value) ** 2, 0);
  const margin =
    values.length > 1 ? (Z * Math.sqrt(squares / (values.length - 1))) / Math.sqrt(values.length) : 1;
  return { value, low: Math.max(0, value - margin), high: Math.min(1, value + margin) };
}

/** The share of cases that hold, with Wilson's interval (1927), which is also right near 0 and 1. */
export function estimateShare(holds: readonly boolean[]): Estimate {
  const cases = holds.length;
  if (cases === 0) return { value: Number.NaN, low: 0, high: 1 };
  const share = holds.filter(Boolean).length / cases;
  const spread = 1 + Z ** 2 / cases;
  const middle = (share + Z ** 2 / (2 * cases)) / spread;
  const margin = (Z * Math.sqrt((share * (1 - share)) / cases + Z ** 2 / (4 * cases ** 2))) / spread;
  return { value: share, low: Math.max(0, middle - margin), high: Math.min(1, middle + margin) };
}

/**
 * The value that the given share of all values does not exceed (nearest rank). `ascending` must be sorted.
 * `undefined` when there are no values.
 */
export function percentile(ascending: ArrayLike<number>, share: number): number | undefined {
  const rank = Math.max(1, Math.ceil(share * ascending.length));
  return ascending[rank - 1];
}

/** The middle value, or the mean of the two in the middle. NaN values are ignored; NaN when none are left. */
export function median(values: readonly number[]): number {
  const ascending = values.filter((value) => !Number.isNaN(value)).toSorted((a, b) => a - b);
  const middle = ascending.length >> 1;
  if (ascending.length % 2 === 1) return ascending[middle]!;
  return ascending.length === 0 ? Number.NaN : (ascending[middle - 1]! + ascending[middle]!) / 2;
}

/** How a value changes with time, with half the width of the slope's 95 % confidence interval. */
export interface Slope {
  readonly perMinute: number;
  readonly plusMinus: number;
  readonly samples: number;
}

export interface Sample {
  readonly atMs: number;
  readonly value: number;
}

/** From the normal distribution, which hardly differs from Student's with dozens of samples. */
const SIGMAS_OF_95_PERCENT = 1.96;

const MS_PER_MINUTE = 60_000;

/** Square minutes. With less spread, the samples are from one moment, apart from rounding. */
const SHORTEST_SPREAD = 1e-9;

/**
 * Fits a straight line by least squares. Neighbouring samples are alike, which would make the interval too
 * narrow. It is therefore widened by the correlation of each residual with the next. `undefined` when there
 * are too few samples.
 */
export function fitSlope(samples: readonly Sample[]): Slope | undefined {
  const count = samples.length;
  if (count < 8) return undefined;
  const times = samples.map(({ atMs }) => atMs / MS_PER_MINUTE);
  const values = samples.map(({ value }) => value);
  const [time, value] = [mean(times), mean(values)];
  const spread = sum(times.map((at) => (at - time) ** 2));
  if (spread < SHORTEST_SPREAD) return undefined;
  const slope = sum(times.map((at, index) => (at - time) * (values[index]! - value))) / spread;
  const residuals = times.map((at, index) => values[index]! - value - slope * (at - time));
  const squares = sum(residuals.map((residual) => residual ** 2));
  const alike = squares === 0 ? 0 : likenessOfNeighbours(residuals, squares);
  const error = Math.sqrt((squares / (count - 2) / spread) * ((1 + alike) / (1 - alike)));
  return { perMinute: slope, plusMinus: SIGMAS_OF_95_PERCENT * error, samples: count };
}

/** Correlation of each residual with the next, 0 to 0.95. */
function likenessOfNeighbours(residuals: readonly number[], squares: number): number {
  const products = residuals.slice(1).map((residual, index) => residual * residuals[index]!);
  return Math.min(0.95, Math.max(0, sum(products) / squares));
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const mean = (values: readonly number[]): number => sum(values) / values.length;
