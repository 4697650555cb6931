export interface Scale {
  low: number;
  high: number;
  /** Values to mark, from low to high. */
  ticks: number[];
}

const STEPS = [1, 2, 2.5, 5, 10];
/** Values that differ by less than this part of themselves, or by less than `TINY`, stand at one height. */
const SAME = 1e-9;
const TINY = 1e-100;

/** A scale that holds all values and starts, ends and is marked at round numbers; `fromZero` also holds zero. */
export function scaleFor(values: number[], { fromZero }: { fromZero: boolean }): Scale {
  const all = fromZero ? [0, ...values] : values;
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const [low, high] = most - least > Math.abs(most) * SAME + TINY ? [least, most] : spreadAround(least);
  const step = niceStep((high - low) / 4);
  // Adding zero makes 0 of -0, which would be written with its sign.
  const [from, to] = [Math.floor(low / step) + 0, Math.ceil(high / step) + 0];
  const ticks = Array.from({ length: to - from + 1 }, (_, index) => (from + index) * step);
  return { low: from * step, high: to * step, ticks };
}

/** One value alone, or none, still needs a scale. */
function spreadAround(value: number): [number, number] {
  if (!Number.isFinite(value) || Math.abs(value) <= TINY) return [0, 1];
  return value > 0 ? [0, 2 * value] : [2 * value, 0];
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = STEPS.find((step) => step * power >= rough) ?? 10;
  return factor * power;
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 4 });

/** A number beside an axis. */
export function tickText(value: number): string {
  return compact.format(value);
}
