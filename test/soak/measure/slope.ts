/** How a value changes with time, and the half width of the 95 % confidence interval of that. */
export interface Slope {
  readonly perMinute: number;
  readonly plusMinus: number;
  readonly samples: number;
}

export interface Sample {
  readonly atMs: number;
  readonly value: number;
}

/** Of a normal distribution; with the dozens of samples there are it hardly differs from Student's. */
const SIGMAS_OF_95_PERCENT = 1.96;

const MS_PER_MINUTE = 60_000;

/** Square minutes: less is one moment, and rounding. */
const SHORTEST_SPREAD = 1e-9;

/**
 * The straight line of least squares. Neighbouring samples are alike, which would make the interval look narrower than it is: it
 * is widened by how alike they are (the residuals' correlation with the next). `undefined` with too few samples to tell anything.
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
