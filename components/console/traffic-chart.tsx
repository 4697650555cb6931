import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { StatsPoint } from '@/lib/console/schema';
import { Card } from '../ui/card';

/** One series of a chart; null where a value is missing. */
export interface TrafficSeries {
  name: string;
  /** Its text color class. */
  className: string;
  valueAt: (point: StatsPoint) => number | null;
}

interface TrafficChartProps {
  title: string;
  points: StatsPoint[];
  series: TrafficSeries[];
  /** Columns are stacked; lines are drawn separately. */
  kind?: 'columns' | 'lines';
  format?: (value: number) => string;
}

const [width, height] = [320, 120];

/** A small server-rendered SVG chart. Its numbers are in the table next to it, so it is a labeled image. */
export function TrafficChart({
  title,
  points,
  series,
  kind = 'columns',
  format = String,
}: TrafficChartProps): ReactNode {
  const t = useTranslations('console.trafficChart');
  const tops = points.map((point) => {
    const values = series.map(({ valueAt }) => valueAt(point) ?? 0);
    return kind === 'columns' ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
  });
  const highest = Math.max(1, ...tops);
  const most = format(Math.round(highest));
  const slot = width / Math.max(1, points.length);
  const Shapes = kind === 'columns' ? Columns : Lines;
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
        <svg
          aria-label={t('picture', { title, most })}
          className="mt-3 block h-32 w-full overflow-visible"
          preserveAspectRatio="none"
          role="img"
          viewBox={`0 0 ${width} ${height}`}
        >
          <line className="text-line-strong" stroke="currentColor" x1="0" x2={width} y1={height} y2={height} />
          <Shapes highest={highest} points={points} series={series} slot={slot} />
        </svg>
        <p className="mt-1.5 flex justify-between text-xs text-muted tabular-nums">
          <span>{labelOf(points[0])}</span>
          <span>{t('most', { most })}</span>
          <span>{labelOf(points.at(-1))}</span>
        </p>
      </figure>
    </Card>
  );
}

function labelOf(point: StatsPoint | undefined): string {
  if (!point) return '';
  const [day = '', time = ''] = point.start.split('T');
  return time === '00:00' ? day.slice(5) : `${day.slice(5)} ${time}`;
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
      return value === null ? [] : [{ x: (index + 0.5) * slot, y: height - (value / highest) * (height - 4) }];
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
