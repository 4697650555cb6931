export interface Scale {
  low: number;
  high: number;
  /** Tick values, ascending. */
  ticks: number[];
}

const STEPS = [1, 2, 2.5, 5, 10];
/**
 * Minimum relative difference of values with different heights. Values whose absolute difference is below `TINY` have
 * the same height.
 */
const RELATIVE_TOLERANCE = 1e-9;
const ABSOLUTE_TOLERANCE = 1e-100;

/** A scale that contains all values and has round bounds and ticks; `fromZero` includes zero. */
export function scaleFor(values: number[], { fromZero }: { fromZero: boolean }): Scale {
  const all = fromZero ? [0, ...values] : values;
  const [min, max] = [Math.min(...all), Math.max(...all)];
  const [low, high] =
    max - min > Math.abs(max) * RELATIVE_TOLERANCE + ABSOLUTE_TOLERANCE ? [min, max] : spreadAround(min);
  const step = niceStep((high - low) / 4);
  // Adding zero turns -0 into 0, which would be printed with its sign.
  const [from, to] = [Math.floor(low / step) + 0, Math.ceil(high / step) + 0];
  const ticks = Array.from({ length: to - from + 1 }, (_, index) => (from + index) * step);
  return { low: from * step, high: to * step, ticks };
}

/** A single value, or none, still needs a scale. */
function spreadAround(value: number): [number, number] {
  if (!Number.isFinite(value) || Math.abs(value) <= ABSOLUTE_TOLERANCE) return [0, 1];
  return value > 0 ? [0, 2 * value] : [2 * value, 0];
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = STEPS.find((step) => step * power >= rough) ?? 10;
  return factor * power;
}
