export interface Scale {
  low: number;
  high: number;
  /** Values to mark, from low to high. */
  ticks: number[];
}

const STEPS = [1, 2, 2.5, 5, 10];

/** A scale that holds all values and starts, ends and is marked at round numbers; `fromZero` also holds zero. */
export function scaleFor(values: number[], { fromZero }: { fromZero: boolean }): Scale {
  const all = fromZero ? [0, ...values] : values;
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const [low, high] = least < most ? [least, most] : spreadAround(least);
  const step = niceStep((high - low) / 4);
  const [from, to] = [Math.floor(low / step), Math.ceil(high / step)];
  const ticks = Array.from({ length: to - from + 1 }, (_, index) => (from + index) * step);
  return { low: from * step, high: to * step, ticks };
}

/** One value alone, or none, still needs a scale. */
function spreadAround(value: number): [number, number] {
  if (!Number.isFinite(value)) return [0, 1];
  const room = Math.abs(value) || 1;
  return [Math.min(0, value - room), Math.max(0, value + room)];
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
