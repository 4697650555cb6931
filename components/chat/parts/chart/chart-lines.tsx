import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { revealInvisible, withIndex } from '../../../ui/display/untrusted-text';
import { useFormatNumber } from '../table-card';
import { type ChartArea, seriesStyle } from './chart-frame';
import type { NamedChart, NamedSeries } from './read-chart';

/** Maximum points of a chart with point markers. */
const MAX_MARKS = 60;

/** One line per series, with gaps at missing values. */
export function ChartLines({ chart, area }: { chart: NamedChart; area: ChartArea }): ReactNode {
  return withIndex(chart.series).map(({ item, index }) => (
    <Line area={area} key={index} labels={chart.labels} seriesIndex={index} series={item} />
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
  const formatNumber = useFormatNumber();
  const { hue, dashes } = seriesStyle(seriesIndex);
  const xOf = (index: number): number => area.left + area.slot * (index + 0.5);
  const hasMarkers = series.values.length <= MAX_MARKS;
  return (
    <g className={hue}>
      <path
        d={pathOf(series.values, (value, index) => `${round(xOf(index))} ${round(area.yOf(value))}`)}
        fill="none"
        stroke="currentColor"
        strokeDasharray={dashes}
        strokeLinejoin="round"
        strokeWidth="2"
      />
      {withIndex(series.values).map(({ item: value, index }) => {
        // A point without neighbors needs a marker, because it has no line.
        const isIsolated = (series.values[index - 1] ?? null) === null && (series.values[index + 1] ?? null) === null;
        if (value === null || (!hasMarkers && !isIsolated)) return null;
        return (
          <circle cx={xOf(index)} cy={area.yOf(value)} fill="currentColor" key={index} r="3">
            <title>
              {revealInvisible(
                t('value', { label: labels[index] ?? '', value: formatNumber(value), series: series.name }),
              )}
            </title>
          </circle>
        );
      })}
    </g>
  );
}

function pathOf(values: (number | null)[], point: (value: number, index: number) => string): string {
  return values
    .map((value, index) => {
      if (value === null) return '';
      const isContinued = index > 0 && (values[index - 1] ?? null) !== null;
      return `${isContinued ? 'L' : 'M'}${point(value, index)}`;
    })
    .join('');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
