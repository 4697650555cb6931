'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useMemo, useState } from 'react';
import { Button } from '../../ui/controls/button';
import { revealInvisible, UntrustedText } from '../../ui/display/untrusted-text';
import { CardFrame } from './card-frame';
import { ChartDrawing } from './chart-drawing';
import { ChartLegend } from './chart-legend';
import { DataRows } from './data-rows';
import { type FormatNumber, useFormatNumber } from './format-number';
import type { ChartView, NamedChart } from './read-chart';

/** A chart published by an agent, as a drawing or as its table. */
export function ChartCard({ chart: sent }: { chart: ChartView }): ReactNode {
  const t = useTranslations('parts.chartCard');
  const formatNumber = useFormatNumber();
  const chart = useMemo(() => withNames(sent, t), [sent, t]);
  const [asTable, setAsTable] = useState(false);
  const title = chart.title ?? t(chart.type);
  return (
    <CardFrame className="space-y-3 p-4" label={t('label', { title: revealInvisible(title) })}>
      <div className="flex flex-wrap items-start justify-between gap-2">
        <p className="min-w-0 flex-1 basis-32 font-medium [overflow-wrap:anywhere]">
          <UntrustedText text={title} />
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
          <ChartDrawing chart={chart} summary={revealInvisible(summaryOf(chart, { title, t, formatNumber }))} />
          {chart.xLabel ? (
            <p className="text-center text-xs text-muted">
              <UntrustedText text={chart.xLabel} />
            </p>
          ) : null}
        </>
      )}
    </CardFrame>
  );
}

type ChartTexts = ReturnType<typeof useTranslations<'parts.chartCard'>>;

function withNames(chart: ChartView, t: ChartTexts): NamedChart {
  const series = chart.series.map((series, index) => ({
    ...series,
    name: series.name ?? t('series', { number: String(index + 1) }),
  }));
  return { ...chart, series };
}

function ChartTable({ chart, title }: { chart: NamedChart; title: string }): ReactNode {
  const t = useTranslations('parts.chartCard');
  const columns = [
    { label: chart.xLabel ?? t('labels'), numeric: false },
    ...chart.series.map(({ name }) => ({ label: name, numeric: true })),
  ];
  const rows = chart.labels.map((label, index) => [label, ...chart.series.map(({ values }) => values[index] ?? '')]);
  return <DataRows caption={title} columns={columns} rows={rows} />;
}

/** Text alternative of the drawing: subject, amounts, range. */
function summaryOf(
  { type, labels, series }: NamedChart,
  { title, t, formatNumber }: { title: string; t: ChartTexts; formatNumber: FormatNumber },
): string {
  const shown = series.map(({ name, values }) => {
    const known = values.filter((value) => value !== null);
    if (known.length === 0) return t('seriesEmpty', { name });
    return t('seriesRange', { name, least: formatNumber(Math.min(...known)), most: formatNumber(Math.max(...known)) });
  });
  const [first = ''] = labels;
  const range = labels.length === 1 ? first : t('range', { first, last: labels.at(-1) ?? '' });
  return t('summary', { type, title, places: String(labels.length), range, series: shown.join('; ') });
}
