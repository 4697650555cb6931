'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../../../ui/controls/button';
import { revealInvisible, UntrustedText, withIndex } from '../../../ui/display/untrusted-text';
import { CardFrame } from '../card-frame';
import { DataRows, type FormatNumber, useFormatNumber } from '../table-card';
import { BarColumns, BarRows, rowsHeight } from './chart-bars';
import { ChartFrame, scaleFor, seriesStyle } from './chart-frame';
import { ChartLines } from './chart-lines';
import type { ChartView, NamedChart } from './read-chart';

/** A chart that an agent published, as a drawing or as a table. */
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

/** Returns the text alternative of the drawing: subject, amounts, range. */
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

/** The legend of the series. A single series needs none; its name is displayed if the title does not contain it. */
export function ChartLegend({ chart }: { chart: NamedChart }): ReactNode {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
      {withIndex(chart.series).map(({ item: { name }, index }) => {
        const { hue, dashes, filled } = seriesStyle(index);
        return (
          <li className="flex min-w-0 items-center gap-1.5 [overflow-wrap:anywhere]" key={index}>
            <svg aria-hidden="true" className={`shrink-0 ${hue}`} height="10" viewBox="0 0 18 10" width="18">
              {chart.type === 'line' ? (
                <path d="M0 5h18" stroke="currentColor" strokeDasharray={dashes} strokeWidth="2" />
              ) : (
                <rect
                  fill={filled ? 'currentColor' : 'none'}
                  height="8"
                  stroke="currentColor"
                  strokeWidth="2"
                  width="14"
                  x="2"
                  y="1"
                />
              )}
            </svg>
            <UntrustedText text={name} />
          </li>
        );
      })}
    </ul>
  );
}

const HEIGHT = 240;
/** Average character width at the label size, px. */
const CHARACTER = 7;
const MAX_ROWS = 40;

/** A chart at the available width. Its height is known before its width, so that there is no layout shift. */
export function ChartDrawing({ chart, summary }: { chart: NamedChart; summary: string }): ReactNode {
  const [ref, width] = useWidth<HTMLDivElement>();
  const isHorizontal = chart.type === 'bar' && needsRows(chart, width);
  const height = isHorizontal ? rowsHeight(chart) : HEIGHT;
  return (
    <div className="min-w-0" ref={ref} style={{ minHeight: height }}>
      {width === 0 ? null : (
        <svg aria-label={summary} className="block" height={height} role="img" width={width}>
          {isHorizontal ? (
            <BarRows chart={chart} width={width} />
          ) : (
            <VerticalChart chart={chart} height={height} width={width} />
          )}
        </svg>
      )}
    </div>
  );
}

/** Returns true if bars must be horizontal because their labels would not fit below vertical ones. */
function needsRows({ labels }: NamedChart, width: number): boolean {
  const longest = Math.max(...labels.map(({ length }) => length));
  return labels.length <= MAX_ROWS && (longest * CHARACTER + 8) * labels.length > width - 48;
}

function VerticalChart({ chart, width, height }: { chart: NamedChart; width: number; height: number }): ReactNode {
  const values = chart.series.flatMap((series) => series.values.filter((value) => value !== null));
  const scale = scaleFor(values, { fromZero: chart.type === 'bar' });
  return (
    <ChartFrame height={height} labels={chart.labels} scale={scale} width={width}>
      {(area) =>
        chart.type === 'bar' ? <BarColumns area={area} chart={chart} /> : <ChartLines area={area} chart={chart} />
      }
    </ChartFrame>
  );
}

/** Returns an element's current width, CSS px; 0 before it is measured. */
export function useWidth<Host extends HTMLElement>(): [RefObject<Host | null>, number] {
  const ref = useRef<Host>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const host = ref.current;
    if (!host) return;
    const observer = new ResizeObserver(() => setWidth(Math.floor(host.clientWidth)));
    observer.observe(host);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
