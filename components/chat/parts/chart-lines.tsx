import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { ChartArea } from './chart-frame';
import { lookOf } from './chart-looks';
import { withMarks } from './mark-hidden';
import { numberText } from './number-text';
import { numbered } from './numbered';
import type { NamedChart, NamedSeries } from './read-chart';

/** More points than this are drawn without a mark each. */
const MOST_MARKS = 60;

/** One line per series, broken where a value is missing. */
export function ChartLines({ chart, area }: { chart: NamedChart; area: ChartArea }): ReactNode {
  return numbered(chart.series).map(({ item, at }) => (
    <Line area={area} key={at} labels={chart.labels} place={at} series={item} />
  ));
}

interface LineProps {
  series: NamedSeries;
  place: number;
  labels: string[];
  area: ChartArea;
}

function Line({ series, place, labels, area }: LineProps): ReactNode {
  const t = useTranslations('parts.chartCard');
  const { hue, dashes } = lookOf(place);
  const xOf = (at: number): number => area.left + area.slot * (at + 0.5);
  const marked = series.values.length <= MOST_MARKS;
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
      {numbered(series.values).map(({ item: value, at }) => {
        // A point without neighbours has no line to be seen by.
        const alone = (series.values[at - 1] ?? null) === null && (series.values[at + 1] ?? null) === null;
        if (value === null || (!marked && !alone)) return null;
        return (
          <circle cx={xOf(at)} cy={area.yOf(value)} fill="currentColor" key={at} r="3">
            <title>
              {withMarks(t('value', { label: labels[at] ?? '', value: numberText(value), series: series.name }))}
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
