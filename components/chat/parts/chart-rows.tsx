import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { revealInvisible, withIndex } from '../../ui/display/untrusted-text';
import { scaleFor } from './chart-scale';
import { seriesStyle } from './chart-theme';
import { useFormatNumber } from './format-number';
import type { NamedChart } from './read-chart';

const LABEL = 20;
const BAR = 12;
const GAP = 8;
const CHARACTER = 7;

/** Height of all rows, px. */
export function rowsHeight({ labels, series }: NamedChart): number {
  return labels.length * (LABEL + series.length * (BAR + 2) + GAP);
}

/** Horizontal bars, each label above its bars and each value next to its own: legible at any width. */
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
