'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useMemo, useState } from 'react';
import { Button } from '../../ui/button';
import { CardFrame } from './card-frame';
import { ChartDrawing } from './chart-drawing';
import { ChartLegend } from './chart-legend';
import { DataRows } from './data-rows';
import { withMarks } from './mark-hidden';
import { MarkedText } from './marked-text';
import { numberText } from './number-text';
import type { ChartView, NamedChart } from './read-chart';

/** A chart that an agent published, as a drawing or as the table behind it. */
export function ChartCard({ chart: sent }: { chart: ChartView }): ReactNode {
  const t = useTranslations('parts.chartCard');
  const chart = useMemo(() => withNames(sent, t), [sent, t]);
  const [asTable, setAsTable] = useState(false);
  const title = chart.title ?? t(chart.type);
  return (
    <CardFrame className="space-y-3 p-4" label={t('label', { title: withMarks(title) })}>
      <div className="flex flex-wrap items-start justify-between gap-2">
        <p className="min-w-0 flex-1 basis-32 font-medium [overflow-wrap:anywhere]">
          <MarkedText text={title} />
        </p>
        <Button className="-my-1 -me-2" onClick={() => setAsTable(!asTable)} size="sm" tone="quiet">
          {t(asTable ? 'asChart' : 'asTable')}
        </Button>
      </div>
      {asTable ? (
        <ChartTable chart={chart} title={title} />
      ) : (
        <>
          <ChartLegend chart={chart} />
          <ChartDrawing chart={chart} summary={withMarks(summaryOf(chart, title, t))} />
          {chart.xLabel ? (
            <p className="text-center text-xs text-muted">
              <MarkedText text={chart.xLabel} />
            </p>
          ) : null}
        </>
      )}
    </CardFrame>
  );
}

type ChartTexts = ReturnType<typeof useTranslations<'parts.chartCard'>>;

function withNames(chart: ChartView, t: ChartTexts): NamedChart {
  const series = chart.series.map((one, at) => ({ ...one, name: one.name ?? t('series', { number: String(at + 1) }) }));
  return { ...chart, series };
}

function ChartTable({ chart, title }: { chart: NamedChart; title: string }): ReactNode {
  const t = useTranslations('parts.chartCard');
  const columns = [
    { label: chart.xLabel ?? t('labels'), numeric: false },
    ...chart.series.map(({ name }) => ({ label: name, numeric: true })),
  ];
  const rows = chart.labels.map((label, place) => [
    label,
    ...chart.series.map(({ values }) => {
      const value = values[place];
      return typeof value === 'number' ? numberText(value) : '';
    }),
  ]);
  return <DataRows caption={title} columns={columns} rows={rows} />;
}

/** The drawing in words: what it shows, how much, and from where to where. */
function summaryOf({ type, labels, series }: NamedChart, title: string, t: ChartTexts): string {
  const shown = series.map(({ name, values }) => {
    const known = values.filter((value) => value !== null);
    if (known.length === 0) return t('seriesEmpty', { name });
    return t('seriesRange', { name, least: numberText(Math.min(...known)), most: numberText(Math.max(...known)) });
  });
  const [first = ''] = labels;
  const range = labels.length === 1 ? first : t('range', { first, last: labels.at(-1) ?? '' });
  return t('summary', { type, title, places: String(labels.length), range, series: shown.join('; ') });
}
