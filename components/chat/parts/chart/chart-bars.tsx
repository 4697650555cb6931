import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { revealInvisible, withIndex } from '../../../ui/display/untrusted-text';
import { useFormatNumber } from '../table-card';
import { type ChartArea, scaleFor, seriesStyle } from './chart-frame';
import type { NamedChart, NamedSeries } from './read-chart';

const MAX_BAR_WIDTH = 56;

/** Vertical bars. Bars with the same label are adjacent. */
export function BarColumns({ chart, area }: { chart: NamedChart; area: ChartArea }): ReactNode {
  const count = chart.series.length;
  const bar = Math.min(MAX_BAR_WIDTH, (area.slot * 0.8) / count);
  return (
    <>
      {withIndex(chart.series).map(({ item: series, index }) => (
        <Columns
          area={area}
          bar={bar}
          key={index}
          labels={chart.labels}
          offset={(index - count / 2) * bar}
          index={index}
          series={series}
        />
      ))}
      <line
        className="text-line-strong"
        stroke="currentColor"
        x1={area.left}
        x2={area.right}
        y1={area.yOf(0)}
        y2={area.yOf(0)}
      />
    </>
  );
}

interface ColumnsProps {
  series: NamedSeries;
  index: number;
  labels: string[];
  area: ChartArea;
  /** Width of one bar. */
  bar: number;
  /** From the center of the label to the left edge of the bar. */
  offset: number;
}

function Columns({ series, index, labels, area, bar, offset }: ColumnsProps): ReactNode {
  const t = useTranslations('parts.chartCard');
  const formatNumber = useFormatNumber();
  const { hue, filled } = seriesStyle(index);
  const gap = bar > 6 ? 1 : 0;
  return (
    <g className={hue}>
      {withIndex(series.values).map(({ item: value, index: labelIndex }) => {
        if (value === null) return null;
        const [top, bottom] = [area.yOf(Math.max(0, value)), area.yOf(Math.min(0, value))];
        return (
          <rect
            fill={filled ? 'currentColor' : 'none'}
            height={Math.max(1, bottom - top)}
            key={labelIndex}
            stroke={filled ? 'none' : 'currentColor'}
            strokeWidth={filled ? 0 : 1.5}
            width={Math.max(1, bar - 2 * gap)}
            x={area.left + area.slot * (labelIndex + 0.5) + offset + gap}
            y={top}
          >
            <title>
              {revealInvisible(
                t('value', { label: labels[labelIndex] ?? '', value: formatNumber(value), series: series.name }),
              )}
            </title>
          </rect>
        );
      })}
    </g>
  );
}

const LABEL = 20;
const BAR = 12;
const GAP = 8;
const CHARACTER = 7;

/** Returns the height of all rows, px. */
export function rowsHeight({ labels, series }: NamedChart): number {
  return labels.length * (LABEL + series.length * (BAR + 2) + GAP);
}

/** Horizontal bars, with each label above its bars and each value next to its bar, legible at any width. */
export function BarRows({ chart, width }: { chart: NamedChart; width: number }): ReactNode {
  const t = useTranslations('parts.chartCard');
  const formatNumber = useFormatNumber();
  const { labels, series } = chart;
  const values = series.flatMap((one) => one.values.filter((value) => value !== null));
  const scale = scaleFor(values, { fromZero: true });
  const longest = Math.max(1, ...values.map((value) => formatNumber(value).length));
  const room = Math.max(40, width - longest * CHARACTER - 12);
  const xOf = (value: number): number => ((value - scale.low) / (scale.high - scale.low)) * room;
  const rowHeight = rowsHeight(chart) / labels.length;
  const maxLabelLength = Math.max(8, Math.floor(width / CHARACTER));
  return withIndex(labels).map(({ item: label, index: labelIndex }) => (
    <g key={labelIndex} transform={`translate(0 ${labelIndex * rowHeight})`}>
      <text className="fill-ink text-xs" y="14">
        {revealInvisible(label.length > maxLabelLength ? `${label.slice(0, maxLabelLength - 1)}…` : label)}
      </text>
      {withIndex(series).map(({ item: { name, values: own }, index: seriesIndex }) => {
        const value = own[labelIndex] ?? null;
        if (value === null) return null;
        const { hue, filled } = seriesStyle(seriesIndex);
        const [from, to] = [xOf(Math.min(0, value)), xOf(Math.max(0, value))];
        const y = LABEL + seriesIndex * (BAR + 2);
        return (
          <g key={seriesIndex}>
            <rect
              className={hue}
              fill={filled ? 'currentColor' : 'none'}
              height={filled ? BAR : BAR - 1.5}
              stroke={filled ? 'none' : 'currentColor'}
              strokeWidth={filled ? 0 : 1.5}
              width={Math.max(1, to - from)}
              x={from}
              y={filled ? y : y + 0.75}
            >
              <title>{revealInvisible(t('value', { label, value: formatNumber(value), series: name }))}</title>
            </rect>
            <text className="fill-muted text-xs tabular-nums" x={to + 6} y={y + BAR - 2}>
              {formatNumber(value)}
            </text>
          </g>
        );
      })}
    </g>
  ));
}
