import { useLocale } from 'next-intl';
import type { ReactNode } from 'react';
import { revealInvisible, withIndex } from '../../ui/display/untrusted-text';
import type { Scale } from './chart-scale';

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

export interface ChartFrameProps {
  width: number;
  height: number;
  labels: string[];
  scale: Scale;
  children: (area: ChartArea) => ReactNode;
}

/** Grid lines and numbers at the side, labels below: as many as fit. */
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
