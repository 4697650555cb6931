import { useLocale, useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AgentStats, StatsPoint } from '@/lib/console/schema';
import { Card } from '../../ui/display/card';
import { ChartExplorer } from './chart-explorer';

/** One series of a chart; null if a value is missing. */
export interface TrafficSeries {
  name: string;
  /** Its text color class. */
  className: string;
  valueAt: (point: StatsPoint) => number | null;
}

interface TrafficChartProps {
  title: string;
  points: StatsPoint[];
  by: AgentStats['by'];
  series: TrafficSeries[];
  /** Columns are stacked; lines are drawn separately. */
  kind?: 'columns' | 'lines';
  format: (value: number) => string;
}

const [width, height] = [320, 120];

/** A server-rendered SVG chart with axes. Its values are displayed at the pointer, by arrow keys, and in a table. */
export function TrafficChart({ title, points, by, series, kind = 'columns', format }: TrafficChartProps): ReactNode {
  const t = useTranslations('console.trafficChart');
  const locale = useLocale();
  const tops = points.map((point) => {
    const values = series.map(({ valueAt }) => valueAt(point) ?? 0);
    return kind === 'columns' ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
  });
  const highest = roundUp(Math.max(kind === 'columns' ? 2 : 1, ...tops));
  const slot = width / Math.max(1, points.length);
  const Shapes = kind === 'columns' ? Columns : Lines;
  const explored = points.map((point) => ({
    at: formatStart(locale, point.start, by),
    values: series.map(({ name, className, valueAt }) => {
      const value = valueAt(point);
      return { name, className, text: value === null ? '–' : format(Math.round(value)) };
    }),
  }));
  return (
    <Card className="p-4">
      <figure>
        <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
          <span className="font-medium">{title}</span>
          <span className="flex gap-3 text-xs text-muted">
            {series.map(({ name, className }) => (
              <span className="inline-flex items-center gap-1.5" key={name}>
                <span aria-hidden="true" className={`size-2 rounded-full bg-current ${className}`} />
                {name}
              </span>
            ))}
          </span>
        </figcaption>
        <div className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-xs text-muted tabular-nums" dir="ltr">
          <span aria-hidden="true" className="-my-2 flex flex-col justify-between text-end">
            {[highest, highest / 2, 0].map((value) => (
              <span key={value}>{format(value)}</span>
            ))}
          </span>
          <div className="relative">
            <svg
              aria-label={t('picture', { title, most: format(Math.round(Math.max(0, ...tops))) })}
              className="block h-32 w-full overflow-visible"
              preserveAspectRatio="none"
              role="img"
              viewBox={`0 0 ${width} ${height}`}
            >
              {[0, height / 2, height].map((y) => (
                <line
                  className={y === height ? 'text-line-strong' : 'text-line'}
                  key={y}
                  stroke="currentColor"
                  vectorEffect="non-scaling-stroke"
                  x1="0"
                  x2={width}
                  y1={y}
                  y2={y}
                />
              ))}
              <Shapes highest={highest} points={points} series={series} slot={slot} />
            </svg>
            <ChartExplorer points={explored} title={title} />
          </div>
          <span aria-hidden="true" className="col-start-2 mt-1.5 flex justify-between">
            <span>{explored[0]?.at}</span>
            <span className="max-sm:hidden">{explored[Math.floor((explored.length - 1) / 2)]?.at}</span>
            <span>{explored.at(-1)?.at}</span>
          </span>
        </div>
      </figure>
    </Card>
  );
}

/** Returns the next of 2, 4, 6, 10, 20, …, whose halves are whole numbers. */
function roundUp(value: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 6, 10].map((step) => step * magnitude).find((step) => step >= value) ?? value;
}

/** Returns the start of an hour or a day in the time of the chart's zone. */
export function formatStart(locale: string, start: string, by: AgentStats['by']): string {
  const time = by === 'hour' ? ({ hour: 'numeric', minute: '2-digit' } as const) : {};
  const options = { month: 'short', day: 'numeric', ...time, timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(locale, options).format(new Date(`${start}Z`));
}

interface ShapesProps {
  points: StatsPoint[];
  series: TrafficSeries[];
  highest: number;
  slot: number;
}

function Columns({ points, series, highest, slot }: ShapesProps): ReactNode {
  return points.map((point, index) => {
    let top = height;
    return series.map(({ name, className, valueAt }) => {
      const tall = ((valueAt(point) ?? 0) / highest) * height;
      top -= tall;
      return tall === 0 ? null : (
        <rect
          className={className}
          fill="currentColor"
          height={tall}
          key={`${point.start} ${name}`}
          width={Math.max(1, slot - 2)}
          x={index * slot + 1}
          y={top}
        />
      );
    });
  });
}

function Lines({ points, series, highest, slot }: ShapesProps): ReactNode {
  return series.map(({ name, className, valueAt }) => {
    const positions = points.flatMap((point, index) => {
      const value = valueAt(point);
      return value === null ? [] : [{ x: (index + 0.5) * slot, y: height - (value / highest) * height }];
    });
    return (
      <g className={className} key={name}>
        <polyline
          fill="none"
          points={positions.map(({ x, y }) => `${x},${y}`).join(' ')}
          stroke="currentColor"
          strokeWidth="2"
          vectorEffect="non-scaling-stroke"
        />
        {positions.map(({ x, y }) => (
          <rect fill="currentColor" height="4" key={x} width="3" x={x - 1.5} y={y - 2} />
        ))}
      </g>
    );
  });
}
