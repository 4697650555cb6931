import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { ChartArea } from './chart-frame';
import { seriesStyle } from './chart-theme';
import { formatNumber } from './format-number';
import type { NamedChart, NamedSeries } from './read-chart';
import { revealInvisible } from './reveal-invisible-chars';
import { withIndex } from './with-index';

/** Above this number of points, no point markers. */
const MAX_MARKS = 60;

/** One line per series, with gaps at missing values. */
export function ChartLines({ chart, area }: { chart: NamedChart; area: ChartArea }): ReactNode {
  return withIndex(chart.series).map(({ item, at }) => (
    <Line area={area} key={at} labels={chart.labels} seriesIndex={at} series={item} />
  ));
}

interface LineProps {
  series: NamedSeries;
  seriesIndex: number;
  labels: string[];
  area: ChartArea;
}

function Line({ series, seriesIndex, labels, area }: LineProps): ReactNode {
  const t = useTranslations('parts.chartCard');
  const { hue, dashes } = seriesStyle(seriesIndex);
  const xOf = (at: number): number => area.left + area.slot * (at + 0.5);
  const marked = series.values.length <= MAX_MARKS;
  return (
    <g className={hue}>
      <path
        d={pathOf(series.values, (value, at) => `${round(xOf(at))} ${round(area.yOf(value))}`)}
        fill="none"
        stroke="currentColor"
        strokeDasharray={dashes}
        strokeLinejoin="round"
        strokeWidth="2"
      />
      {withIndex(series.values).map(({ item: value, at }) => {
        // A point without neighbors needs a marker, as it has no line.
        const alone = (series.values[at - 1] ?? null) === null && (series.values[at + 1] ?? null) === null;
        if (value === null || (!marked && !alone)) return null;
        return (
          <circle cx={xOf(at)} cy={area.yOf(value)} fill="currentColor" key={at} r="3">
            <title>
              {revealInvisible(
                t('value', { label: labels[at] ?? '', value: formatNumber(value), series: series.name }),
              )}
            </title>
          </circle>
        );
      })}
    </g>
  );
}

function pathOf(values: (number | null)[], point: (value: number, at: number) => string): string {
  return values
    .map((value, at) => {
      if (value === null) return '';
      const goesOn = at > 0 && (values[at - 1] ?? null) !== null;
      return `${goesOn ? 'L' : 'M'}${point(value, at)}`;
    })
    .join('');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
