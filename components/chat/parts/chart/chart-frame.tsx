import { useLocale } from 'next-intl';
import type { ReactNode } from 'react';
import { revealInvisible, withIndex } from '../../../ui/display/untrusted-text';

/** The style that distinguishes a series of a chart: by hue, and by form for color-blind readers. */
interface SeriesStyle {
  /** Text color class, used by drawings as `currentColor`. */
  hue: string;
  /** Dash pattern of a line. */
  dashes: string | undefined;
  /** True if bars are filled, false if they are outlined. */
  filled: boolean;
}

const styles: readonly SeriesStyle[] = [
  { hue: 'text-accent', dashes: undefined, filled: true },
  { hue: 'text-warn', dashes: '6 3', filled: false },
  { hue: 'text-good', dashes: '2 3', filled: true },
  { hue: 'text-danger', dashes: '8 3 2 3', filled: false },
  { hue: 'text-ink', dashes: '12 4', filled: true },
  { hue: 'text-muted', dashes: '4 4', filled: false },
];

const [firstStyle] = styles as readonly [SeriesStyle, ...SeriesStyle[]];

export function seriesStyle(index: number): SeriesStyle {
  return styles[index] ?? firstStyle;
}

/** The plotting area of a chart. */
export interface ChartArea {
  left: number;
  right: number;
  /** Width per label. */
  slot: number;
  /** The y coordinate of a value. */
  yOf: (value: number) => number;
  scale: Scale;
}

const TOP = 10;
const BOTTOM = 24;
const CHARACTER = 7;

interface ChartFrameProps {
  width: number;
  height: number;
  labels: string[];
  scale: Scale;
  children: (area: ChartArea) => ReactNode;
}

/** Grid lines with numbers at the side, and as many labels below as fit. */
export function ChartFrame({ width, height, labels, scale, children }: ChartFrameProps): ReactNode {
  const compact = new Intl.NumberFormat(useLocale(), { notation: 'compact', maximumSignificantDigits: 4 });
  const numbers = scale.ticks.map((tick) => compact.format(tick));
  const left = Math.max(...numbers.map(({ length }) => length)) * CHARACTER + 10;
  const right = width - 8;
  const bottom = height - BOTTOM;
  const yOf = (value: number): number => bottom - ((value - scale.low) / (scale.high - scale.low)) * (bottom - TOP);
  const slot = (right - left) / labels.length;
  return (
    <>
      <g className="text-line">
        {scale.ticks.map((tick) => (
          <line key={tick} stroke="currentColor" x1={left} x2={right} y1={yOf(tick)} y2={yOf(tick)} />
        ))}
      </g>
      <g className="fill-muted text-xs tabular-nums">
        {scale.ticks.map((tick, index) => (
          <text key={tick} textAnchor="end" x={left - 8} y={yOf(tick) + 4}>
            {numbers[index]}
          </text>
        ))}
        <Labels bottom={height - 6} labels={labels} left={left} slot={slot} />
      </g>
      {children({ left, right, slot, yOf, scale })}
    </>
  );
}

interface LabelsProps {
  labels: string[];
  left: number;
  slot: number;
  bottom: number;
}

function Labels({ labels, left, slot, bottom }: LabelsProps): ReactNode {
  const room = left + slot * labels.length;
  const longest = Math.min(16, Math.max(...labels.map(({ length }) => length)));
  const every = Math.max(1, Math.ceil((longest * CHARACTER + 12) / slot));
  return withIndex(labels).map(({ item: label, index }) => {
    if (index % every !== 0) return null;
    const text = revealInvisible(label.length > 16 ? `${label.slice(0, 15)}…` : label);
    const half = (text.length * CHARACTER) / 2;
    const x = Math.min(Math.max(left + slot * (index + 0.5), half), room + 8 - half);
    return (
      <text key={index} textAnchor="middle" x={x} y={bottom}>
        {text}
      </text>
    );
  });
}

interface Scale {
  low: number;
  high: number;
  /** Tick values, ascending. */
  ticks: number[];
}

const STEPS = [1, 2, 2.5, 5, 10];
/**
 * Minimum relative difference of values that have different heights. Values whose absolute difference is below `TINY`
 * have the same height.
 */
const RELATIVE_TOLERANCE = 1e-9;
const ABSOLUTE_TOLERANCE = 1e-100;

/** Returns a scale that contains all values and has round bounds and ticks. `fromZero` includes zero. */
export function scaleFor(values: number[], { fromZero }: { fromZero: boolean }): Scale {
  const all = fromZero ? [0, ...values] : values;
  const [min, max] = [Math.min(...all), Math.max(...all)];
  const [low, high] =
    max - min > Math.abs(max) * RELATIVE_TOLERANCE + ABSOLUTE_TOLERANCE ? [min, max] : spreadAround(min);
  const step = niceStep((high - low) / 4);
  // Adding zero converts -0 to 0, which would be displayed with its sign.
  const [from, to] = [Math.floor(low / step) + 0, Math.ceil(high / step) + 0];
  const ticks = Array.from({ length: to - from + 1 }, (_, index) => (from + index) * step);
  return { low: from * step, high: to * step, ticks };
}

/** Returns bounds around a single value, or none, which also requires a scale. */
function spreadAround(value: number): [number, number] {
  if (!Number.isFinite(value) || Math.abs(value) <= ABSOLUTE_TOLERANCE) return [0, 1];
  return value > 0 ? [0, 2 * value] : [2 * value, 0];
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = STEPS.find((step) => step * power >= rough) ?? 10;
  return factor * power;
}
