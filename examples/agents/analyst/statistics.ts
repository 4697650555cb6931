/** Statistics of a numeric column. */
export interface NumberStatistics {
  sum: number;
  mean: number;
  median: number;
  min: number;
  max: number;
  /** Sample standard deviation; 0 for a single value. */
  deviation: number;
  outliers: Outliers;
}

/** Values more than one and a half interquartile ranges outside the middle half (Tukey's fences). */
export interface Outliers {
  low: number;
  high: number;
  count: number;
  /** The most extreme values, farthest first. */
  examples: number[];
}

const EXAMPLES = 3;

/** @throws {RangeError} without values */
export function describeNumbers(values: number[]): NumberStatistics {
  if (values.length === 0) throw new RangeError('no values');
  const sorted = Float64Array.from(values).sort();
  const sum = addUp(values);
  const mean = sum / values.length;
  const squares = addUp(values.map((value) => (value - mean) ** 2));
  return {
    sum,
    mean,
    median: quantile(sorted, 0.5),
    min: quantile(sorted, 0),
    max: quantile(sorted, 1),
    deviation: values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : 0,
    outliers: findOutliers(sorted),
  };
}

/** Adds up values with Neumaier's correction: 0.1 ten times is 1. */
export function addUp(values: Iterable<number>): number {
  let sum = 0;
  let lost = 0;
  for (const value of values) {
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return sum + lost;
}

/** Returns a quantile of sorted values, by linear interpolation. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? below;
  return below + (above - below) * (position - Math.floor(position));
}

function findOutliers(sorted: Float64Array): Outliers {
  const first = quantile(sorted, 0.25);
  const third = quantile(sorted, 0.75);
  const reach = 1.5 * (third - first);
  const [low, high] = [first - reach, third + reach];
  // Without spread in the middle half, every other value would be an outlier.
  const outside = reach > 0 ? [...sorted].filter((value) => value < low || value > high) : [];
  const middle = (first + third) / 2;
  const farthest = [...outside].sort((a, b) => Math.abs(b - middle) - Math.abs(a - middle));
  return { low, high, count: outside.length, examples: [...new Set(farthest)].slice(0, EXAMPLES) };
}

/**
 * Returns Pearson's correlation over the rows that have both values; null for fewer than three rows, or if one column
 * is constant.
 */
export function correlate(a: (number | null)[], b: (number | null)[]): { r: number; pairs: number } | null {
  const xs: number[] = [];
  const ys: number[] = [];
  a.forEach((x, row) => {
    const y = b[row];
    if (x === null || y === null || y === undefined) return;
    xs.push(x);
    ys.push(y);
  });
  if (xs.length < 3) return null;
  const [meanX, meanY] = [addUp(xs) / xs.length, addUp(ys) / ys.length];
  let [both, varianceX, varianceY] = [0, 0, 0];
  xs.forEach((x, index) => {
    const y = ys[index] ?? 0;
    both += (x - meanX) * (y - meanY);
    varianceX += (x - meanX) ** 2;
    varianceY += (y - meanY) ** 2;
  });
  if (varianceX === 0 || varianceY === 0) return null;
  const r = both / Math.sqrt(varianceX * varianceY);
  return { r: Math.max(-1, Math.min(1, r)), pairs: xs.length };
}
