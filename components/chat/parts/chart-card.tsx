'use client';

import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/button';
import { CardFrame } from './card-frame';
import { ChartDrawing } from './chart-drawing';
import { ChartLegend } from './chart-legend';
import { DataRows } from './data-rows';
import { withMarks } from './mark-hidden';
import { MarkedText } from './marked-text';
import { numberText } from './number-text';
import type { ChartView } from './read-chart';

/** A chart that an agent published, as a drawing or as the table behind it. */
export function ChartCard({ chart }: { chart: ChartView }): ReactNode {
  const [asTable, setAsTable] = useState(false);
  const title = chart.title ?? (chart.type === 'bar' ? 'Bar chart' : 'Line chart');
  return (
    <CardFrame className="space-y-3 p-4" label={`Chart: ${withMarks(title)}`}>
      <div className="flex flex-wrap items-start justify-between gap-2">
        <p className="min-w-0 flex-1 basis-32 font-medium [overflow-wrap:anywhere]">
          <MarkedText text={title} />
        </p>
        <Button className="-my-1 -me-2" onClick={() => setAsTable(!asTable)} size="sm" tone="quiet">
          {asTable ? 'As a chart' : 'As a table'}
        </Button>
      </div>
      {asTable ? (
        <ChartTable chart={chart} title={title} />
      ) : (
        <>
          <ChartLegend chart={chart} />
          <ChartDrawing chart={chart} summary={summaryOf(chart, title)} />
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

function ChartTable({ chart, title }: { chart: ChartView; title: string }): ReactNode {
  const columns = [
    { label: chart.xLabel ?? 'Label', numeric: false },
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
function summaryOf({ type, labels, series }: ChartView, title: string): string {
  const shown = series.map(({ name, values }) => {
    const known = values.filter((value) => value !== null);
    if (known.length === 0) return `${name}: no values`;
    return `${name}: from ${numberText(Math.min(...known))} to ${numberText(Math.max(...known))}`;
  });
  const range = labels.length === 1 ? labels[0] : `${labels[0]} to ${labels.at(-1)}`;
  return withMarks(
    `${type === 'bar' ? 'Bar' : 'Line'} chart: ${title}. ${labels.length} places, ${range}. ${shown.join('; ')}.`,
  );
}
